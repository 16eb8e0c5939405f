import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { type ContractArtifact, deploy } from "../../../commands/deploy.js";
import { deployText } from "../../../commands/messages/deploy.js";
import { printResult } from "../../../commands/output.js";
import { connectForSending } from "../connect.js";
import { runCommand } from "../run.js";

interface DeployArguments {
  contract: string;
  constructorArguments: string[];
  value: string | undefined;
  libraries: string | undefined;
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

const deployAction: NewTaskActionFunction<DeployArguments> = async (
  { contract, json, ...options },
  hre,
) =>
  await runCommand({ json }, async (ui) => {
    const artifact = await compile(hre, contract);
    const sender = await connectForSending(hre);
    const report = await deploy(sender, ui, artifact, options);
    printResult(ui, report, deployText(report));
  });

async function compile(
  hre: HardhatRuntimeEnvironment,
  contract: string,
): Promise<ContractArtifact> {
  await hre.tasks.getTask("build").run({ quiet: true, noTests: true });
  const artifact = await hre.artifacts.readArtifact(contract);
  return artifact;
}

export default deployAction;

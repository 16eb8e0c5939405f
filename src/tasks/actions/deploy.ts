import { deploy, type DeployOptions } from "../../commands/deploy.js";
import { deployText } from "../../commands/messages/deploy.js";
import { printResult } from "../../commands/output.js";
import { action } from "../host.js";

interface DeployArguments extends DeployOptions {
  readonly contract: string;
}

export default action(
  async ({ contract, ...options }: DeployArguments, host) => {
    const artifact = await host.compile(contract);
    const sender = await host.connectForSending();
    const report = await deploy(sender, host.ui, artifact, options);
    return printResult(host.ui, report, deployText(report));
  },
);

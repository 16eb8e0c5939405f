import { deploy, type DeployOptions } from "../../commands/deploy/index.js";
import { deployText } from "../../commands/deploy/messages.js";
import { printResult } from "../../commands/shared/output.js";
import { action } from "../host.js";
import { openSender } from "../module-action.js";

interface DeployArguments extends DeployOptions {
  readonly contract: string;
  readonly from: string | undefined;
  readonly verify: boolean;
}

export default action(
  async ({ contract, from, verify, ...options }: DeployArguments, host) => {
    const verifier = verify ? await host.verifier() : undefined;
    const artifact = await host.compile(contract);
    const sender = await openSender(host, from);
    const report = await deploy(sender, host.ui, artifact, options, verifier);
    return printResult(host.ui, report, deployText(report));
  },
);

import { deploy, type DeployOptions } from "../../commands/deploy.js";
import { deployText } from "../../commands/messages/deploy.js";
import { printResult } from "../../commands/output.js";
import { action } from "../host.js";
import { openSender } from "../module-action.js";

interface DeployArguments extends DeployOptions {
  readonly contract: string;
  readonly from: string | undefined;
}

export default action(
  async ({ contract, from, ...options }: DeployArguments, host) => {
    const artifact = await host.compile(contract);
    const sender = await openSender(host, from);
    const report = await deploy(sender, host.ui, artifact, options);
    return printResult(host.ui, report, deployText(report));
  },
);

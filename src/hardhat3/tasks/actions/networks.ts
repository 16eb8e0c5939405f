import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { networksText } from "../../../commands/messages/networks.js";
import { listNetworks } from "../../../commands/networks.js";
import { printResult } from "../../../commands/output.js";
import { describeConnection, describeNetworks } from "../../config/describe.js";
import { runCommand } from "../run.js";

const networks: NewTaskActionFunction<{ json: boolean }> = async (args, hre) =>
  await runCommand(args, async (ui) => {
    const networkName = hre.globalOptions.network;
    const networkConfig =
      networkName === undefined ? undefined : hre.config.networks[networkName];
    const described =
      networkName === undefined || networkConfig === undefined
        ? await describeNetworks(hre.config)
        : [
            await describeConnection(hre.config, {
              networkName,
              networkConfig,
            }),
          ];
    const records = listNetworks(described);
    printResult(ui, { networks: records }, networksText(records));
  });

export default networks;

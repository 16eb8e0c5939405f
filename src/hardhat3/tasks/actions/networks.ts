import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { networksText } from "../../../commands/messages/networks.js";
import { listNetworks } from "../../../commands/networks.js";
import { printResult } from "../../../commands/output.js";
import { describeNetworks } from "../../config/describe.js";
import { describeNetwork } from "../connect.js";
import { runCommand } from "../run.js";

const networks: NewTaskActionFunction<{ json: boolean }> = async (args, hre) =>
  await runCommand(args, async (ui) => {
    const described =
      hre.globalOptions.network === undefined
        ? await describeNetworks(hre.config)
        : [await describeNetwork(hre)];
    const records = listNetworks(described);
    printResult(ui, { networks: records }, networksText(records));
  });

export default networks;

import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { transferText } from "../../../commands/messages/transfer.js";
import { printResult } from "../../../commands/output.js";
import { transfer } from "../../../commands/transfer.js";
import { connectForSending } from "../connect.js";
import { runCommand } from "../run.js";

interface TransferArguments {
  to: string;
  amount: string;
  wait: boolean;
  force: boolean;
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

const transferAction: NewTaskActionFunction<TransferArguments> = async (
  { json, ...options },
  hre,
) =>
  await runCommand({ json }, async (ui) => {
    const report = await transfer(await connectForSending(hre), ui, options);
    printResult(ui, report, transferText(report));
  });

export default transferAction;

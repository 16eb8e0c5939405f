import { readFile } from "node:fs/promises";

import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { addressesInFile, checkAddresses } from "../../../commands/balance.js";
import { printBalances } from "../../../commands/print-balances.js";
import { DualstackError } from "../../../support/errors.js";
import { errorText } from "../../../support/text.js";
import { accountsOf, connectForReading } from "../connect.js";
import { runCommand } from "../run.js";

interface BalanceArguments {
  addresses: string[];
  file: string | undefined;
  json: boolean;
}

const balance: NewTaskActionFunction<BalanceArguments> = async (args, hre) =>
  await runCommand(args, async (ui) => {
    const listed =
      args.file === undefined
        ? args.addresses
        : [...args.addresses, ...(await readAddresses(args.file))];
    const addresses = listed.length > 0 ? listed : await accountsOf(hre);
    const reader = await connectForReading(hre);
    checkAddresses(addresses, reader.network);
    await printBalances(ui, reader, addresses);
  });

async function readAddresses(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new DualstackError(
      `the file ${file} cannot be read: ${errorText(cause)}`,
      { cause },
    );
  }
  return addressesInFile(text, file);
}

export default balance;

import {
  addressesInFile,
  checkAddresses,
  type GivenAddress,
} from "../../commands/balance/index.js";
import { printBalances } from "../../commands/balance/print.js";
import { accountsOf } from "../connect.js";
import { readGivenFile } from "../given-file.js";
import { action } from "../host.js";

interface BalanceArguments {
  readonly addresses: readonly string[];
  readonly file: string | undefined;
}

export default action(async ({ addresses, file }: BalanceArguments, host) => {
  const given = [
    ...addresses.map((text) => ({ text })),
    ...(file === undefined ? [] : await readAddresses(file)),
  ];
  const reader = await host.connectForReading();
  checkAddresses(given, reader.network);
  const all =
    given.length > 0
      ? given.map(({ text }) => text)
      : await accountsOf(await host.connectForSending());
  return await printBalances(host.ui, reader, all);
});

async function readAddresses(file: string): Promise<GivenAddress[]> {
  return addressesInFile(await readGivenFile(file), file);
}

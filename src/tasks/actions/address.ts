import { describeAddress } from "../../commands/address/index.js";
import { addressText } from "../../commands/address/messages.js";
import { printResult } from "../../commands/shared/output.js";
import { precompileAddresses } from "../../config/describe.js";
import { action } from "../host.js";

interface AddressArguments {
  readonly address: string;
  readonly prefix: string | undefined;
}

export default action(
  async ({ address, prefix }: AddressArguments, { config, ui }) => {
    const report = describeAddress(address, {
      chainPrefix: config.facts.bech32Prefix,
      ...(prefix === undefined ? {} : { prefix }),
      precompiles: precompileAddresses(config),
      modules: config.facts.moduleAccounts,
    });
    return printResult(ui, report, addressText(report));
  },
);

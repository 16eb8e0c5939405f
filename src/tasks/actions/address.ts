import { describeAddress } from "../../commands/address.js";
import { addressText } from "../../commands/messages/address.js";
import { printResult } from "../../commands/output.js";
import { precompileAddresses } from "../../config/describe.js";
import { action } from "../host.js";

interface AddressArguments {
  readonly address: string;
  readonly prefix: string | undefined;
}

export default action<AddressArguments>(
  async ({ address, prefix }, { config, ui }) => {
    const report = describeAddress(address, {
      chainPrefix: config.facts.bech32Prefix,
      ...(prefix === undefined ? {} : { prefix }),
      precompiles: precompileAddresses(config),
    });
    printResult(ui, report, addressText(report));
  },
);

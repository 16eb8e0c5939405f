import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { describeAddress } from "../../../commands/address.js";
import { addressText } from "../../../commands/messages/address.js";
import { printResult } from "../../../commands/output.js";
import { precompileAddresses } from "../../config/describe.js";
import { runCommand } from "../run.js";

interface AddressArguments {
  address: string;
  prefix: string | undefined;
  json: boolean;
}

const address: NewTaskActionFunction<AddressArguments> = async (args, hre) =>
  await runCommand(args, async (ui) => {
    const report = describeAddress(args.address, {
      chainPrefix: hre.config.dualstack.facts.bech32Prefix,
      ...(args.prefix === undefined ? {} : { prefix: args.prefix }),
      precompiles: precompileAddresses(hre.config),
    });
    printResult(ui, report, addressText(report));
  });

export default address;

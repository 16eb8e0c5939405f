import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { refuseMainNetwork, requestTokens } from "../../../commands/faucet.js";
import { faucetText } from "../../../commands/messages/faucet.js";
import { printResult } from "../../../commands/output.js";
import { FAUCET_TOKENS, type FaucetToken } from "../../../faucet/settings.js";
import { DualstackError } from "../../../support/errors.js";
import { cleanText } from "../../../support/text.js";
import { accountsOf, connectForReading, describeNetwork } from "../connect.js";
import { runCommand } from "../run.js";

interface FaucetArguments {
  address: string | undefined;
  token: string;
  json: boolean;
}

const faucet: NewTaskActionFunction<FaucetArguments> = async (args, hre) =>
  await runCommand(args, async (ui) => {
    const token = checkToken(args.token);
    // Before anything has to be configured for that network.
    refuseMainNetwork(await describeNetwork(hre));
    const connected = await connectForReading(hre);
    if (hre.config.networks[connected.network.name]?.type === "edr-simulated") {
      ui.note(
        "This network exists only until the task ends; the grant is of no use after that.",
      );
    }
    const report = await requestTokens(connected, ui, {
      address: args.address ?? (await accountsOf(hre))[0] ?? "",
      token,
      settings: hre.config.dualstack.networks.testnet.faucet,
      readDenom: connected.readDenom,
    });
    printResult(ui, report, faucetText(report));
  });

function checkToken(text: string): FaucetToken {
  const token = FAUCET_TOKENS.find((known) => known === text);
  if (token === undefined) {
    throw new DualstackError(`there is no token "${cleanText(text, 40)}"`, {
      fix: `Write --token ${FAUCET_TOKENS.join(" or --token ")}.`,
    });
  }
  return token;
}

export default faucet;

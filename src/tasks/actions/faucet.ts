import {
  refuseMainNetwork,
  requestTokens,
} from "../../commands/faucet/index.js";
import { faucetText } from "../../commands/faucet/messages.js";
import { printResult } from "../../commands/shared/output.js";
import { faucetSettings } from "../../config/describe.js";
import { FAUCET_TOKENS, type FaucetToken } from "../../faucet/token.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import { accountsOf } from "../connect.js";
import { action } from "../host.js";

interface FaucetArguments {
  readonly address: string | undefined;
  readonly token: string;
}

export default action(async (args: FaucetArguments, host) => {
  const token = checkToken(args.token);
  // Refused before anything needs to be configured for that network.
  refuseMainNetwork(await host.describeNetwork());
  const connected = await host.connectForReading();
  if (host.isSimulated(connected.network.name)) {
    host.ui.note(
      "This network exists only in this process: the tokens are lost afterwards.",
    );
  }
  const [first = ""] =
    args.address === undefined
      ? await accountsOf(await host.connectForSending())
      : [];
  const report = await requestTokens(connected, host.ui, {
    address: args.address ?? first,
    token,
    settings: faucetSettings(host.config, connected.network),
    readDenom: connected.readDenom,
  });
  return printResult(host.ui, report, faucetText(report));
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

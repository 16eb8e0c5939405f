import { requireEndpoint } from "../../chain/index.js";
import { denomReader } from "../../commands/shared/denom-reader.js";
import {
  checkFormat,
  printWallet,
  runWalletPage,
  type WalletSettings,
} from "../../commands/wallet/index.js";
import { faucetSettings } from "../../config/describe.js";
import {
  type BatchProvider,
  batchBySingleRequests,
  HttpClient,
} from "../../rpc/http-client.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import { action, type OpenNetwork } from "../host.js";
import { untilInterrupted } from "../until-interrupted.js";

interface WalletArguments extends WalletSettings {
  readonly format: string;
  readonly serve: boolean;
  readonly port: string;
}

export default action(
  async ({ format, serve, port, ...settings }: WalletArguments, host) => {
    const opened = await host.openNetwork();
    const { network, headers } = opened;
    const options = { network, settings, headers };
    if (!serve) {
      return await printWallet(checkFormat(format), options, host.ui);
    }
    const number = checkedPort(port);
    const forwarded = {
      ...options,
      provider: providerOf(opened),
      readDenom: denomReader(network, headers),
      faucet: faucetSettings(host.config, network),
    };
    await untilInterrupted(async (signal) => {
      await runWalletPage(forwarded, number, host.ui, signal);
    });
    return undefined;
  },
);

// Not checked beforehand: the page also explains what a node that is down cannot do.
function providerOf({
  network,
  provider,
  headers,
}: OpenNetwork): BatchProvider {
  if (provider !== undefined) {
    return batchBySingleRequests(provider);
  }
  const { name, kind, endpoints } = network;
  return new HttpClient({
    url: requireEndpoint(endpoints, "evmUrl", { network: name, kind }),
    headers,
    network: name,
  });
}

function checkedPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new DualstackError(
      `--port "${cleanText(text, 20)}" is not a port from 0 (any) to 65535`,
    );
  }
  return port;
}

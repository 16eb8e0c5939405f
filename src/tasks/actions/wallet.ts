import {
  checkFormat,
  printWallet,
  runWalletPage,
  type WalletSettings,
} from "../../commands/wallet/index.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import { action } from "../host.js";
import { untilInterrupted } from "../until-interrupted.js";

interface WalletArguments extends WalletSettings {
  readonly format: string;
  readonly serve: boolean;
  readonly port: string;
}

export default action<WalletArguments>(
  async ({ format, serve, port, ...settings }, host) => {
    const { network, allowInsecure } = await host.openNetwork();
    const options = { network, settings, allowInsecure };
    if (!serve) {
      await printWallet(checkFormat(format), options, host.ui);
      return;
    }
    const number = checkedPort(port);
    const { provider, readDenom } = await host.connectForReading();
    await untilInterrupted(async (signal) => {
      const forwarded = { ...options, provider, readDenom };
      await runWalletPage(forwarded, number, host.ui, signal);
    });
  },
);

function checkedPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new DualstackError(
      `--port "${cleanText(text, 20)}" is not a port from 0 (any) to 65535`,
    );
  }
  return port;
}

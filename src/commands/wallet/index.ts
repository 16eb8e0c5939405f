import {
  createFrameworkClients,
  type FrameworkClients,
} from "../../framework/clients.js";
import type { FaucetUserSettings } from "../../faucet/settings.js";
import { aborted } from "../../support/async.js";
import { DualstackError } from "../../support/errors.js";
import type { NetworkDescription } from "../../config/network-description.js";
import { toJson } from "../shared/output.js";
import type { Ui } from "../shared/ui.js";
import { type Exporter, FORMATS, type WalletFormat } from "./formats.js";
import type { ForwardOptions } from "./forward.js";
import {
  frameworkRecord,
  walletRecord,
  type WalletSettings,
} from "./record.js";

export { checkFormat } from "./formats.js";
export type { WalletSettings } from "./record.js";

export interface WalletOptions {
  readonly network: NetworkDescription;
  readonly settings: WalletSettings;
  /** Sent along with every request to the network's nodes. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** A network's record in a format; asks the chain only if the format needs it. */
export async function exportWallet(
  format: WalletFormat,
  options: WalletOptions,
  onDifference?: (text: string) => void,
): Promise<unknown> {
  const { network, settings } = options;
  const record = walletRecord(network, settings);
  const exporter: Exporter = FORMATS[format];
  if ("make" in exporter) {
    return exporter.make(record);
  }
  const clients = clientsOf(options);
  try {
    return exporter.makeFromChain(
      record,
      await frameworkRecord(clients, network, settings, onDifference),
    );
  } finally {
    await clients.close();
  }
}

/** Prints a network's record, always as JSON. */
export async function printWallet(
  format: WalletFormat,
  options: WalletOptions,
  ui: Ui,
): Promise<unknown> {
  const record = await exportWallet(format, options, (text) => {
    ui.note(text);
  });
  ui.line(toJson(record, 2));
  return record;
}

/** Whether test tokens are available: from a faucet, or from a development node itself. */
const hasFaucet = ({ kind, endpoints }: NetworkDescription) =>
  kind === "local" || endpoints.faucetUrl !== undefined;

function clientsOf({
  network,
  headers,
  timeoutMs,
}: WalletOptions): FrameworkClients {
  const { name, kind, endpoints, facts } = network;
  return createFrameworkClients({
    network: name,
    kind,
    endpoints,
    facts,
    headers,
    timeoutMs,
    // Requests over REST and the node RPC do not use this provider.
    provider: {
      request: () =>
        Promise.reject(new DualstackError("nothing is asked of the EVM here")),
    },
  });
}

/**
 * Serves a page that adds the network to wallets, until the signal ends it.
 *
 * @param port 0 for any free port
 * @throws DualstackError if the port is taken
 */
export async function runWalletPage(
  options: WalletOptions &
    Omit<ForwardOptions, "exported" | "grant" | "onProblem"> & {
      readonly faucet?: FaucetUserSettings;
    },
  port: number,
  ui: Ui,
  signal: AbortSignal,
): Promise<void> {
  const { createForward } = await import("./forward.js");
  const { serveWallet } = await import("./serve.js");
  const { network } = options;
  const told = new Set<string>();
  const tell = (text: string) => {
    if (!told.has(text)) {
      told.add(text);
      ui.note(text);
    }
  };
  const grant = async (address: string) => {
    const { requestTokens } = await import("../faucet/index.js");
    const silent = { progress: () => undefined };
    return await requestTokens(options, silent, {
      address,
      token: "native",
      settings: options.faucet,
    });
  };
  const server = await serveWallet(
    createForward({
      ...options,
      network: { ...network, title: options.settings.name ?? network.title },
      exported: async (format) => await exportWallet(format, options, tell),
      ...(hasFaucet(network) ? { grant } : {}),
      onProblem: tell,
    }),
    port,
  );
  try {
    if (ui.json) {
      ui.line(toJson({ url: server.url }));
    } else {
      ui.line(`The page is at ${server.url} until you press Ctrl+C.`);
    }
    await aborted(signal);
  } finally {
    await server.close();
  }
}

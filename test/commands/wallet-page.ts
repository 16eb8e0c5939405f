import { denomReader } from "../../src/commands/shared/denom-reader.js";
import type { NetworkDescription } from "../../src/config/network-description.js";
import {
  createForward,
  type Forward,
  type ForwardOptions,
} from "../../src/commands/wallet/forward.js";
import { exportWallet } from "../../src/commands/wallet/index.js";
import { HttpClient } from "../../src/rpc/http-client.js";

export const TITLE = "Dualstack Testnet";

/** Forwards a wallet page's requests to a network's endpoints. */
export function forwarded(
  network: NetworkDescription,
  given: Partial<ForwardOptions> = {},
): Forward {
  const options = { network, settings: { name: TITLE }, timeoutMs: 3_000 };
  return createForward({
    network,
    provider: new HttpClient({
      url: network.endpoints.evmUrl ?? "",
      retries: 0,
    }),
    readDenom: denomReader(network),
    exported: async (format) => await exportWallet(format, options),
    ...given,
  });
}

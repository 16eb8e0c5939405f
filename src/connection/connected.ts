import type { NetworkDescription } from "../config/network-description.js";
import type { RpcProvider } from "../rpc/provider.js";

/** A network and a provider for it. */
export interface Connected {
  readonly network: NetworkDescription;
  readonly provider: RpcProvider;
  /** Sent along with every request to the network's nodes; may be secret. */
  readonly headers?: Readonly<Record<string, string>>;
}

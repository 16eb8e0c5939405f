import type { NetworkDescription } from "../config/network-description.js";
import type { RpcProvider } from "../rpc/provider.js";

/** A network with a way to ask it. */
export interface Connected {
  readonly network: NetworkDescription;
  readonly provider: RpcProvider;
  /** Sent along with every request to the network's nodes; may be secret. */
  readonly headers?: Readonly<Record<string, string>>;
}

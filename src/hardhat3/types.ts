import type { NetworkKind } from "../chain/index.js";
import type { GasSettings } from "../gas/settings.js";

export type * from "../connection/types.js";
export type { DualstackEnvironment } from "../local-node/environment.js";
export type {
  LocalNode,
  LocalNodeAccount,
  LocalNodeOptions,
} from "../local-node/index.js";
export type { LocalNodeEndpoints } from "../local-node/endpoints.js";

/** What the plugin keeps of one of its networks in the resolved configuration. */
export interface DualstackNetworkOptions {
  readonly gas: GasSettings;
  /** Absent on the local network. */
  readonly kind?: NetworkKind;
  /** Whether the accounts are ours to find, on first use. */
  readonly lazyAccounts?: boolean;
  /** Whether the URL follows from the endpoints that are configured. */
  readonly derivedUrl?: boolean;
}

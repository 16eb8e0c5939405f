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

/** The plugin's part of one of its networks in the resolved configuration. */
export interface DualstackNetworkOptions {
  readonly gas: GasSettings;
  /** Absent on the local network. */
  readonly kind?: NetworkKind;
  /** Whether the plugin finds the accounts, on first use. */
  readonly lazyAccounts?: boolean;
  /** Whether the URL is derived from the configured endpoints. */
  readonly derivedUrl?: boolean;
}

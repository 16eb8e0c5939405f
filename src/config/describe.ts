import {
  developmentSocket,
  type Endpoints,
  isLocalUrl,
} from "../chain/endpoints.js";
import {
  type ChainFacts,
  isNetworkKind,
  LOCALNET,
  type NetworkKind,
  NETWORKS,
} from "../chain/facts.js";
import { localStableToken } from "../chain/local-node.js";
import type { NetworkDescription } from "./network-description.js";
import {
  ofPrecompiles,
  PRECOMPILE_ADDRESSES,
  PRECOMPILE_NAMES,
  type PrecompileAddresses,
  type PrecompileName,
} from "../precompiles/addresses.js";
import { configuredAbi } from "../precompiles/configured.js";
import type { DualstackConfig } from "./resolve.js";

/** The configured addresses of the precompiles. */
export function precompileAddresses({
  precompiles,
}: Pick<DualstackConfig, "precompiles">): PrecompileAddresses {
  return ofPrecompiles(
    (name) => precompiles[name].address ?? PRECOMPILE_ADDRESSES[name],
  );
}

/** The precompiles that the chain has according to the configuration. */
export const activePrecompiles = ({
  precompiles,
}: Pick<DualstackConfig, "precompiles">): readonly PrecompileName[] =>
  PRECOMPILE_NAMES.filter((name) => precompiles[name].active);

/** The addresses of these. */
export function activeAddresses(
  config: Pick<DualstackConfig, "precompiles">,
): readonly string[] {
  const addresses = precompileAddresses(config);
  return activePrecompiles(config).map((name) => addresses[name]);
}

const chainIdsOf = ({
  networks,
}: Pick<DualstackConfig, "networks">): NetworkDescription["chainIds"] => ({
  testnet: networks.testnet.chainId,
  mainnet: networks.mainnet.chainId,
});

/** The chain's facts on one of its networks. */
const factsOn = (kind: NetworkKind, facts: ChainFacts): ChainFacts =>
  kind === "localnode"
    ? { ...facts, stableToken: localStableToken(facts) }
    : facts;

/** The configured ABIs, if any. */
function configuredAbis({
  precompiles,
}: DualstackConfig): Pick<NetworkDescription, "abis"> {
  const given = PRECOMPILE_NAMES.filter(
    (name) => precompiles[name].abi !== undefined,
  );
  return given.length === 0
    ? {}
    : {
        abis: Object.fromEntries(
          given.map((name) => [
            name,
            configuredAbi(name, precompiles[name].abi),
          ]),
        ),
      };
}

/**
 * Describes one of the chain's networks.
 *
 * @param givenUrl the URL in the network itself, which takes precedence over a
 * derived one
 */
export const describeChain = async (
  config: DualstackConfig,
  kind: NetworkKind,
  givenUrl: string | undefined,
): Promise<NetworkDescription> =>
  describeChainAt(
    config,
    kind,
    withUrl(await config.networks[kind].endpoints(), givenUrl),
  );

/** Describes one of the chain's networks whose endpoints are known. */
export function describeChainAt(
  config: DualstackConfig,
  kind: NetworkKind,
  endpoints: Endpoints,
): NetworkDescription {
  const { name, chainId } = config.networks[kind];
  return {
    name,
    kind,
    title: NETWORKS[kind].title,
    chainId,
    chainIds: chainIdsOf(config),
    facts: factsOn(kind, config.facts),
    endpoints,
    precompiles: precompileAddresses(config),
    activePrecompiles: activePrecompiles(config),
  };
}

export const withUrl = (
  endpoints: Endpoints,
  evmUrl: string | undefined,
): Endpoints => (evmUrl === undefined ? endpoints : { ...endpoints, evmUrl });

/** How to ask a network's faucet; `undefined` if nothing is configured. */
export const faucetSettings = (
  { networks }: Pick<DualstackConfig, "networks">,
  { kind }: Pick<NetworkDescription, "kind">,
) => (isNetworkKind(kind) ? networks[kind].faucet : undefined);

/** Describes any other network; one without a URL is simulated. */
export function describeOther(
  config: DualstackConfig,
  network: {
    readonly name: string;
    readonly chainId: number | undefined;
    readonly url: string | undefined;
  },
): NetworkDescription {
  const { name, chainId = LOCALNET.chainId, url } = network;
  const isLocal = url === undefined || isLocalUrl(url);
  return {
    name,
    kind: isLocal ? "local" : "other",
    title: isLocal ? LOCALNET.title : name,
    chainId,
    chainIds: chainIdsOf(config),
    facts: config.facts,
    endpoints:
      url === undefined ? {} : { evmUrl: url, wsUrl: developmentSocket(url) },
    precompiles: precompileAddresses(config),
    activePrecompiles: activePrecompiles(config),
    ...configuredAbis(config),
  };
}

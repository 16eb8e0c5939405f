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

/** Where the precompiles are, by the configuration. */
export function precompileAddresses({
  precompiles,
}: Pick<DualstackConfig, "precompiles">): PrecompileAddresses {
  return ofPrecompiles(
    (name) => precompiles[name].address ?? PRECOMPILE_ADDRESSES[name],
  );
}

/** Those that the chain has, by the configuration. */
export const activePrecompiles = ({
  precompiles,
}: Pick<DualstackConfig, "precompiles">): readonly PrecompileName[] =>
  PRECOMPILE_NAMES.filter((name) => precompiles[name].active);

const chainIdsOf = ({
  networks,
}: Pick<DualstackConfig, "networks">): NetworkDescription["chainIds"] => ({
  testnet: networks.testnet.chainId,
  mainnet: networks.mainnet.chainId,
});

/** The chain's facts as one of its networks has them. */
const factsOn = (kind: NetworkKind, facts: ChainFacts): ChainFacts =>
  kind === "localnode"
    ? { ...facts, stableToken: localStableToken(facts) }
    : facts;

/** The ABIs that are configured, where there are any. */
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
 * One of the chain's networks.
 *
 * @param givenUrl what the user wrote into the network itself, which counts more than a derived URL
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

/** The same where its endpoints are known. */
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

/** How a network's faucet is asked; `undefined` where nothing is configured. */
export const faucetSettings = (
  { networks }: Pick<DualstackConfig, "networks">,
  { kind }: Pick<NetworkDescription, "kind">,
) => (isNetworkKind(kind) ? networks[kind].faucet : undefined);

/** Any other network; one without a URL is simulated. */
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

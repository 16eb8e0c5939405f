import {
  type ChainFacts,
  ENDPOINT_NAMES,
  type EndpointName,
  ENDPOINTS,
  endpointSetting,
  hasEndpoint,
  isNetworkKind,
  shownAddress,
  NETWORKS,
} from "../../chain/index.js";
import type { PrecompileName } from "../../precompiles/index.js";
import type { NetworkDescription } from "../../config/network-description.js";

/** An endpoint of a network: its address, or what to set for it. */
export interface EndpointRecord {
  readonly endpoint: EndpointName;
  readonly title: string;
  /** Without credentials; `null` if it is not configured. */
  readonly address: string | null;
  /** The variable that configures it. */
  readonly variable?: string;
  /** What the chain's interface document says about it. */
  readonly note?: string;
}

export interface NetworkRecord {
  readonly name: string;
  readonly kind: NetworkDescription["kind"];
  readonly title: string;
  readonly chainId: number;
  readonly currency: ChainFacts["currency"];
  readonly baseDenom: string;
  readonly bech32Prefix: string;
  readonly hasFaucet: boolean;
  readonly endpoints: readonly EndpointRecord[];
  readonly precompiles: { readonly [name in PrecompileName]: string };
  readonly activePrecompiles: readonly PrecompileName[];
}

/** The record of each network with its endpoints. Sends no requests. */
export function listNetworks(
  networks: readonly NetworkDescription[],
): NetworkRecord[] {
  return networks.map((network) => {
    const { name, kind, title, chainId, facts } = network;
    return {
      name,
      kind,
      title,
      chainId,
      currency: facts.currency,
      baseDenom: facts.baseDenom,
      bech32Prefix: facts.bech32Prefix,
      hasFaucet: isNetworkKind(kind) ? NETWORKS[kind].hasFaucet : false,
      endpoints: ENDPOINT_NAMES.flatMap((endpoint) =>
        endpointRecord(network, endpoint),
      ),
      precompiles: network.precompiles,
      activePrecompiles: network.activePrecompiles,
    };
  });
}

function endpointRecord(
  { kind, endpoints, facts }: NetworkDescription,
  endpoint: EndpointName,
): EndpointRecord[] {
  const { title } = ENDPOINTS[endpoint];
  const address = endpoints[endpoint];
  if (address === undefined) {
    return isNetworkKind(kind) && hasEndpoint(endpoint, kind)
      ? [
          {
            endpoint,
            title,
            address: null,
            variable: endpointSetting(endpoint, kind).variable,
          },
        ]
      : [];
  }
  const note = noteOn(endpoint, kind, facts);
  return [
    {
      endpoint,
      title,
      address: shownAddress(address),
      ...(note === undefined ? {} : { note }),
    },
  ];
}

// Rules 2 to 4 of the interface document's §4.
function noteOn(
  endpoint: EndpointName,
  kind: NetworkDescription["kind"],
  { frameworkPrefix, networkPrefix }: ChainFacts,
): string | undefined {
  const path = (prefix: string) => `/${prefix.replaceAll(".", "/")}/*`;
  switch (endpoint) {
    case "restUrl":
      return `GET of ${[...new Set([path(frameworkPrefix), path(networkPrefix)])].join(" and ")} only`;
    case "grpcHost":
      return kind === "mainnet"
        ? "a direct connection; may not be public yet"
        : "a direct connection";
    default:
      return undefined;
  }
}

import { DualstackError } from "../support/errors.js";
import { shownUrl } from "../support/http.js";
import { isLoopback } from "../support/loopback.js";
import { howToSet } from "../support/major.js";
import { cleanText } from "../support/text.js";
import {
  GRPC_PORT,
  isNetworkKind,
  type NetworkKind,
  NETWORKS,
} from "./facts.js";
import { LOCAL_BASE_URL } from "./local-node.js";
import { variableName } from "./variables.js";

export { isLocalUrl, isLoopback } from "../support/loopback.js";

interface EndpointRule {
  readonly title: string;
  /** The schemes that the address may have: the encrypted one first, then the plain one. */
  readonly schemes: readonly [safe: string, plain: string] | undefined;
  /**
   * The address under the base URL (§4 of the interface document); absent if it
   * must be configured.
   */
  readonly derive?: (base: URL) => string;
  /** The only kind of network on which the address follows from the base URL; absent: on all. */
  readonly derivedOn?: NetworkKind;
  /** Only for networks that give out test tokens. */
  readonly ofFaucet?: boolean;
}

const HTTP = ["https:", "http:"] as const;
/** The user name and password of a URL, as they stand in it. */
const userOf = ({ username, password }: URL) =>
  username === "" && password === ""
    ? ""
    : `${username}${password === "" ? "" : `:${password}`}@`;

const under = (base: URL, path: string) =>
  `${base.protocol}//${userOf(base)}${base.host}${trimSlash(base.pathname)}${path}`;

/** Every endpoint of a network, with the rule that derives its address. */
export const ENDPOINTS = {
  evmUrl: {
    title: "EVM JSON-RPC",
    schemes: HTTP,
    derive: (base) => under(base, "/evm"),
  },
  wsUrl: {
    title: "EVM WebSocket",
    schemes: ["wss:", "ws:"],
    // Rule 1: always /ws on the host itself, whatever the base path.
    derive: (base) =>
      `${base.protocol === "http:" ? "ws:" : "wss:"}//${userOf(base)}${base.host}/ws`,
  },
  nodeRpcUrl: {
    title: "Node RPC",
    schemes: HTTP,
    derive: (base) => under(base, "/rpc"),
  },
  restUrl: {
    title: "REST",
    schemes: HTTP,
    derive: (base) => under(base, "/api"),
  },
  // Rule 3: a direct connection. Without a configured host, the base URL's is used.
  grpcHost: {
    title: "gRPC",
    schemes: undefined,
    derive: (base) => `${userOf(base)}${base.hostname}:${GRPC_PORT}`,
  },
  explorerUrl: { title: "Explorer", schemes: HTTP },
  faucetUrl: {
    title: "Faucet",
    schemes: HTTP,
    derive: (base) => under(base, "/faucet"),
    derivedOn: "localnode",
    ofFaucet: true,
  },
} as const satisfies Record<string, EndpointRule>;

/** The name of an endpoint, such as `evmUrl`. */
export type EndpointName = keyof typeof ENDPOINTS;
/** The names of all endpoints. */
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as readonly EndpointName[];

/** Whether networks of a kind have an endpoint. */
export function hasEndpoint(name: EndpointName, kind: NetworkKind): boolean {
  const { ofFaucet = false }: EndpointRule = ENDPOINTS[name];
  return !ofFaucet || NETWORKS[kind].hasFaucet;
}

/** How an endpoint's address follows from the base URL; `undefined` if it must be configured. */
function derivation(
  name: EndpointName,
  kind: NetworkKind,
): EndpointRule["derive"] {
  const { derive, derivedOn = kind }: EndpointRule = ENDPOINTS[name];
  return derivedOn === kind ? derive : undefined;
}

/** What a user configures: a base URL, and the addresses of single endpoints that differ from it. */
export type EndpointInputs = { readonly baseUrl?: string } & {
  readonly [name in EndpointName]?: string;
};

/** The addresses of a network's endpoints; those that are not configured are absent. */
export type Endpoints = { readonly [name in EndpointName]?: string };

/** Which network the endpoints belong to, and whether plain connections are allowed. */
export interface EndpointOptions {
  /** The network's name, for errors. */
  readonly network: string;
  readonly kind: NetworkKind;
  /** Allows http and ws to hosts other than this machine. */
  readonly allowInsecure?: boolean;
}

/**
 * Derives all endpoints of a network from its base URL; what is given for a
 * single endpoint takes precedence. Whitespace, empty strings and trailing
 * slashes do not matter. Credentials in the base URL are part of every derived
 * address. A local network has a base URL by default.
 *
 * @throws DualstackError, with the field's name, for a malformed address, or one
 * on another machine that is not encrypted
 * @example
 * deriveEndpoints({ baseUrl: "https://node.example/" }, { network: "testnet", kind: "testnet" }).wsUrl
 * // "wss://node.example/ws"
 */
export function deriveEndpoints(
  inputs: EndpointInputs,
  options: EndpointOptions,
): Endpoints {
  const baseText =
    given(inputs.baseUrl) ??
    (options.kind === "localnode" ? LOCAL_BASE_URL : undefined);
  const base =
    baseText === undefined ? undefined : checkedBase(baseText, options);
  const found: { [name in EndpointName]?: string } = {};
  for (const name of ENDPOINT_NAMES) {
    const rule: EndpointRule = ENDPOINTS[name];
    if (!hasEndpoint(name, options.kind)) {
      continue;
    }
    const text = given(inputs[name]);
    const derive = derivation(name, options.kind);
    if (text !== undefined) {
      found[name] =
        rule.schemes === undefined
          ? checkedHost(text, name, options)
          : shown(checkedUrl(text, name, rule.schemes, options));
    } else if (base !== undefined && derive !== undefined) {
      found[name] = derive(base);
    }
  }
  return found;
}

/**
 * The address of an endpoint that is needed.
 *
 * @throws DualstackError if it is not configured, saying what to set
 */
export function requireEndpoint(
  endpoints: Endpoints,
  name: EndpointName,
  {
    network,
    kind,
  }: {
    readonly network: string;
    readonly kind: NetworkKind | "local" | "other";
  },
): string {
  const address = endpoints[name];
  if (address !== undefined) {
    return address;
  }
  const { title }: EndpointRule = ENDPOINTS[name];
  if (!isNetworkKind(kind)) {
    throw new DualstackError(`this network has no ${title}`, {
      network,
      fix:
        kind === "local"
          ? "A development network has only the EVM's JSON-RPC: choose one of the chain's networks with --network."
          : "Choose one of the chain's networks with --network.",
    });
  }
  const { field, variable } = endpointSetting(name, kind);
  throw new DualstackError(`no address is configured for ${title}`, {
    network,
    fix: `${howToSet(variable)}, or dualstack.${kind}.${field} in the Hardhat configuration.`,
  });
}

/**
 * The address at which a development node accepts subscriptions: that of its
 * JSON-RPC, with `ws:`.
 */
export const developmentSocket = (evmUrl: string): string =>
  evmUrl.replace(/^http/i, "ws");

/** What to set for a missing endpoint: the field under `dualstack.<kind>`, and its variable. */
export function endpointSetting(name: EndpointName, kind: NetworkKind) {
  const field = derivation(name, kind) === undefined ? name : "baseUrl";
  return { field, variable: variableName(field, kind) };
}

function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}

const trimSlash = (path: string) => path.replace(/\/+$/, "");
const shown = (url: URL) => trimSlash(url.href);

/**
 * What is appended to a base URL to get the endpoints: a base URL that ends
 * like this is a mistake.
 */
const ADDED = /\/(?:evm|ws|rpc|api)\/*$/;

function checkedBase(text: string, options: EndpointOptions): URL {
  const base = checkedUrl(text, "baseUrl", HTTP, options);
  const [ending] = ADDED.exec(base.pathname) ?? [];
  if (ending !== undefined) {
    const { network, kind } = options;
    throw new DualstackError(
      `dualstack.${kind}.baseUrl (or ${variableName("baseUrl", kind)}) ends in ${trimSlash(ending)}, which belongs to one endpoint and not to the base URL`,
      {
        network,
        fix: `Remove ${trimSlash(ending)}, or set that endpoint by itself, as in dualstack.${kind}.evmUrl.`,
      },
    );
  }
  return base;
}

function checkedUrl(
  text: string,
  field: string,
  [safe, plain]: readonly [string, string],
  options: EndpointOptions,
): URL {
  const { network, kind, allowInsecure = false } = options;
  const variable = variableName(field, kind);
  const where = `dualstack.${kind}.${field} (or ${variable})`;
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new DualstackError(
      `${where} is not a URL: "${cleanText(text, 80)}"`,
      {
        network,
        fix: `Write the whole address, such as ${safe}//node.example.`,
        cause,
      },
    );
  }
  if (url.protocol !== safe && url.protocol !== plain) {
    throw new DualstackError(
      `${where} must begin with ${safe}//, not ${url.protocol}//`,
      { network },
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw new DualstackError(
      `${where} has a query or a fragment, so no path can be added to it`,
      {
        network,
        fix: "Remove the query and the fragment.",
      },
    );
  }
  if (url.protocol === plain && !allowInsecure && !isLoopback(url.hostname)) {
    throw new DualstackError(
      `${where} is not encrypted: ${plain}//${url.host}`,
      {
        network,
        fix: `Use ${safe}//, or set dualstack.${kind}.allowInsecure: true if you know that the connection to that host is safe.`,
      },
    );
  }
  return url;
}

const PLAIN_GRPC = /^(?:grpc|http):/i;
const SAFE_GRPC = /^(?:grpcs|https):/i;

function checkedHost(
  text: string,
  field: string,
  { network, kind, allowInsecure = false }: EndpointOptions,
): string {
  const match =
    /^(?:(?:grpcs?|https?|dns):\/*)?([^@/]+@)?((?:\[[0-9a-fA-F:]+\])|(?:[A-Za-z0-9._-]+))(?::(\d{1,5}))?\/*$/i.exec(
      text,
    );
  const [, user = "", host = ""] = match ?? [];
  const port = Number(match?.[3] ?? GRPC_PORT);
  const where = `dualstack.${kind}.${field} (or ${variableName(field, kind)})`;
  if (match === null || port < 1 || port > 65535) {
    throw new DualstackError(
      `${where} is not a host: "${cleanText(text.replace(/[^/@]*@/, ""), 80)}"`,
      {
        network,
        fix: `Write host or host:port, such as grpc.node.example:${GRPC_PORT}. Put grpcs:// (encrypted) or grpc:// (plain) in front to say which it is.`,
      },
    );
  }
  if (PLAIN_GRPC.test(text)) {
    if (!allowInsecure && !isLoopback(host)) {
      throw new DualstackError(
        `${where} is not encrypted: grpc://${host}:${port}`,
        {
          network,
          fix: `Use grpcs://, or set dualstack.${kind}.allowInsecure: true if you know that the connection to that host is safe.`,
        },
      );
    }
    return `grpc://${user}${host}:${port}`;
  }
  return `${SAFE_GRPC.test(text) ? "grpcs://" : ""}${user}${host}:${port}`;
}

/** An endpoint's address for display: without credentials and query. */
export const shownAddress = (address: string): string =>
  address.includes("://") ? shownUrl(address) : grpcTarget(address).host;

/**
 * The parts of a gRPC address. Without `grpcs://` or `grpc://` the connection is
 * encrypted, unless the host is this machine.
 *
 * @example grpcTarget("grpc://10.0.0.5:9090") // { host: "10.0.0.5:9090", tls: false, user: "" }
 */
export function grpcTarget(address: string): {
  readonly host: string;
  readonly tls: boolean;
  /** `user:password` as in the address, or empty. */
  readonly user: string;
} {
  const rest = address.replace(/^[a-z]+:\/\//i, "");
  const at = rest.lastIndexOf("@");
  const host = rest.slice(at + 1);
  return {
    host,
    tls: address.startsWith("grpc://")
      ? false
      : address.startsWith("grpcs://") ||
        !isLoopback(host.replace(/:\d+$/, "")),
    user: at === -1 ? "" : rest.slice(0, at),
  };
}

import { DualstackError } from "../support/errors.js";
import { shownUrl } from "../support/http.js";
import { howToSet } from "../support/major.js";
import { cleanText } from "../support/text.js";
import type { NetworkKind } from "./facts.js";
import { variableName } from "./variables.js";

interface EndpointRule {
  readonly title: string;
  /** What the address may begin with: the safe one first, the plain one second. */
  readonly schemes: readonly [safe: string, plain: string] | undefined;
  /** The address under the base URL (§4 of the interface document); none where it must be given. */
  readonly derive?: (base: URL) => string;
  /** Only on networks of this kind. */
  readonly only?: NetworkKind;
}

const HTTP = ["https:", "http:"] as const;
/** The port of gRPC where none is given. */
export const GRPC_PORT = 9090;

/** User and password of a URL, as they stand in it. */
const userOf = ({ username, password }: URL) =>
  username === "" && password === ""
    ? ""
    : `${username}${password === "" ? "" : `:${password}`}@`;

const under = (base: URL, path: string) =>
  `${base.protocol}//${userOf(base)}${base.host}${trimSlash(base.pathname)}${path}`;

/** Every endpoint of a network, with the rule that derives it. A new endpoint is one more line. */
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
  // Rule 3: a direct connection. Where no host is given, the base URL's is tried.
  grpcHost: {
    title: "gRPC",
    schemes: undefined,
    derive: (base) => `${userOf(base)}${base.hostname}:${GRPC_PORT}`,
  },
  explorerUrl: { title: "Explorer", schemes: HTTP },
  faucetUrl: { title: "Faucet", schemes: HTTP, only: "testnet" },
} as const satisfies Record<string, EndpointRule>;

/** The name of an endpoint, such as `evmUrl`. */
export type EndpointName = keyof typeof ENDPOINTS;
/** The names of all endpoints. */
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as readonly EndpointName[];

/** What a user configures: a base URL, and addresses of single endpoints where they differ. */
export type EndpointInputs = { readonly baseUrl?: string } & {
  readonly [name in EndpointName]?: string;
};

/** The addresses of a network's endpoints; those that cannot be known are absent. */
export type Endpoints = { readonly [name in EndpointName]?: string };

/** Which network the endpoints are of, and what is allowed there. */
export interface EndpointOptions {
  /** Called in errors. */
  readonly network: string;
  readonly kind: NetworkKind;
  /** Allows http and ws to hosts other than this machine. */
  readonly allowInsecure?: boolean;
}

/**
 * Derives all endpoints of a network from its base URL; what is given for a
 * single endpoint wins. Whitespace, empty texts and slashes at the end do not
 * matter. A user and a password in the base URL are in every derived address.
 *
 * @throws DualstackError naming the field for an address that is none, or that
 * is not encrypted although its host is another machine
 * @example
 * deriveEndpoints({ baseUrl: "https://node.example/" }, { network: "testnet", kind: "testnet" }).wsUrl
 * // "wss://node.example/ws"
 */
export function deriveEndpoints(
  inputs: EndpointInputs,
  options: EndpointOptions,
): Endpoints {
  const baseText = given(inputs.baseUrl);
  const base =
    baseText === undefined ? undefined : checkedBase(baseText, options);
  const found: { [name in EndpointName]?: string } = {};
  for (const name of ENDPOINT_NAMES) {
    const rule: EndpointRule = ENDPOINTS[name];
    if (rule.only !== undefined && rule.only !== options.kind) {
      continue;
    }
    const text = given(inputs[name]);
    if (text !== undefined) {
      found[name] =
        rule.schemes === undefined
          ? checkedHost(text, name, options)
          : shown(checkedUrl(text, name, rule.schemes, options));
    } else if (base !== undefined && rule.derive !== undefined) {
      found[name] = rule.derive(base);
    }
  }
  return found;
}

/** The endpoint, or an error that says what to set; only the chain's own networks have variables. */
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
  if (kind === "local" || kind === "other") {
    throw new DualstackError(`this network has no ${title}`, {
      network,
      fix:
        kind === "local"
          ? "A development network has the EVM's JSON-RPC alone: choose one of the chain's networks with --network."
          : "Choose one of the chain's networks with --network.",
    });
  }
  const { field, variable } = endpointSetting(name, kind);
  throw new DualstackError(`no address is configured for ${title}`, {
    network,
    fix: `${howToSet(variable)}, or dualstack.${kind}.${field} in the Hardhat configuration.`,
  });
}

/** Where a development node takes subscriptions: at the address of its JSON-RPC. */
export const developmentSocket = (evmUrl: string): string =>
  evmUrl.replace(/^http/i, "ws");

/** What to set for an endpoint that is not known: the field under `dualstack.<kind>`, and its variable. */
export function endpointSetting(name: EndpointName, kind: NetworkKind) {
  const rule: EndpointRule = ENDPOINTS[name];
  const field = rule.derive === undefined ? name : "baseUrl";
  return { field, variable: variableName(field, kind) };
}

/** Whether a host is this machine, where plain connections are allowed. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}

/** Whether a URL leads to this machine. */
export function isLocalUrl(url: string): boolean {
  try {
    return isLoopback(new URL(url).hostname);
  } catch {
    return false;
  }
}

function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}

const trimSlash = (path: string) => path.replace(/\/+$/, "");
const shown = (url: URL) => trimSlash(url.href);

/** What is added to a base URL to get the endpoints: nobody's base URL ends in one of these. */
const ADDED = /\/(?:evm|ws|rpc|api)\/*$/;

function checkedBase(text: string, options: EndpointOptions): URL {
  const base = checkedUrl(text, "baseUrl", HTTP, options);
  const [ending] = ADDED.exec(base.pathname) ?? [];
  if (ending !== undefined) {
    const { network, kind } = options;
    throw new DualstackError(
      `dualstack.${kind}.baseUrl (or ${variableName("baseUrl", kind)}) ends in ${trimSlash(ending)}, which is where one endpoint is, not the base of all`,
      {
        network,
        fix: `Leave ${trimSlash(ending)} out, or set the endpoint alone, such as dualstack.${kind}.evmUrl.`,
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
        fix: `Write it whole, such as ${safe}//node.example.`,
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
      `${where} has a query or a fragment, so that no path can be added to it`,
      {
        network,
        fix: "Leave out everything from the question mark on.",
      },
    );
  }
  if (url.protocol === plain && !allowInsecure && !isLoopback(url.hostname)) {
    throw new DualstackError(
      `${where} is not encrypted: ${plain}//${url.host}`,
      {
        network,
        fix: `Use ${safe}//, or set dualstack.${kind}.allowInsecure: true if you know the way to that host to be safe.`,
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
        fix: `Write host or host:port, such as grpc.node.example:${GRPC_PORT}, with grpcs:// or grpc:// before it to say whether it encrypts.`,
      },
    );
  }
  if (PLAIN_GRPC.test(text)) {
    if (!allowInsecure && !isLoopback(host)) {
      throw new DualstackError(
        `${where} is not encrypted: grpc://${host}:${port}`,
        {
          network,
          fix: `Use grpcs://, or set dualstack.${kind}.allowInsecure: true if you know the way to that host to be safe.`,
        },
      );
    }
    return `grpc://${user}${host}:${port}`;
  }
  return `${SAFE_GRPC.test(text) ? "grpcs://" : ""}${user}${host}:${port}`;
}

/** An endpoint's address as it may be shown: without user, password and query. */
export const shownAddress = (address: string): string =>
  address.includes("://") ? shownUrl(address) : grpcTarget(address).host;

/**
 * What an address of gRPC says. Without `grpcs://` or `grpc://` it is
 * encrypted unless the host is this machine.
 *
 * @example grpcTarget("grpc://10.0.0.5:9090") // { host: "10.0.0.5:9090", tls: false, user: "" }
 */
export function grpcTarget(address: string): {
  readonly host: string;
  readonly tls: boolean;
  /** `user:password` as it stands in the address, or empty. */
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

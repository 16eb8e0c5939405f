import { parseAddress } from "../address/index.js";
import { type ChainFacts, FAUCET_GRANT } from "../chain/index.js";
import { DualstackError } from "../support/errors.js";
import {
  type HttpAnswer,
  HttpError,
  httpExchange,
  shownUrl,
} from "../support/http.js";
import { cleanText } from "../support/text.js";
import { parseAmount } from "../support/units.js";
import { bodyJson, type FaucetOutcome, statusText } from "./outcome.js";
import { custom } from "./presets/custom.js";
import { PRESETS } from "./presets/index.js";
import type { FaucetProtocol, FaucetRequest, Wish } from "./protocol.js";
import type { FaucetUserSettings } from "./settings.js";
import type { FaucetToken } from "./token.js";

/** Some faucets answer only once the transfer is in a block, which may take a few. */
const TIMEOUT_MS = 60_000;
const DISCOVERY_TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

export interface FaucetOptions {
  readonly url: string;
  readonly settings?: FaucetUserSettings;
  readonly token: FaucetToken;
  /** The recipient in any form. */
  readonly address: string;
  readonly facts: ChainFacts;
  /** The network's name, for errors. */
  readonly network?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface FaucetAnswer {
  /** The protocol that the faucet speaks. */
  readonly protocol: string;
  readonly outcome: FaucetOutcome;
}

/**
 * Asks a faucet for tokens, once: if the answer is lost, the tokens may have
 * been granted. The recipient is written in the form that the protocol takes.
 *
 * @throws DualstackError for a malformed address, or if the protocol cannot be
 * found out
 */
export async function askFaucet(options: FaucetOptions): Promise<FaucetAnswer> {
  const wish = wishOf(options);
  const found = await findProtocol(options);
  if ("outcome" in found) {
    return found;
  }
  const { name, request, classify } = found;
  const made = request(wish);
  if ("kind" in made) {
    return { protocol: name, outcome: made };
  }
  try {
    const answer = await send(options, made, options.timeoutMs ?? TIMEOUT_MS);
    return { protocol: name, outcome: classify(answer, wish) };
  } catch (error) {
    return { protocol: name, outcome: unreachable(error, true) };
  }
}

function wishOf({ address, facts, settings, token }: FaucetOptions): Wish {
  const { hex, account } = parseAddress(address, {
    prefix: facts.bech32Prefix,
    what: "recipient",
  });
  const currency = tokenOf(facts, token);
  const amount = settings?.amounts?.[token] ?? FAUCET_GRANT[token].toString();
  return {
    token,
    address: hex,
    bech32: account,
    denom: settings?.denoms?.[token] ?? currency.baseDenom,
    amount,
    baseUnits: parseAmount(amount, currency),
    explicit:
      settings?.denoms?.[token] !== undefined ||
      settings?.amounts?.[token] !== undefined,
  };
}

/** Symbol, decimals and base denomination of one of the faucet's tokens. */
export function tokenOf(facts: ChainFacts, token: FaucetToken) {
  const { currency, baseDenom, stableToken } = facts;
  if (token === "native") {
    return { symbol: currency.symbol, decimals: currency.decimals, baseDenom };
  }
  if (stableToken === undefined) {
    throw new DualstackError("the test stable token is not configured", {
      fix: "Set dualstack.stableToken in the Hardhat configuration, or DUALSTACK_STABLE_TOKEN_ADDRESS or DUALSTACK_STABLE_TOKEN_DENOM.",
    });
  }
  const { symbol, decimals, denom } = stableToken;
  return { symbol, decimals, baseDenom: denom ?? symbol.toLowerCase() };
}

async function findProtocol(
  options: FaucetOptions,
): Promise<FaucetProtocol | FaucetAnswer> {
  const { settings, network } = options;
  const protocol = settings?.protocol ?? "auto";
  if (protocol === "custom") {
    return custom(settings?.request ?? {});
  }
  if (protocol !== "auto") {
    return PRESETS[protocol];
  }
  const tried = await Promise.all(
    Object.values(PRESETS).map(
      async (preset) => await recognise(preset, options),
    ),
  );
  const found = tried.find(({ recognised }) => recognised);
  if (found !== undefined) {
    const outcome = found.preset.discovery?.obstacle?.(found.json);
    return outcome === undefined
      ? found.preset
      : { protocol: found.preset.name, outcome };
  }
  const described = tried.filter(({ preset }) => preset.discovery);
  const [failure] = described.flatMap(({ failure }) => failure ?? []);
  if (
    failure !== undefined &&
    described.every((attempt) => attempt.failure !== undefined)
  ) {
    return { protocol: "auto", outcome: failure };
  }
  throw new DualstackError(
    "the faucet speaks no protocol that the plugin knows",
    {
      network,
      endpoint: shownUrl(options.url),
      fix: `Set dualstack.testnet.faucet.protocol to one of ${Object.keys(PRESETS).join(", ")}, or to custom with a request.`,
    },
  );
}

interface Attempt {
  readonly preset: FaucetProtocol;
  readonly recognised: boolean;
  readonly json?: unknown;
  /** Why the protocol is not known: nobody, or only a gateway, answered. */
  readonly failure?: FaucetOutcome;
}

async function recognise(
  preset: FaucetProtocol,
  options: FaucetOptions,
): Promise<Attempt> {
  const { discovery } = preset;
  if (discovery === undefined) {
    return { preset, recognised: false };
  }
  try {
    const answer = await send(
      options,
      { method: "GET", path: discovery.path },
      DISCOVERY_TIMEOUT_MS,
    );
    const json = bodyJson(answer);
    return {
      preset,
      json,
      recognised: answer.status === 200 && discovery.recognise(json),
      ...(answer.status >= 500
        ? { failure: { kind: "failing", text: statusText(answer) } }
        : {}),
    };
  } catch (error) {
    return { preset, recognised: false, failure: unreachable(error, false) };
  }
}

async function send(
  { url, network, signal }: FaucetOptions,
  { method, path, headers, body }: FaucetRequest,
  timeoutMs: number,
): Promise<HttpAnswer> {
  return await httpExchange({
    url: `${url.replace(/\/+$/, "")}${path.startsWith("?") || path.startsWith("/") || path === "" ? "" : "/"}${path}`,
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    name: "the faucet",
    network,
    timeoutMs,
    maxBytes: MAX_BYTES,
    signal,
  });
}

/** @param asked whether it was asked for tokens and may have granted them */
function unreachable(error: unknown, asked: boolean): FaucetOutcome {
  if (!(error instanceof HttpError)) {
    throw error;
  }
  const kind =
    error.fault === "too-large" || error.fault === "redirect"
      ? "failing"
      : "unreachable";
  return {
    kind,
    text: cleanText(error.reason),
    ...(asked && error.fault !== "unreachable" ? { mayHaveGranted: true } : {}),
  };
}

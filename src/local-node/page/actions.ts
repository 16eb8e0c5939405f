import { parseAddress } from "../../address/index.js";
import { FAUCET_GRANT, type StableToken } from "../../chain/facts.js";
import { isRecord, toQuantity } from "../../rpc/quantities.js";
import type { DualChain } from "../chain.js";
import type { LocalFaucet } from "../faucet.js";
import { grouped, shortened, spanText, timeText } from "./state/display.js";
import { DONE, REFUSED } from "./texts.js";

/** Refuses an action whose request is wrong. */
export class WrongAction extends Error {}

/** What actions act on, and the tokens' names for their reports. */
export interface ActionContext {
  readonly chain: DualChain;
  readonly faucet: LocalFaucet;
  readonly symbol: string;
  readonly stable: StableToken;
}

type Given = Readonly<Record<string, unknown>>;

const DAY = 86_400n;

function textIn(given: Given, name: string): string {
  const value = given[name];
  if (typeof value !== "string" || value === "" || value.length > 200) {
    throw new WrongAction(REFUSED.field(name));
  }
  return value;
}

/** Advances the chain's time by a request, and reports how far. */
async function advance(
  { chain }: ActionContext,
  method: string,
  params: readonly unknown[],
): Promise<string> {
  const before = chain.head.time;
  const answer = await chain.request({ method, params });
  const { time } = chain.head;
  return answer === null
    ? DONE.nothingDue
    : DONE.advanced(spanText(time - before), timeText(time));
}

async function pause(
  { chain }: ActionContext,
  paused: boolean,
): Promise<string> {
  if (chain.blockTimeMs === 0) throw new WrongAction(REFUSED.notPausable);
  chain.setPaused(paused);
  return await Promise.resolve(paused ? DONE.paused : DONE.resumed);
}

async function grant(
  { chain, faucet, symbol, stable }: ActionContext,
  given: Given,
): Promise<string> {
  const { hex } = parseAddress(textIn(given, "address").trim(), {
    prefix: chain.prefix,
  });
  // While blocks are paused, each grant mines one.
  const stop = chain.paused
    ? chain.onPending(() => void chain.mine().catch(() => undefined))
    : () => undefined;
  try {
    for (const denom of [chain.denom, stable.symbol]) {
      const { status, body } = await faucet.credit(
        JSON.stringify({ address: hex, denom }),
      );
      if (status !== 200) throw new WrongAction(String(body));
    }
  } finally {
    stop();
  }
  return DONE.granted(
    `${FAUCET_GRANT.native} ${symbol} and ${grouped(FAUCET_GRANT.stable)} ${stable.symbol}`,
    shortened(hex),
  );
}

/** The actions of the page's buttons by name; each returns its report. */
const ACTIONS: Readonly<
  Record<string, (context: ActionContext, given: Given) => Promise<string>>
> = {
  mine: async ({ chain }) => {
    await chain.mine();
    return DONE.mined(grouped(chain.height));
  },
  pause: async (context) => await pause(context, true),
  resume: async (context) => await pause(context, false),
  day: async (context) =>
    await advance(context, "dualstack_advance", [toQuantity(DAY)]),
  maturity: async (context) =>
    await advance(context, "dualstack_advanceToNextDue", []),
  voteEnd: async (context, given) => {
    const id = textIn(given, "proposal");
    await advance(context, "dualstack_advanceToVoteEnd", [id]);
    return DONE.voteEnded(id, timeText(context.chain.head.time));
  },
  slash: async ({ chain }, given) => {
    const percent = textIn(given, "percent").trim();
    const [, whole = "", fraction = ""] =
      /^(\d{1,3})(?:\.(\d{1,16}))?$/.exec(percent) ?? [];
    if (whole === "") throw new WrongAction(REFUSED.field("percent"));
    const jail = given["jail"] === true;
    const digits = whole.padStart(3, "0");
    await chain.request({
      method: "dualstack_slashValidator",
      params: [
        textIn(given, "operator"),
        `${digits.slice(0, 1)}.${digits.slice(1)}${fraction}`,
        jail,
      ],
    });
    return DONE.slashed(nameIn(given), percent, jail);
  },
  unjail: async ({ chain }, given) => {
    await chain.request({
      method: "dualstack_unjailValidator",
      params: [textIn(given, "operator")],
    });
    return DONE.unjailed(nameIn(given));
  },
  grant,
};

const nameIn = (given: Given) => textIn(given, "name");

/**
 * Runs the action of a button.
 *
 * @returns its report to the user
 * @throws Error with a reason for the user when the action is refused
 */
export async function act(
  context: ActionContext,
  given: unknown,
): Promise<string> {
  const name = isRecord(given) ? given["act"] : undefined;
  if (
    !isRecord(given) ||
    typeof name !== "string" ||
    !Object.hasOwn(ACTIONS, name)
  ) {
    throw new WrongAction(REFUSED.unknownAct);
  }
  return (await ACTIONS[name]?.(context, given)) ?? "";
}

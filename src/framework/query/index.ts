import {
  type ChainFacts,
  isNetworkKind,
  type NetworkKind,
} from "../../chain/facts.js";
import { variableName } from "../../chain/variables.js";
import { cleanText, errorText } from "../../support/text.js";
import { FrameworkError, heightInFuture } from "../errors.js";
import { checkHeight } from "../height.js";
import type { PrecompileReader } from "../precompile-reader.js";
import type { RestClient } from "../rest.js";
import type { QueryOptions, Rpc } from "../services.js";
import * as bank from "./bank.js";
import * as distribution from "./distribution.js";
import * as governance from "./governance.js";
import type { Question, QuestionContext, Way } from "./question.js";
import { WAYS } from "./question.js";
import * as staking from "./staking.js";

export * from "./answers.js";
export { everyItem, type Question, type Way, WAYS } from "./question.js";

/** All questions, by module. To add one, add a line. */
export const QUESTIONS = {
  staking: {
    validators: staking.validators,
    validator: staking.validator,
    delegation: staking.delegation,
    delegations: staking.delegations,
    unbonding: staking.unbonding,
    unbondings: staking.unbondings,
    redelegations: staking.redelegations,
    pool: staking.pool,
    params: staking.stakingParams,
  },
  distribution: {
    rewards: distribution.rewards,
    totalRewards: distribution.totalRewards,
    commission: distribution.commission,
    outstandingRewards: distribution.outstandingRewards,
    communityPool: distribution.communityPool,
    withdrawAddress: distribution.withdrawAddress,
  },
  governance: {
    proposals: governance.proposals,
    proposal: governance.proposal,
    votes: governance.votes,
    vote: governance.vote,
    deposits: governance.deposits,
    tally: governance.tally,
    params: governance.governanceParams,
  },
  bank: { balance: bank.balance, balances: bank.balances },
} as const;

type Modules = typeof QUESTIONS;

type Asked<question, Options> =
  question extends Question<infer Args, infer Answer>
    ? Record<never, never> extends Args
      ? (args?: Args, options?: Options) => Promise<Answer>
      : (args: Args, options?: Options) => Promise<Answer>
    : never;

/** The questions as functions. */
export type Queries<Options> = {
  readonly [module in keyof Modules]: {
    readonly [name in keyof Modules[module]]: Asked<
      Modules[module][name],
      Options
    >;
  };
};

export interface AskOptions extends QueryOptions {
  /** Default: the first that is configured of REST, node RPC, gRPC, precompile. */
  readonly via?: Way;
}

/** How to ask each way; absent if no endpoint is configured. */
export interface WaysOfAsking {
  readonly rest?: () => Pick<RestClient, "fields">;
  readonly grpc?: (options: QueryOptions) => Rpc;
  readonly abci?: (options: QueryOptions) => Rpc;
  readonly precompile?: () => PrecompileReader;
}

const PREFERRED: readonly Way[] = ["rest", "abci", "grpc", "precompile"];

const NEEDED: Readonly<Record<Way, string>> = {
  rest: "restUrl",
  grpc: "grpcHost",
  abci: "nodeRpcUrl",
  precompile: "evmUrl",
};

/**
 * Asks a question one way. A refusal that means "there is none" becomes the
 * question's empty answer.
 */
export async function askQuestion<Args, Answer>(
  question: Question<Args, Answer>,
  args: Args,
  options: AskOptions,
  ways: WaysOfAsking,
  {
    facts,
    network,
    kind,
  }: {
    readonly facts: ChainFacts;
    readonly network: string;
    readonly kind: NetworkKind | "local" | "other";
  },
): Promise<Answer> {
  const { via: wanted, ...query } = options;
  checkHeight(options.height);
  if (wanted !== undefined && !WAYS.includes(wanted)) {
    throw new FrameworkError(
      `"${cleanText(String(wanted), 40)}" is not a way to ask for the ${question.title}`,
      {
        network,
        fault: "invalid-request",
        fix: `Give one of these as via: ${WAYS.join(", ")}.`,
      },
    );
  }
  const via =
    wanted ??
    PREFERRED.find(
      (way) =>
        ways[way] !== undefined &&
        (way !== "precompile" || question.precompile !== undefined),
    );
  const context: QuestionContext = { facts, height: options.height };
  const { rest, grpc, abci, precompile } = ways;
  try {
    if (via === "rest" && rest !== undefined) {
      const client = rest();
      return await question.rest(
        async (path, params) => await client.fields(path, { ...query, params }),
        args,
        context,
      );
    }
    if (via === "grpc" && grpc !== undefined) {
      return await question.protobuf(grpc(query), args, context);
    }
    if (via === "abci" && abci !== undefined) {
      return await question.protobuf(abci(query), args, context);
    }
    if (via === "precompile" && precompile !== undefined) {
      if (question.precompile === undefined) {
        throw new FrameworkError(
          `no precompile provides the ${question.title}`,
          {
            network,
            fault: "refused",
            fix: "Ask by REST, gRPC or the node RPC.",
          },
        );
      }
      return await question.precompile(precompile(), args, context);
    }
  } catch (error) {
    const { height } = options;
    if (
      height !== undefined &&
      via === "precompile" &&
      BEYOND_THE_HEAD.test(errorText(error)) &&
      (await precompile?.().isBeyondHead(height)) === true
    ) {
      throw heightInFuture(height, { network, cause: error });
    }
    const { missing } = question;
    if (
      missing !== undefined &&
      error instanceof FrameworkError &&
      missing.text.test(error.serverText)
    ) {
      return missing.answer;
    }
    throw error;
  }
  const able = WAYS.filter(
    (way) => way !== "precompile" || question.precompile !== undefined,
  );
  const names = (via === undefined ? able : [via]).map((way) => NEEDED[way]);
  const fix = isNetworkKind(kind)
    ? `Configure dualstack.${kind}.baseUrl, or ${names.join(" or ")} alone (or ${names.map((name) => variableName(name, kind)).join(", ")}).`
    : "Ask the precompiles, or a network that has endpoints, such as the one that dualstack node runs.";
  throw new FrameworkError(
    `no endpoint is configured to ask for the ${question.title}${via === undefined ? "" : ` by ${via}`}`,
    {
      network,
      fault: "unavailable",
      fix,
    },
  );
}

/** What the EVM's side answers for a height whose state it does not have, for whatever reason. */
const BEYOND_THE_HEAD =
  /header not found|current blockchain height|in the future/i;

/** The questions as functions that ask through `ask`. */
export function queriesBy<Options>(
  ask: <Args, Answer>(
    question: Question<Args, Answer>,
    args: Args,
    options: Options | undefined,
  ) => Promise<Answer>,
): Queries<Options> {
  const bound = Object.entries(QUESTIONS).map(([module, questions]) => [
    module,
    Object.fromEntries(
      Object.entries(questions).map(([name, question]) => [
        name,
        async (args: object = {}, options?: Options) =>
          await ask(question as Question<object, unknown>, args, options),
      ]),
    ),
  ]);
  return Object.fromEntries(bound) as Queries<Options>;
}

// The schema of `dualstack.localnet`, used when the configuration is validated.

import { z } from "zod";

import { parseAddress } from "../../address/codec.js";
import { DualstackError } from "../../support/errors.js";
import {
  AMOUNT_FORMS,
  amountText,
  isKey,
  RATE_FORMS,
  rateText,
} from "./quantities.js";

const amount = (what: string) =>
  z
    .union([z.string(), z.bigint()], {
      errorMap: () => ({ message: `${what} ${AMOUNT_FORMS}` }),
    })
    .superRefine((value, context) => {
      const wrong = amountText(value);
      if (wrong !== undefined)
        context.addIssue({ code: "custom", message: `${what} ${wrong}` });
    });

const rate = (what: string, max = 1) =>
  z
    .union([z.string(), z.number()], {
      errorMap: () => ({ message: `${what} ${RATE_FORMS}` }),
    })
    .superRefine((value, context) => {
      const wrong = rateText(value, max);
      if (wrong !== undefined)
        context.addIssue({ code: "custom", message: `${what} ${wrong}` });
    });

const seconds = (what: string) =>
  z
    .number({ invalid_type_error: `${what} must be a number of seconds` })
    .int(`${what} must be whole seconds`)
    .positive(`${what} must be more than 0 seconds`)
    .max(4_000_000_000, `${what} is longer than a century`);

const text = (max: number) =>
  z.string().max(max, `must have at most ${max} characters`);

const operator = z.string().superRefine((value, context) => {
  const prefix = /^(.+)valoper1/.exec(value)?.[1];
  try {
    parseAddress(value, {
      what: "operator",
      ...(prefix === undefined ? {} : { prefix }),
    });
  } catch (error) {
    context.addIssue({
      code: "custom",
      message: DualstackError.is(error) ? error.reason : String(error),
    });
  }
});

/** A validator in the configuration or in a request's parameters. */
export const validatorSchema = z
  .object({
    operator,
    moniker: text(70).min(1, "must not be empty").optional(),
    stake: amount("the stake").optional(),
    commission: z
      .object({
        rate: rate("the commission").optional(),
        maxRate: rate("the maximum commission").optional(),
        maxChangeRate: rate("the change of the commission").optional(),
      })
      .strict()
      .optional(),
    minSelfDelegation: amount("the minimum self-delegation").optional(),
    pubkey: z
      .string()
      .refine(isKey, "must be an ed25519 key: 32 bytes in base64")
      .optional(),
    identity: text(3000).optional(),
    website: text(140).optional(),
    securityContact: text(140).optional(),
    details: text(280).optional(),
  })
  .strict();

const governance = z
  .object({
    votingPeriod: seconds("the voting period").optional(),
    expeditedVotingPeriod: seconds("the expedited voting period").optional(),
    depositPeriod: seconds("the deposit period").optional(),
    minDeposit: amount("the minimum deposit").optional(),
    expeditedMinDeposit: amount(
      "the minimum deposit of expedited proposals",
    ).optional(),
    quorum: rate("the quorum").optional(),
    threshold: rate("the threshold").optional(),
    expeditedThreshold: rate("the threshold of expedited proposals").optional(),
    vetoThreshold: rate("the threshold of the veto").optional(),
    minInitialDepositRatio: rate("the ratio").optional(),
    minDepositRatio: rate("the ratio").optional(),
    proposalCancelRatio: rate("the ratio").optional(),
    proposalCancelDest: z.string().optional(),
    burnVoteQuorum: z.boolean().optional(),
    burnProposalDepositPrevote: z.boolean().optional(),
    burnVoteVeto: z.boolean().optional(),
    constitution: z.string().optional(),
    ignoreUnknownMessages: z.boolean().optional(),
  })
  .strict();

/**
 * What can be checked without the chain's Bech32 prefix; `validateLocalnet`
 * checks the rest.
 */
export const localnetSchema = z
  .object({
    networks: z.record(z.boolean()).optional(),
    state: z.string().min(1, "must be the name of a file").optional(),
    bech32Prefix: z
      .string()
      .regex(/^[a-z][a-z0-9]{0,40}$/, "must be lower-case letters and digits")
      .optional(),
    denom: z
      .string()
      .regex(
        /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/,
        "must be a denomination of 3 to 128 characters",
      )
      .optional(),
    validators: z
      .array(validatorSchema)
      .min(1, "must have at least one validator")
      .max(1000)
      .optional(),
    unbondingTime: seconds("the unbonding time").optional(),
    maxValidators: z.number().int().min(1).max(10_000).optional(),
    maxEntries: z.number().int().min(1).max(1000).optional(),
    longestWait: seconds("the longest wait").optional(),
    rewardRate: rate("the reward rate", 1000).optional(),
    slashing: z
      .object({
        downtimeFraction: rate("the fraction").optional(),
        downtimeJailDuration: seconds("the time in jail").optional(),
      })
      .strict()
      .optional(),
    governance: governance.optional(),
  })
  .strict();

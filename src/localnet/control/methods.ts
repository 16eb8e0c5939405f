// Serves the `dualstack_…` JSON-RPC methods, which control the emulated chain.

import { z } from "zod";

import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import type { LocalnetControl } from "./control.js";
import type { ValidatorUserSettings } from "../settings/settings.js";

const WHOLE =
  "must be a whole number: a quantity, a decimal string or a number";

type Method = (params: readonly unknown[]) => Promise<unknown>;

const validator = z.string({
  required_error: "is missing",
  invalid_type_error: "must be a string",
});
const rate = z.union([z.string(), z.number()], {
  errorMap: () => ({ message: 'must be a decimal string such as "0.05"' }),
});
const flag = z.boolean({ invalid_type_error: "must be true or false" });
const whole = z
  .union([z.string(), z.number()], { errorMap: () => ({ message: WHOLE }) })
  .refine(
    (value) =>
      typeof value === "string"
        ? /^(?:0x[0-9a-fA-F]+|\d+)$/.test(value)
        : Number.isSafeInteger(value) && value >= 0,
    WHOLE,
  );
/**
 * Base units as a quantity (0x…), or whole tokens as a decimal string ("1.5").
 */
const amount = z.string({
  required_error: "is missing",
  invalid_type_error: "must be a string",
});

const fromAmount = (text: string) =>
  /^0x[0-9a-fA-F]+$/.test(text) ? BigInt(text) : text;

/**
 * JSON has no bigint, so that a validator's amounts are strings like all
 * others.
 */
const validatorFields = z
  .object({ stake: amount.optional(), minSelfDelegation: amount.optional() })
  .passthrough();

/** Defines a method: the names and schema of its parameters, and its action. */
function method<
  const names extends readonly string[],
  shape extends z.ZodTuple<[] | [z.ZodTypeAny, ...z.ZodTypeAny[]]>,
>(
  names: names,
  schema: shape,
  required: number,
  run: (control: LocalnetControl, params: z.infer<shape>) => Promise<unknown>,
): (control: LocalnetControl, name: string) => Method {
  return (control, name) => async (params) => {
    const usage = `${name} [${names.map((each, index) => (index < required ? each : `${each}?`)).join(", ")}]`;
    if (params.length > names.length || params.length < required) {
      throw new DualstackError(
        `${name} takes ${required === names.length ? required : `${required} to ${names.length}`} parameters, not ${params.length}`,
        {
          fix: `Call ${usage}.`,
        },
      );
    }
    const padded = names.map((_, index) => params[index] ?? undefined);
    const result = schema.safeParse(padded);
    if (!result.success) {
      const [issue] = result.error.issues;
      const [index, ...rest] = issue?.path ?? [];
      const which = [names[Number(index)] ?? "a parameter", ...rest].join(".");
      throw new DualstackError(
        `${name}: ${which} ${cleanText(issue?.message ?? "is wrong")}`,
        { fix: `Call ${usage}.` },
      );
    }
    return await run(control, result.data as z.infer<shape>);
  };
}

const done = async (work: Promise<unknown>) => {
  await work;
  return true;
};

const METHODS = {
  dualstack_state: method([], z.tuple([]), 0, async (control) =>
    quantities(await control.state()),
  ),
  dualstack_advance: method(
    ["seconds"],
    z.tuple([whole]),
    1,
    (control, [seconds]) => done(control.advance(BigInt(seconds))),
  ),
  dualstack_advanceToNextDue: method([], z.tuple([]), 0, async (control) =>
    quantity(await control.advanceToNextDue()),
  ),
  dualstack_advanceToVoteEnd: method(
    ["proposal"],
    z.tuple([whole]),
    1,
    async (control, [proposal]) =>
      quantity(await control.advanceToVoteEnd(BigInt(proposal))),
  ),
  dualstack_addValidator: method(
    ["validator"],
    z.tuple([validatorFields]),
    1,
    (control, [{ stake, minSelfDelegation, ...rest }]) =>
      done(
        control.addValidator({
          ...rest,
          ...(stake === undefined ? {} : { stake: fromAmount(stake) }),
          ...(minSelfDelegation === undefined
            ? {}
            : { minSelfDelegation: fromAmount(minSelfDelegation) }),
        } as unknown as ValidatorUserSettings),
      ),
  ),
  dualstack_slashValidator: method(
    ["valoper", "fraction", "jail", "infractionHeight"],
    z.tuple([validator, rate.optional(), flag.optional(), whole.optional()]),
    1,
    (control, [valoper, fraction, jail, height]) =>
      done(
        control.slash(valoper, {
          ...(fraction === undefined ? {} : { fraction }),
          ...(jail === undefined ? {} : { jail }),
          ...(height === undefined ? {} : { infractionHeight: BigInt(height) }),
        }),
      ),
  ),
  dualstack_jailValidator: method(
    ["valoper"],
    z.tuple([validator]),
    1,
    (control, [valoper]) => done(control.jail(valoper)),
  ),
  dualstack_unjailValidator: method(
    ["valoper"],
    z.tuple([validator]),
    1,
    (control, [valoper]) => done(control.unjail(valoper)),
  ),
  dualstack_setRewardRate: method(
    ["rate"],
    z.tuple([rate]),
    1,
    (control, [value]) => done(control.setRewardRate(value)),
  ),
  dualstack_depositRewards: method(
    ["valoper", "amount"],
    z.tuple([validator, amount]),
    2,
    (control, [valoper, text]) =>
      done(control.depositRewards(valoper, fromAmount(text))),
  ),
} as const;

/** The methods' names. */
export const CONTROL_METHODS = Object.keys(
  METHODS,
) as readonly (keyof typeof METHODS)[];

/**
 * Returns the handler of a control method, or `undefined` for any other name.
 */
export function controlMethod(
  control: LocalnetControl,
  name: string,
): Method | undefined {
  return Object.hasOwn(METHODS, name)
    ? METHODS[name as keyof typeof METHODS](control, name)
    : undefined;
}

const quantity = (value: bigint | undefined) =>
  value === undefined ? null : `0x${value.toString(16)}`;

const quantities = (state: object) =>
  Object.fromEntries(
    Object.entries(state).map(([name, value]) => [
      name,
      quantity(value as bigint | undefined),
    ]),
  );

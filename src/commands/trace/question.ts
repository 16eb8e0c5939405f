import type { Abi } from "abitype";

import type { CallRequest } from "../../localnet/request/calls.js";
import { isRecord, toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText, errorText } from "../../support/text.js";

/** A call that was never sent, as the user writes it. */
export interface CallQuestion {
  readonly from?: string;
  readonly to?: string;
  readonly data?: string;
  /** Base units. */
  readonly value?: string;
  /** Instead of `data`: a method by name or signature, with its arguments. */
  readonly method?: string;
  readonly args?: readonly unknown[];
  /** The block after which it runs; default: the newest. */
  readonly block?: bigint;
}

const FIELDS = ["from", "to", "data", "value", "method", "args", "block"];
const HINT =
  'Write it like --call \'{"from": "0x…", "to": "0x…", "method": "deposit()", "value": "1000000000000000000"}\', or with "data" instead of "method" and "args".';

/** Reads the JSON of `--call`. @throws DualstackError */
export function readQuestion(text: string): CallQuestion {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch (cause) {
    throw new DualstackError("--call is not JSON", { fix: HINT, cause });
  }
  if (!isRecord(fields)) {
    throw new DualstackError("--call is not an object", { fix: HINT });
  }
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) {
    throw new DualstackError(
      `--call has "${cleanText(unknown, 40)}", which is none of ${FIELDS.join(", ")}`,
      { fix: HINT },
    );
  }
  const { block, args, ...texts } = fields;
  const wrong = Object.entries(texts).find(
    ([, value]) => typeof value !== "string",
  );
  if (wrong !== undefined || (args !== undefined && !Array.isArray(args))) {
    throw new DualstackError(
      `"${wrong?.[0] ?? "args"}" of --call is not ${wrong === undefined ? "a list" : "a text"}`,
      { fix: HINT },
    );
  }
  return {
    ...(texts as Partial<
      Record<"from" | "to" | "data" | "value" | "method", string>
    >),
    ...(args === undefined ? {} : { args: args as readonly unknown[] }),
    ...(block === undefined ? {} : { block: blockOf(block) }),
  };
}

function blockOf(value: unknown): bigint {
  if (/^\d{1,15}$/.test(String(value))) return BigInt(String(value));
  throw new DualstackError('"block" of --call is not a block\'s number', {
    fix: HINT,
  });
}

/**
 * The call in the form of JSON-RPC.
 *
 * @param abis where methods are looked up by name
 */
export async function callOf(
  { from, to, data, value, method, args = [] }: CallQuestion,
  abis: readonly Abi[],
): Promise<CallRequest> {
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(value === undefined ? {} : { value: quantity(value) }),
    data:
      method === undefined ? (data ?? "0x") : await encoded(method, args, abis),
  };
}

function quantity(value: string): string {
  if (/^(?:\d{1,78}|0x[0-9a-f]{1,64})$/i.test(value)) {
    return toQuantity(BigInt(value));
  }
  throw new DualstackError(
    `"value" of --call is not a number of base units: ${cleanText(value, 40)}`,
    { fix: HINT },
  );
}

async function encoded(
  method: string,
  args: readonly unknown[],
  abis: readonly Abi[],
): Promise<string> {
  const { Interface } = await import("ethers");
  try {
    const codecs = method.includes("(")
      ? [new Interface([`function ${method}`])]
      : abis.map((abi) => new Interface(JSON.stringify(abi)));
    for (const codec of codecs) {
      const fragment = codec.getFunction(method.split("(")[0] ?? "", [...args]);
      if (fragment !== null) return codec.encodeFunctionData(fragment, args);
    }
  } catch (cause) {
    throw new DualstackError(
      `the arguments of ${cleanText(method, 80)} cannot be encoded: ${cleanText(errorText(cause), 200)}`,
      { fix: HINT, cause },
    );
  }
  throw new DualstackError(
    `no ABI has the method ${cleanText(method, 80)} with ${args.length} arguments`,
    {
      fix: "Give its full signature, such as deposit(address,uint256), or its ABI with --abi.",
    },
  );
}

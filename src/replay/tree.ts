import { delegateOf } from "../localnet/foresight/code.js";
import { delegatedPayerOf, shadowOf } from "../localnet/modules/accounts.js";
import type { Frame, Log } from "../localnet/foresight/trace.js";

/** A call as on the chain, where precompiles make no calls. */
export interface Call {
  /** `CALL`, `STATICCALL`, `DELEGATECALL`, `CREATE` and so on. */
  readonly type: string;
  readonly from: string;
  /** Absent if a contract creation failed early. */
  readonly to?: string;
  readonly input: string;
  readonly output: string;
  /** Base units. */
  readonly value: bigint;
  /** Gas given to the call. */
  readonly gas: bigint;
  readonly gasUsed: bigint;
  /** Why the call failed; absent if it succeeded. */
  readonly error?: string;
  readonly logs: readonly Required<Log>[];
  readonly calls: readonly Call[];
}

/** Returns an account's code at the newest block. */
export type CodeOf = (account: string) => Promise<string>;

/**
 * Builds the call tree of a transaction without the emulation's own calls, by
 * which precompiles call each other and accounts pay.
 *
 * @param precompiles addresses in lower case
 */
export async function treeOf(
  root: Frame,
  precompiles: ReadonlySet<string>,
  codeOf: CodeOf,
): Promise<Call> {
  const visit = async (frame: Frame, undone = false): Promise<Call> => {
    const real = await behindPayer(frame, codeOf);
    if (real !== undefined) {
      const { input, output, error, calls, logs } = await visit(real, undone);
      return {
        ...plain(frame),
        input,
        output,
        ...(error === undefined ? {} : { error }),
        calls,
        // A major of Hardhat may report the outermost frame's logs only.
        logs:
          undone || error !== undefined
            ? []
            : [...(frame.logs ?? []).map(whole), ...logs],
      };
    }
    const isPrecompile = frame.to !== undefined && precompiles.has(frame.to);
    const inner = isPrecompile ? [] : (frame.calls ?? []);
    const fails = undone || frame.error !== undefined;
    const logs = isPrecompile ? allLogs(frame) : (frame.logs ?? []);
    return {
      ...plain(frame),
      logs: fails ? [] : logs.map(whole),
      calls: await Promise.all(
        inner.map(async (one) => await visit(one, fails)),
      ),
    };
  };
  return await visit(root);
}

const plain = (frame: Frame) => ({
  type: frame.type,
  from: frame.from,
  ...(frame.to === undefined ? {} : { to: frame.to }),
  input: frame.input,
  output: frame.output ?? "0x",
  value: BigInt(frame.value ?? "0x0"),
  gas: BigInt(frame.gas ?? "0x0"),
  gasUsed: BigInt(frame.gasUsed ?? "0x0"),
  ...(frame.error === undefined ? {} : { error: frame.error }),
});

const whole = ({ address, topics = [], data = "0x" }: Log) => ({
  address: address.toLowerCase(),
  topics,
  data,
});

const allLogs = (frame: Frame): Log[] =>
  frame.error !== undefined
    ? []
    : [...(frame.logs ?? []), ...(frame.calls ?? []).flatMap(allLogs)];

/**
 * Returns the frame of a contract's own code, if the contract is replaced by a
 * paying proxy.
 */
async function behindPayer(
  frame: Frame,
  codeOf: CodeOf,
): Promise<Frame | undefined> {
  const { to } = frame;
  if (to === undefined || passedOn(frame) === undefined) return undefined;
  const code = await codeOf(to);
  const targets = [shadowOf(code), delegateOf(code)];
  const ours = targets.flatMap((target) =>
    target === undefined ? [] : [target, delegatedPayerOf(target)],
  );
  let real: Frame | undefined;
  for (
    let inner = passedOn(frame);
    inner?.to !== undefined && ours.includes(inner.to);
    inner = passedOn(inner)
  ) {
    real = inner;
  }
  return real;
}

/**
 * Returns a frame's only call, if that is a DELEGATECALL with the frame's
 * calldata.
 */
function passedOn({ input, calls = [] }: Frame): Frame | undefined {
  const [inner] = calls;
  return calls.length === 1 &&
    inner?.type === "DELEGATECALL" &&
    inner.input === input
    ? inner
    : undefined;
}

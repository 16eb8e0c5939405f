import type { Abi, AbiFunction } from "abitype";

import type { NetworkDescription } from "../../config/network-description.js";
import { type AbiCodec, abiCodec } from "../../framework/abi.js";
import {
  PRECOMPILE_NAMES,
  type PrecompileName,
} from "../../precompiles/index.js";
import { revertReason } from "../../precompiles/revert-reason.js";
import { selectorOf } from "../../precompiles/selector.js";
import type { Call } from "../../replay/tree.js";
import {
  type DecodedEvent,
  type DescribedContract,
  LogDecoder,
} from "../../framework/contracts.js";

/** An event that is in no known ABI. */
export interface RawEvent {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** A call, decoded as far as the ABIs allow. */
export interface ToldCall extends Omit<Call, "logs" | "calls"> {
  /** The name of the contract or precompile. */
  readonly contract?: string;
  readonly method?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** By the results' names; unnamed ones by their position. */
  readonly results?: Readonly<Record<string, unknown>>;
  /** Why it failed, as the contract puts it. */
  readonly reason?: string;
  readonly events: readonly (
    | (DecodedEvent & { readonly address: string })
    | RawEvent
  )[];
  readonly calls: readonly ToldCall[];
}

interface Known {
  readonly name: string;
  readonly selectors: ReadonlySet<string>;
  readonly codec: Promise<AbiCodec<Abi>>;
}

/** What the codes of `Panic` mean. */
const PANICS: Readonly<Record<string, string>> = {
  "1": "an assertion failed",
  "17": "arithmetic overflow or underflow",
  "18": "division by zero",
  "33": "a value out of range for its enum",
  "49": "pop() on an empty array",
  "50": "array index out of bounds",
  "65": "too much memory allocated",
};

/**
 * Decodes calls: those of precompiles by their addresses, those of contracts
 * wherever one of their methods is called.
 */
export class TreeDecoder {
  readonly #precompiles = new Map<string, Known>();
  readonly #contracts: readonly Known[];
  readonly #logs: LogDecoder;

  constructor(
    network: Pick<NetworkDescription, "precompiles">,
    abis: { readonly [name in PrecompileName]: Abi },
    contracts: readonly DescribedContract[],
  ) {
    for (const name of PRECOMPILE_NAMES) {
      const address = network.precompiles[name].toLowerCase();
      this.#precompiles.set(address, known({ name, abi: abis[name] }));
    }
    this.#contracts = contracts.map(known);
    this.#logs = new LogDecoder(network.precompiles, abis, contracts);
  }

  async tell(root: Call): Promise<ToldCall> {
    const contracts = this.#contractsIn(root);
    const tell = async (call: Call): Promise<ToldCall> => {
      const { logs, calls, ...plain } = call;
      const isCreation = call.type.startsWith("CREATE");
      const contract = contracts.get(call.to ?? "");
      const codec = await contract?.codec;
      const decoded = isCreation ? undefined : codec?.decodeCall(call.input);
      const results =
        decoded === undefined || call.error !== undefined
          ? undefined
          : codec?.decodeResults(decoded.method, call.output);
      const reason =
        call.error === undefined
          ? undefined
          : reasonIn(call.output, codec, call.error);
      return {
        ...plain,
        ...(contract === undefined ? {} : { contract: contract.name }),
        ...(decoded === undefined
          ? {}
          : { method: decoded.method, args: decoded.args }),
        ...(results === undefined ? {} : { results }),
        ...(reason === undefined ? {} : { reason }),
        events: await Promise.all(
          logs.map(async (log) => {
            const event = await this.#logs.decode(log);
            return event === undefined
              ? log
              : { ...event, address: log.address };
          }),
        ),
        calls: await Promise.all(calls.map(tell)),
      };
    };
    return await tell(root);
  }

  /** Which contract each account is: the known one that has most of the methods called there. */
  #contractsIn(root: Call): ReadonlyMap<string, Known> {
    const selectors = new Map<string, Set<string>>();
    const visit = ({ to, input, type, calls }: Call) => {
      if (to !== undefined && !type.startsWith("CREATE")) {
        const called = selectors.get(to) ?? new Set();
        selectors.set(to, called.add(input.slice(0, 10)));
      }
      calls.forEach(visit);
    };
    visit(root);
    const found = new Map<string, Known>();
    for (const [account, called] of selectors) {
      let most = 0;
      const precompile = this.#precompiles.get(account);
      for (const one of precompile === undefined ? this.#contracts : []) {
        const count = [...called].filter((x) => one.selectors.has(x)).length;
        if (count > most) {
          most = count;
          found.set(account, one);
        }
      }
      if (precompile !== undefined) found.set(account, precompile);
    }
    return found;
  }
}

const known = ({ name, abi }: DescribedContract): Known => {
  let codec: Promise<AbiCodec<Abi>> | undefined;
  return {
    name,
    selectors: new Set(
      abi
        .filter((one): one is AbiFunction => one.type === "function")
        .map(selectorOf),
    ),
    get codec() {
      return (codec ??= abiCodec<Abi>(abi));
    },
  };
};

function reasonIn(
  output: string,
  codec: AbiCodec<Abi> | undefined,
  error: string,
): string {
  const text = revertReason(output);
  if (text !== undefined) return text;
  const decoded = codec?.decodeError(output);
  if (decoded === undefined) return error;
  const { method, args } = decoded;
  if (method === "Panic") {
    const code = String(Object.values(args)[0]);
    return `panic ${code}: ${PANICS[code] ?? "of another kind"}`;
  }
  const values = Object.values(args).map(String).join(", ");
  return `${method}(${values})`;
}

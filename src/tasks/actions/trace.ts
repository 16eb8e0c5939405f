import { readFile } from "node:fs/promises";
import path from "node:path";

import type { Abi } from "abitype";

import { trace } from "../../commands/trace/index.js";
import { readQuestion } from "../../commands/trace/question.js";
import { isRecord } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import { precompileAbis } from "../abis.js";
import type { DescribedContract } from "../../framework/contracts.js";
import { action } from "../host.js";

interface TraceArguments {
  readonly hash: string | undefined;
  readonly call: string | undefined;
  readonly abi: string | undefined;
  readonly depth: string | undefined;
  readonly gas: boolean;
  readonly fromBlockStart: boolean;
}

export default action(
  async (
    { hash, call, abi, depth, gas, fromBlockStart }: TraceArguments,
    host,
  ) => {
    const levels = levelsOf(depth);
    const what = whatOf(hash, call);
    const files = (abi ?? "").split(",").filter((file) => file !== "");
    const given = await Promise.all(
      files.map(async (file) => await contractIn(file, host.projectRoot)),
    );
    return await trace(
      {
        source: await host.replaySource(),
        what,
        abis: precompileAbis(host.config),
        // ABIs that the user names come first.
        contracts: [...given, ...(await host.knownContracts())],
        gas,
        fromBlockStart,
        ...(levels === undefined ? {} : { depth: levels }),
      },
      host.ui,
    );
  },
);

function whatOf(hash: string | undefined, call: string | undefined) {
  if (call !== undefined && hash === undefined) {
    return { call: readQuestion(call) };
  }
  if (hash !== undefined && call === undefined) return { hash };
  throw new DualstackError(
    hash === undefined
      ? "there is nothing to trace"
      : "a hash and --call were both given",
    { fix: "Give a transaction's hash, or --call." },
  );
}

function levelsOf(depth: string | undefined): number | undefined {
  if (depth === undefined || depth === "") return undefined;
  if (/^[1-9]\d{0,3}$/.test(depth)) return Number(depth);
  throw new DualstackError(
    `--depth "${cleanText(depth, 20)}" is not a number of levels of 1 or more`,
  );
}

/** The ABI in a file: a JSON list, or an artifact. */
async function contractIn(
  file: string,
  root: string,
): Promise<DescribedContract> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path.resolve(root, file), "utf8"));
  } catch (cause) {
    throw new DualstackError(
      `the ABI in ${cleanText(file, 200)} cannot be read`,
      { fix: "Give the path of a JSON file.", cause },
    );
  }
  const abi = isRecord(content) ? content.abi : content;
  if (!Array.isArray(abi) || !abi.every(isRecord)) {
    throw new DualstackError(`${cleanText(file, 200)} has no ABI`, {
      fix: "Give a JSON list of ABI entries, or an artifact.",
    });
  }
  const name =
    isRecord(content) && typeof content.contractName === "string"
      ? content.contractName
      : path.basename(file).replace(/\.json$/i, "");
  return { name: cleanText(name, 60), abi: abi as unknown as Abi };
}

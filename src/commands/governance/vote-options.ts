import { VOTE_OPTIONS } from "../../framework/query/answers.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import { formatUnits } from "../../support/units.js";

/** The options as people write them, with the chain's numbers. */
export const OPTION_NUMBERS = {
  yes: VOTE_OPTIONS.indexOf("VOTE_OPTION_YES"),
  abstain: VOTE_OPTIONS.indexOf("VOTE_OPTION_ABSTAIN"),
  no: VOTE_OPTIONS.indexOf("VOTE_OPTION_NO"),
  no_with_veto: VOTE_OPTIONS.indexOf("VOTE_OPTION_NO_WITH_VETO"),
} as const;
export type VoteOptionName = keyof typeof OPTION_NUMBERS;

export interface WeightedOption {
  readonly option: VoteOptionName;
  /** A decimal text, such as `0.6`. */
  readonly weight: string;
}

const ONE = 10n ** 18n;
const NAMES = Object.keys(OPTION_NUMBERS).join(", ");
const FIX = `Write one of ${NAMES}, or weights that add up to 1: "yes=0.6,no=0.4".`;

/**
 * Reads a vote: one option, or several with weights.
 *
 * @throws DualstackError for an unknown option, or weights that do not add up
 * to 1
 * @example parseVote("yes=0.6,no=0.4")
 */
export function parseVote(text: string): readonly WeightedOption[] {
  if (!text.includes("=")) {
    return [{ option: parseOption(text), weight: "1" }];
  }
  let sum = 0n;
  const options = text.split(",").map((part) => {
    const [name = "", weight = "", ...rest] = part.split("=");
    const digits = /^\s*([01]?)(?:\.(\d{1,18}))?\s*$/.exec(weight);
    const [, whole = "", fraction = ""] = digits ?? [];
    const value = BigInt(`0${whole}${fraction.padEnd(18, "0")}`);
    if (rest.length > 0 || value === 0n) {
      throw new DualstackError(
        `"${cleanText(part, 60)}" is not an option with a weight above 0`,
        { fix: FIX },
      );
    }
    sum += value;
    return { option: parseOption(name), weight: formatUnits(value, 18) };
  });
  if (new Set(options.map(({ option }) => option)).size < options.length) {
    throw new DualstackError("an option is given twice", { fix: FIX });
  }
  if (sum !== ONE) {
    throw new DualstackError(
      `the weights add up to ${formatUnits(sum, 18)} instead of 1`,
      { fix: FIX },
    );
  }
  return options;
}

/** @example voteText(parseVote("yes=0.6,no=0.4")) // "0.6 yes, 0.4 no" */
export const voteText = (options: readonly WeightedOption[]): string =>
  options.length === 1
    ? optionText(options[0]?.option ?? "")
    : options
        .map(({ option, weight }) => `${weight} ${optionText(option)}`)
        .join(", ");

const optionText = (option: string) => option.replaceAll("_", " ");

function parseOption(text: string): VoteOptionName {
  const wanted = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]/g, "");
  const found = (Object.keys(OPTION_NUMBERS) as VoteOptionName[]).find(
    (name) =>
      name.replaceAll("_", "") === wanted ||
      `voteoption${name.replaceAll("_", "")}` === wanted,
  );
  if (found === undefined) {
    throw new DualstackError(`there is no option "${cleanText(text, 40)}"`, {
      fix: FIX,
    });
  }
  return found;
}

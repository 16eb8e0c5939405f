import { DualstackError } from "../../support/errors.js";
import { isRecord } from "../../rpc/quantities.js";
import { cleanText, errorText } from "../../support/text.js";

/** A proposal's file; `json` is what the chain reads. */
export interface ProposalFile {
  readonly title: string;
  readonly expedited: boolean;
  /** Type URLs of its messages, in order. */
  readonly messages: readonly string[];
  /** As files for the framework's own command line have it. */
  readonly deposit?: string;
  /** What goes to the chain, in UTF-8. */
  readonly json: Uint8Array;
}

const EXAMPLE =
  'It has the form {"messages": [{"@type": "/…", …}], "metadata": "", "title": "…", "summary": "…"}.';

/**
 * Reads a proposal's file, so that mistakes are found before they cost
 * anything.
 *
 * @param file its name, for errors
 * @throws DualstackError naming the field that is missing or wrong
 */
export function parseProposal(text: string, file: string): ProposalFile {
  const wrong = (what: string, cause?: unknown) =>
    new DualstackError(`the proposal in ${file} ${what}`, {
      fix: EXAMPLE,
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(`is not JSON: ${errorText(error)}`, error);
  }
  if (!isRecord(value) || Array.isArray(value)) {
    throw wrong("is not a JSON object");
  }
  const { deposit, ...content } = value;
  const { title, summary, metadata = "", expedited = false } = content;
  const messages = content["messages"] ?? [];
  if (typeof title !== "string" || title.trim() === "") {
    throw wrong("has no title");
  }
  if (typeof summary !== "string" || summary.trim() === "") {
    throw wrong("has no summary");
  }
  if (typeof metadata !== "string") {
    throw wrong("has metadata that is not a string");
  }
  if (typeof expedited !== "boolean") {
    throw wrong('has an "expedited" that is neither true nor false');
  }
  if (!Array.isArray(messages)) {
    throw wrong("has messages that are not a list");
  }
  const types = messages.map((message: unknown, index) => {
    const type = isRecord(message) ? message["@type"] : undefined;
    if (typeof type !== "string" || !type.startsWith("/")) {
      throw wrong(
        `has no "@type" that begins with "/" in message ${index + 1}`,
      );
    }
    return cleanText(type);
  });
  if (types.length === 0 && metadata === "") {
    throw wrong("has neither messages nor metadata");
  }
  if (deposit !== undefined && typeof deposit !== "string") {
    throw wrong("has a deposit that is not a string");
  }
  return {
    title: cleanText(title),
    expedited,
    messages: types,
    ...(deposit === undefined || deposit === "" ? {} : { deposit }),
    // The deposit is passed on its own. Otherwise the text is kept as written,
    // since parsing would round large numbers.
    json: new TextEncoder().encode(
      deposit === undefined ? text : JSON.stringify(content),
    ),
  };
}

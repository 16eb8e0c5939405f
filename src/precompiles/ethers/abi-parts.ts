import type { AbiCoder, ParamType } from "ethers";

/** Hexadecimal digits of a word. */
const WORD = 64;
const OFFSET_OF_ONE = "20".padStart(WORD, "0");

/**
 * Decodes values one by one, and lists of structs entry by entry: ethers
 * copies all that follows for each text in it, which for a list of validators
 * takes half a second.
 *
 * @returns `undefined` for what has another layout than usual, which is left to ethers
 * @throws an error of ethers for bytes that do not have the types' shape
 */
export function decodeParts(
  types: readonly ParamType[],
  data: string,
  coder: AbiCoder,
): unknown[] | undefined {
  const digits = data.slice(2);
  if (
    !types.some(isListOfStructs) ||
    !types.every(hasOneWord) ||
    digits.length % WORD !== 0 ||
    digits.length < types.length * WORD
  ) {
    return undefined;
  }
  const decodeAt = (type: ParamType, text: string): unknown =>
    coder.decode([type], `0x${OFFSET_OF_ONE}${text}`)[0];
  const values: unknown[] = [];
  for (const [i, type] of types.entries()) {
    const head = digits.slice(i * WORD, (i + 1) * WORD);
    if (!isDynamic(type)) {
      values.push(coder.decode([type], `0x${head}`)[0]);
      continue;
    }
    const body = from(digits, head);
    if (body === undefined) {
      return undefined;
    }
    if (!isListOfStructs(type)) {
      values.push(decodeAt(type, body));
      continue;
    }
    const entries = entriesOf(body);
    if (entries === undefined) {
      return undefined;
    }
    values.push(entries.map((entry) => decodeAt(type.arrayChildren, entry)));
  }
  return values;
}

/** The entries of a list, each until the next one begins; `undefined` where they do not follow each other. */
function entriesOf(list: string): string[] | undefined {
  const length = wordOf(list.slice(0, WORD));
  const rest = list.slice(WORD);
  if (length === undefined || length * WORD > rest.length) {
    return undefined;
  }
  const starts = Array.from({ length }, (_, i) =>
    position(rest.slice(i * WORD, (i + 1) * WORD)),
  );
  const entries: string[] = [];
  for (const [i, start] of starts.entries()) {
    const next = i + 1 === length ? rest.length : starts[i + 1];
    if (start === undefined || next === undefined || next <= start) {
      return undefined;
    }
    entries.push(rest.slice(start, next));
  }
  return entries;
}

const from = (digits: string, head: string): string | undefined => {
  const start = position(head);
  return start === undefined || start >= digits.length
    ? undefined
    : digits.slice(start);
};

/** Where an offset in bytes leads, in digits. */
function position(word: string): number | undefined {
  const bytes = wordOf(word);
  return bytes === undefined ? undefined : bytes * 2;
}

/** A small number; `undefined` for one that no length or offset can be. */
function wordOf(word: string): number | undefined {
  const value = Number.parseInt(word, 16);
  return word.length === WORD && value <= Number.MAX_SAFE_INTEGER / WORD
    ? value
    : undefined;
}

const isListOfStructs = (
  type: ParamType,
): type is ParamType & { readonly arrayChildren: ParamType } =>
  type.isArray() &&
  type.arrayLength === -1 &&
  type.arrayChildren.isTuple() &&
  isDynamic(type.arrayChildren);

/** Whether a value stands behind an offset. */
const isDynamic = (type: ParamType): boolean =>
  type.type === "string" ||
  type.type === "bytes" ||
  (type.isArray() &&
    (type.arrayLength === -1 || isDynamic(type.arrayChildren))) ||
  (type.isTuple() && type.components.some(isDynamic));

const hasOneWord = (type: ParamType): boolean =>
  isDynamic(type) || (!type.isArray() && !type.isTuple());

/** Kinds of text in an answer, as software that reads it distinguishes them. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["nothing", /^$/],
  ["integer", /^-?\d+$/],
  ["decimal", /^-?\d+\.\d{18}$/],
  ["time", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ["duration", /^[\d.]+s$/],
  ["hex", /^0x[0-9a-fA-F]*$/],
  ["capitals", /^(?:[0-9A-F]{2}){16,}$/],
  ["account", /^cosmos1[0-9a-z]+$/],
  ["operator", /^cosmosvaloper1[0-9a-z]+$/],
  ["consensus address", /^cosmosvalcons1[0-9a-z]+$/],
  ["name", /^[A-Z]+(?:_[A-Z0-9]+)+$/],
  ["type", /^\/[a-z0-9.]+\.[A-Za-z]+$/],
];

/** Events are distinguished by their types. */
const eventType = (item: unknown): string =>
  typeof item === "object" &&
  item !== null &&
  "attributes" in item &&
  "type" in item
    ? String(item.type)
    : "";

const kindOf = (text: string): string =>
  KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? "text";

/** Kinds of an answer's leaves, by path. All items of a list share one path. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the kinds at each path: keys, types and units, without the values.
 */
export function shapeOf(value: unknown): Shape {
  const shape = new Map<string, Set<string>>();
  const add = (path: string, kind: string) => {
    const kinds = shape.get(path) ?? new Set();
    shape.set(path, kinds.add(kind));
  };
  const walk = (at: unknown, path: string): void => {
    if (Array.isArray(at)) {
      if (at.length === 0) add(path, "empty list");
      else for (const item of at) walk(item, `${path}[${eventType(item)}]`);
    } else if (typeof at === "object" && at !== null) {
      if (Object.keys(at).length === 0) add(path, "empty object");
      // Attributes of events are distinguished by name.
      const { key: name, value: said } = at as Record<string, unknown>;
      if (
        path.endsWith(".attributes[]") &&
        typeof name === "string" &&
        typeof said === "string"
      ) {
        add(`${path}.${name}`, "text");
        return;
      }
      for (const [key, item] of Object.entries(at))
        walk(item, `${path}.${key}`);
    } else {
      add(
        path,
        typeof at === "string" ? kindOf(at) : at === null ? "null" : typeof at,
      );
    }
  };
  walk(value, "");
  return shape;
}

/**
 * Lists how an answer differs in shape from the recorded one, by path. Lists
 * may be empty in either.
 */
export function differences(here: unknown, recorded: unknown): string[] {
  const [mine, theirs] = [shapeOf(here), shapeOf(recorded)];
  const isEmpty = (shape: Shape, path: string) =>
    [...shape].some(
      ([at, kinds]) => kinds.has("empty list") && path.startsWith(`${at}[]`),
    );
  const found: string[] = [];
  for (const path of new Set([...mine.keys(), ...theirs.keys()])) {
    const [a, b] = [mine.get(path), theirs.get(path)];
    if (a === undefined && !isEmpty(mine, path)) {
      const isList =
        b?.has("empty list") &&
        [...mine.keys()].some((at) => at.startsWith(`${path}[]`));
      if (!isList) found.push(`${path} is missing`);
    } else if (b === undefined && !isEmpty(theirs, path)) {
      const isList =
        a?.has("empty list") &&
        [...theirs.keys()].some((at) => at.startsWith(`${path}[]`));
      if (!isList) found.push(`${path} is too much`);
    } else if (a !== undefined && b !== undefined) {
      const strange = [...a].filter((kind) => !b.has(kind));
      if (strange.length > 0) {
        found.push(
          `${path} is ${strange.join(", ")} instead of ${[...b].join(", ")}`,
        );
      }
    }
  }
  return found;
}

/** Masks what may differ in a text, such as heights and gas. */
export const masked = (text: string): string =>
  text
    .replace(/[0-9a-fA-F]{64}/g, "#")
    .replace(/\d{2,}/g, "#")
    .replace(
      /page should be within \[1, \d+\]/,
      "page should be within [1, #]",
    );

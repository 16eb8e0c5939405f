import type { AbiParameter } from "abitype";

import { parseAddress } from "../../address/index.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText, errorText } from "../../support/text.js";

/** The parameters of a contract's constructor; none if it has no constructor. */
export function constructorOf(abi: readonly unknown[]): {
  readonly inputs: readonly AbiParameter[];
  readonly payable: boolean;
} {
  const found = abi.find(
    (entry): entry is { inputs?: AbiParameter[]; stateMutability?: string } =>
      typeof entry === "object" &&
      entry !== null &&
      "type" in entry &&
      entry.type === "constructor",
  );
  return {
    inputs: found?.inputs ?? [],
    payable: found?.stateMutability === "payable",
  };
}

/**
 * Constructor arguments as people write them, encoded for the ABI. Numbers are
 * decimal or hex, addresses in any form, arrays and tuples JSON.
 *
 * @returns the encoded arguments, as hex without 0x
 * @throws DualstackError naming the parameter
 */
export async function encodeArguments(
  contract: string,
  inputs: readonly AbiParameter[],
  texts: readonly string[],
  bech32Prefix: string,
): Promise<string> {
  if (texts.length !== inputs.length) {
    const list = inputs.map(describe).join(", ");
    throw new DualstackError(
      `the constructor of ${contract} takes ${count(inputs.length)}${list === "" ? "" : ` (${list})`}, but ${texts.length} ${texts.length === 1 ? "was" : "were"} given`,
      {
        fix: "Quote arrays, tuples and texts with spaces. Put arguments that begin with a minus after --.",
      },
    );
  }
  const { AbiCoder, ParamType } = await import("ethers");
  const coder = AbiCoder.defaultAbiCoder();
  const values = inputs.map((input, index) => {
    const path = input.name || `argument ${index + 1}`;
    const value = fromText(input, texts[index] ?? "", path, bech32Prefix);
    try {
      coder.encode([ParamType.from(input)], [value]);
    } catch (error) {
      throw wrong(path, input.type, texts[index], shortReason(error));
    }
    return value;
  });
  return coder
    .encode(
      inputs.map((input) => ParamType.from(input)),
      values,
    )
    .slice(2);
}

const count = (n: number) =>
  n === 0 ? "no arguments" : n === 1 ? "1 argument" : `${n} arguments`;

const describe = ({ name, type }: AbiParameter) =>
  name === undefined || name === "" ? type : `${name} ${type}`;

// A text from the command line; only arrays and tuples are parsed as JSON.
function fromText(
  parameter: AbiParameter,
  text: string,
  path: string,
  prefix: string,
): unknown {
  const { type } = parameter;
  if (!type.endsWith("]") && !type.startsWith("tuple")) {
    return scalar(type, text, path, prefix);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw wrong(path, type, text, "it is not JSON", jsonExample(type));
  }
  return fromJson(parameter, json, path, prefix);
}

function fromJson(
  parameter: AbiParameter,
  value: unknown,
  path: string,
  prefix: string,
): unknown {
  const { type } = parameter;
  const array = /^(.*)\[(\d*)\]$/.exec(type);
  if (array !== null) {
    const [, element = "", size = ""] = array;
    if (!Array.isArray(value)) {
      throw wrong(path, type, value, "it is not a list", jsonExample(type));
    }
    if (size !== "" && value.length !== Number(size)) {
      throw wrong(
        path,
        type,
        value,
        `it has ${value.length} entries instead of ${size}`,
      );
    }
    return value.map((entry, index) =>
      fromJson(
        { ...parameter, type: element },
        entry,
        `${path}[${index}]`,
        prefix,
      ),
    );
  }
  if (type === "tuple") {
    return fromTuple(parameter, value, path, prefix);
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw wrong(
      path,
      type,
      value,
      "a number of this size is not exact in JSON",
      "Put it in quotes.",
    );
  }
  if (!["string", "number", "boolean"].includes(typeof value)) {
    throw wrong(path, type, value, "it is neither a string nor a number");
  }
  return scalar(type, String(value), path, prefix);
}

function fromTuple(
  parameter: AbiParameter,
  value: unknown,
  path: string,
  prefix: string,
): unknown[] {
  const components =
    "components" in parameter
      ? (parameter.components as readonly AbiParameter[])
      : [];
  const fields = components.map(describe).join(", ");
  if (Array.isArray(value)) {
    if (value.length !== components.length) {
      throw wrong(
        path,
        parameter.type,
        value,
        `it has ${value.length} fields instead of ${components.length} (${fields})`,
      );
    }
    return components.map((component, index) =>
      fromJson(
        component,
        value[index],
        `${path}.${component.name || index}`,
        prefix,
      ),
    );
  }
  if (typeof value !== "object" || value === null) {
    throw wrong(
      path,
      parameter.type,
      value,
      `it is neither a list nor an object of (${fields})`,
    );
  }
  const given = new Map<string, unknown>(Object.entries(value));
  const unknown = [...given.keys()].find(
    (key) => !components.some(({ name }) => name === key),
  );
  if (unknown !== undefined) {
    throw wrong(
      path,
      parameter.type,
      value,
      `it has no field "${cleanText(unknown, 40)}", only (${fields})`,
    );
  }
  return components.map((component) => {
    const name = component.name ?? "";
    if (!given.has(name)) {
      throw wrong(
        path,
        parameter.type,
        value,
        `the field "${name}" is missing`,
      );
    }
    return fromJson(component, given.get(name), `${path}.${name}`, prefix);
  });
}

function scalar(
  type: string,
  text: string,
  path: string,
  prefix: string,
): unknown {
  if (type === "address") {
    try {
      return parseAddress(text, { prefix }).hex;
    } catch (error) {
      throw wrong(
        path,
        type,
        text,
        DualstackError.is(error) ? error.reason : errorText(error),
        DualstackError.is(error) ? error.fix : undefined,
      );
    }
  }
  if (type === "bool") {
    if (text !== "true" && text !== "false") {
      throw wrong(path, type, text, "it is neither true nor false");
    }
    return text === "true";
  }
  if (/^u?int/.test(type)) {
    const digits = text.trim().replaceAll("_", "");
    if (!/^-?(?:\d+|0x[0-9a-fA-F]+)$/.test(digits)) {
      throw wrong(path, type, text, "it is not a whole number");
    }
    return digits.startsWith("-") ? -BigInt(digits.slice(1)) : BigInt(digits);
  }
  if (type.startsWith("bytes")) {
    if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(text)) {
      throw wrong(
        path,
        type,
        text,
        "it is not 0x followed by pairs of hex digits",
      );
    }
    return text;
  }
  return text;
}

function wrong(
  path: string,
  type: string,
  value: unknown,
  reason: string,
  fix?: string,
): DualstackError {
  const shown = cleanText(
    typeof value === "string" ? value : JSON.stringify(value),
    80,
  );
  return new DualstackError(
    `the constructor's ${path} (${type}) cannot be "${shown}": ${reason}`,
    fix === undefined ? {} : { fix },
  );
}

function jsonExample(type: string): string {
  return type.endsWith("]")
    ? `Write a list as JSON, in quotes: '["1", "2"]'.`
    : `Write a tuple as JSON, in quotes: '{"field": "value"}'.`;
}

function shortReason(error: unknown): string {
  const short =
    error instanceof Error && "shortMessage" in error
      ? error.shortMessage
      : undefined;
  return typeof short === "string"
    ? cleanText(short, 160)
    : errorText(error, 160);
}

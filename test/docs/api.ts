import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

import ts from "typescript";

import { QUESTIONS } from "../../src/framework/query/index.js";
import {
  PRECOMPILE_NAMES,
  type PrecompileName,
} from "../../src/precompiles/index.js";
import { ROOT } from "../package/package.js";
import { declarationsOf, testFunctions } from "./solidity.js";

/*
 * Makes the lists of members in docs/api.md from the public types and their
 * docstrings. Each stands between `<!-- members of NAME -->` and `<!-- end -->`.
 *
 *   npm run docs     writes them
 */

export const PAGE = path.join(ROOT, "docs/api.md");

interface Member {
  readonly name: string;
  /** What it takes and returns. */
  readonly signature: string;
  /** Its docstring; empty if it has none. */
  readonly text: string;
  /** Whether it returns a promise or a stream, which may fail. */
  readonly isAsync?: boolean;
}

/** The source of each list: a type and its file, or a file with all its exports. */
const TYPES: Readonly<Record<string, readonly [file: string, type?: string]>> =
  {
    "connection.dualstack": ["src/connection/types.ts", "DualstackConnection"],
    "connection.dualstack.network": [
      "src/config/network-description.ts",
      "NetworkDescription",
    ],
    "connection.dualstack.localnet": ["src/testing/types.ts", "Localnet"],
    "connection.dualstack.events": [
      "src/framework/events/client.ts",
      "EventsClient",
    ],
    "connection.dualstack.nodeRpc": [
      "src/framework/node-rpc/client.ts",
      "NodeRpcClient",
    ],
    "connection.dualstack.rest": ["src/framework/rest-modules.ts", "Rest"],
    "connection.dualstack.grpc": ["src/framework/grpc.ts", "GrpcClient"],
    FrameworkSender: ["src/framework/node-rpc/sender.ts", "FrameworkSender"],
    "hardhat-dualstack/chain": ["src/chain/index.ts"],
    "hardhat-dualstack/address": ["src/address/index.ts"],
    "hardhat-dualstack/precompiles": ["src/precompiles/index.ts"],
  };

/** The types of answers to questions. */
const ANSWERS = "src/framework/query/answers.ts";

const FLAGS =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.WriteArrowStyleSignature;

/** Returns every list, by its name. */
export function memberLists(): ReadonlyMap<string, readonly Member[]> {
  const { config } = ts.readConfigFile(
    path.join(ROOT, "tsconfig.json"),
    (file) => ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const fileOf = (file: string) => path.join(ROOT, file);
  const program = ts.createProgram({
    rootNames: [ANSWERS, ...Object.values(TYPES).map(([file]) => file)].map(
      fileOf,
    ),
    options,
  });
  const checker = program.getTypeChecker();
  const exportsOf = (file: string) => {
    const source = program.getSourceFile(fileOf(file));
    const module = source && checker.getSymbolAtLocation(source);
    return module === undefined ? [] : checker.getExportsOfModule(module);
  };

  const lists = Object.entries(TYPES).map(([name, [file, type]]) => {
    const symbols =
      type === undefined
        ? exportsOf(file)
        : exportsOf(file)
            .filter((symbol) => symbol.name === type)
            .flatMap((symbol) =>
              checker.getDeclaredTypeOfSymbol(symbol).getProperties(),
            );
    const members = symbols
      .filter(({ name: each }) => !each.includes("#"))
      .map((symbol) => memberOf(checker, symbol));
    return [name, members] as const;
  });
  const [clients] = exportsOf("src/framework/clients.ts").filter(
    ({ name }) => name === "FrameworkClients",
  );
  const query =
    clients && checker.getDeclaredTypeOfSymbol(clients).getProperty("query");
  if (query === undefined) {
    throw new Error("FrameworkClients has no `query`");
  }
  const queries = checker.getTypeOfSymbol(query);
  return new Map<string, readonly Member[]>([
    ...lists,
    ["connection.dualstack.query", questions(checker, queries)],
    ["answers", exportsOf(ANSWERS).flatMap((each) => answerOf(checker, each))],
    ["Dualstack", testFunctions().map(testMember)],
    ...PRECOMPILE_NAMES.map(
      (name) => [`connection.precompiles.${name}`, functionsOf(name)] as const,
    ),
  ]);
}

function memberOf(checker: ts.TypeChecker, given: ts.Symbol): Member {
  const symbol =
    (given.flags & ts.SymbolFlags.Alias) === 0
      ? given
      : checker.getAliasedSymbol(given);
  const { name } = given;
  const declaration = symbol.declarations?.[0];
  const text = [
    ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    ...symbol
      .getJsDocTags(checker)
      .filter((tag) => ["param", "returns", "throws"].includes(tag.name))
      .map((tag) => tagText(tag)),
  ];
  const isType =
    (symbol.flags & (ts.SymbolFlags.Value | ts.SymbolFlags.Property)) === 0;
  const signatures =
    isType || declaration === undefined
      ? []
      : checker
          .getTypeOfSymbolAtLocation(symbol, declaration)
          .getCallSignatures();
  const [first] = signatures;
  const signature = first === undefined ? name : shown(checker, name, first);
  return {
    name,
    signature: isType ? `type ${signature}` : signature,
    isAsync:
      first !== undefined &&
      /^(?:Promise|AsyncGenerator)\b/.test(
        checker.typeToString(first.getReturnType()),
      ),
    text: text
      .filter((part) => part !== "")
      .join(" ")
      .replace(/\s+/g, " "),
  };
}

/** Writes a signature with its types if that is short, else with names alone. */
function shown(
  checker: ts.TypeChecker,
  name: string,
  signature: ts.Signature,
): string {
  const written =
    name +
    checker
      .signatureToString(signature, undefined, FLAGS)
      .replace(" => ", ": ");
  const whole = written
    .replace(/\?: ([^,()]+) \| undefined/g, "?: $1")
    .replace(/\{[^{}]*\}\??: /, "options?: ")
    .replaceAll("`0x${string}`", "string");
  const names = signature.parameters.map((parameter) => {
    const declaration = parameter.valueDeclaration;
    const isOptional =
      declaration !== undefined &&
      ts.isParameter(declaration) &&
      (declaration.questionToken ?? declaration.initializer) !== undefined;
    return (
      parameter.name.replace(/^__\d+$/, "options") + (isOptional ? "?" : "")
    );
  });
  return whole.length > 110 ||
    /import\(|__\d|</.test(whole.replaceAll("Promise<", ""))
    ? `${name}(${names.join(", ")})`
    : whole;
}

const WORDS: Readonly<Record<string, string>> = {
  returns: "Returns",
  throws: "Throws",
};

function tagText({ name, text }: ts.JSDocTagInfo): string {
  const said = ts.displayPartsToString(text).replace(/^-\s*/, "");
  return name === "param"
    ? `\`${said.replace(/^(\S+)\s*/, "$1`: ")}.`
    : `${WORDS[name]} ${said.replace(/^(HardhatPluginError|DualstackError|FrameworkError|RangeError|TypeError)/, "`$1`")}.`;
}

/** Returns the type of an answer, with its fields and their docstrings. */
function answerOf(checker: ts.TypeChecker, symbol: ts.Symbol): Member[] {
  if ((symbol.flags & ts.SymbolFlags.Interface) === 0) {
    return [];
  }
  const docs = (of: ts.Symbol) =>
    ts
      .displayPartsToString(of.getDocumentationComment(checker))
      .replace(/\s+/g, " ");
  const fields = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
  const names = fields.map(
    ({ name, flags }) => name + (flags & ts.SymbolFlags.Optional ? "?" : ""),
  );
  return [
    {
      name: symbol.name,
      signature: `${symbol.name} { ${names.join(", ")} }`,
      text: [
        docs(symbol),
        ...fields
          .filter((field) => docs(field) !== "")
          .map((field) => `\`${field.name}\`: ${docs(field)}`),
      ]
        .filter((part) => part !== "")
        .join(" "),
    },
  ];
}

/** Returns the questions, with the fields that each takes. */
function questions(checker: ts.TypeChecker, queries: ts.Type): Member[] {
  return queries.getProperties().flatMap((module) =>
    checker
      .getTypeOfSymbol(module)
      .getProperties()
      .map(({ name }): Member => {
        const property = checker.getTypeOfSymbol(module).getProperty(name);
        const [signature] =
          property === undefined
            ? []
            : checker.getTypeOfSymbol(property).getCallSignatures();
        const [args] = signature?.parameters ?? [];
        const fields =
          args === undefined
            ? []
            : checker
                .getNonNullableType(checker.getTypeOfSymbol(args))
                .getProperties()
                .map(
                  (field) =>
                    field.name +
                    (field.flags & ts.SymbolFlags.Optional ? "?" : ""),
                );
        const all: Readonly<
          Record<string, Readonly<Record<string, { readonly title: string }>>>
        > = QUESTIONS;
        const answer =
          signature === undefined
            ? ""
            : checker
                .typeToString(signature.getReturnType(), undefined, FLAGS)
                .replace(/^Promise<(.*)>$/, "$1")
                .replace(/readonly /g, "");
        return {
          name: `${module.name}.${name}`,
          signature: `${module.name}.${name}(${fields.length === 0 ? "" : `{ ${fields.join(", ")} }`})`,
          text: `The ${all[module.name]?.[name]?.title ?? ""}, as \`${answer}\`.`,
        };
      }),
  );
}

const testMember = ({
  name,
  takes,
  gives,
  text,
}: ReturnType<typeof testFunctions>[number]): Member => ({
  name,
  signature: `Dualstack.${name}(${takes})`,
  text: `${text.replace(/\{(\w+)\}/g, "`$1`")}${gives === "" ? "" : ` Returns \`${gives}\`.`}`,
});

/** Returns the functions of a precompile, its events, then the structs that they take and return. */
function functionsOf(precompile: PrecompileName): Member[] {
  const declared = declarationsOf(precompile);
  const isRead = (isView: boolean) => isView || precompile === "bech32";
  return [
    ...declared
      .filter(({ kind }) => kind === "function")
      .map(({ name, takes, gives, isView, text }) => ({
        name,
        signature: `${name}(${takes})`,
        text: (isRead(isView)
          ? `Returns \`${gives}\`. ${text}`
          : `A transaction. ${text}`
        ).trim(),
      })),
    ...declared
      .filter(({ kind }) => kind === "event")
      .map(({ name, takes, text }) => ({
        name: `event ${name}`,
        signature: `event ${name}(${takes})`,
        text: text === "" ? "An event." : text,
      })),
    ...declared
      .filter(({ kind }) => kind === "struct")
      .map(({ name, takes, text }) => ({
        name: `struct ${name}`,
        signature: `struct ${name} { ${takes} }`,
        text: text === "" ? "A part of the above." : text,
      })),
  ];
}

const BEGIN = /<!-- members of (\S+) -->\n.*?<!-- end -->/gs;

/** Returns the page with its lists as they must be now. */
export function withMembers(page: string, lists = memberLists()): string {
  return page.replace(BEGIN, (_, name: string) => {
    const members = lists.get(name) ?? [];
    const lines = members.map(
      ({ signature, text }) => `- \`${signature}\`: ${text}`,
    );
    return `<!-- members of ${name} -->\n\n${lines.join("\n")}\n\n<!-- end -->`;
  });
}

/** Returns the names of the lists on a page. */
export const listedIn = (page: string): string[] =>
  [...page.matchAll(BEGIN)].map(([, name]) => String(name));

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await writeFile(PAGE, withMembers(await readFile(PAGE, "utf8")));
}

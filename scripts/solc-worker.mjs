/**
 * The Solidity compiler in a worker: takes inputs in JSON, and answers each.
 *
 * The compiler's WebAssembly calls whatever may throw through a function in
 * JavaScript that catches (`invoke_…`), millions of times, which takes a third
 * of its time. WebAssembly can catch by now. So a small module stands in for
 * these functions; it calls through a copy of the compiler's function table.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";

/** Functions that take and give 32-bit integers, as all frequent ones do: `v` or `i` for what it gives, an `i` for each that it takes. */
const INVOKE = /^invoke_([vi])(i*)$/;

const I32 = 0x7f;
const FUNCTIONS = 0x70;
const NOTHING = 0x40;
const OP = {
  try: 0x06,
  catchAll: 0x19,
  end: 0x0b,
  call: 0x11,
  get: 0x20,
  set: 0x21,
  number: 0x41,
};

/** Tables of the module: the compiler's functions, and the helpers below. */
const TABLE = { compiler: 0, helpers: 1 };
/** What the compiler exports to catch with. Places in their table, and numbers of their types. */
const HELPERS = { stackSave: 0, stackRestore: 1, _setThrew: 2 };

/** A number as WebAssembly writes it. */
function leb(number) {
  return number < 0x80
    ? [number]
    : [(number & 0x7f) | 0x80, ...leb(number >>> 7)];
}
const list = (items) => [...leb(items.length), ...items.flat()];
const sized = (bytes) => [...leb(bytes.length), ...bytes];
const section = (id, items) => [id, ...sized(list(items))];
const type = (takes, gives) => [
  0x60,
  ...list(Array(takes).fill([I32])),
  ...list(Array(gives).fill([I32])),
];
const exported = (name, kind, index) => [
  ...sized([...Buffer.from(name)]),
  kind,
  ...leb(index),
];
const callHelper = (place) => [
  ...[OP.number, place],
  ...[OP.call, place, TABLE.helpers],
];

/**
 * Does what Emscripten's function of this name does: calls the function at the
 * place that its first argument names, with the others. If that throws, it
 * restores the stack, and notes it for its caller.
 */
function invoke(takes, gives, calledType) {
  const stack = takes + 1;
  const code = [
    ...list([[1, I32]]),
    ...[...callHelper(HELPERS.stackSave), OP.set, ...leb(stack)],
    ...[OP.try, gives === 1 ? I32 : NOTHING],
    ...Array.from({ length: takes }, (_, i) => [OP.get, ...leb(i + 1)]).flat(),
    ...[OP.get, 0, OP.call, ...leb(calledType), TABLE.compiler],
    OP.catchAll,
    ...[OP.get, ...leb(stack), ...callHelper(HELPERS.stackRestore)],
    ...[OP.number, 1, OP.number, 0, ...callHelper(HELPERS._setThrew)],
    ...(gives === 1 ? [OP.number, 0] : []),
    ...[OP.end, OP.end],
  ];
  return sized(code);
}

/** The module with functions of these names, as an instance's exports. */
function instantiate(names) {
  const functions = names.map((name, i) => {
    const [, gives, takes] = INVOKE.exec(name);
    return {
      name,
      takes: takes.length,
      gives: gives === "i" ? 1 : 0,
      calledType: Object.keys(HELPERS).length + 2 * i,
    };
  });
  const bytes = [
    ...[...Buffer.from("\0asm"), 1, 0, 0, 0],
    ...section(1, [
      ...[type(0, 1), type(1, 0), type(2, 0)],
      ...functions.flatMap(({ takes, gives }) => [
        type(takes, gives),
        type(takes + 1, gives),
      ]),
    ]),
    ...section(
      3,
      functions.map(({ calledType }) => leb(calledType + 1)),
    ),
    ...section(4, [
      [FUNCTIONS, 0, 0],
      [FUNCTIONS, 0, Object.keys(HELPERS).length],
    ]),
    ...section(7, [
      exported("table", 1, TABLE.compiler),
      exported("helpers", 1, TABLE.helpers),
      ...functions.map(({ name }, i) => exported(name, 0, i)),
    ]),
    ...section(
      10,
      functions.map(({ takes, gives, calledType }) =>
        invoke(takes, gives, calledType),
      ),
    ),
  ];
  return new Instance(new WebAssembly.Module(Uint8Array.from(bytes))).exports;
}

const { Instance } = WebAssembly;
const { set } = WebAssembly.Table.prototype;
let stand;
let original;

/** Has the copy of the table what the compiler's own has at a place. */
function copy(place) {
  const { table } = stand;
  if (place >= table.length) table.grow(original.length - table.length);
  set.call(table, place, original.get(place));
}

WebAssembly.Table.prototype.set = function (place, value) {
  set.call(this, place, value);
  if (this === original) copy(place);
};

WebAssembly.Instance = function (module, imports) {
  const [[from, functions]] = Object.entries(imports);
  const replaced = Object.entries(functions).filter(([, { name }]) =>
    INVOKE.test(name),
  );
  // What the compiler calls back comes in a module of its own.
  if (replaced.length === 0) return new Instance(module, imports);
  stand = instantiate([...new Set(replaced.map(([, { name }]) => name))]);
  const instance = new Instance(module, {
    [from]: {
      ...functions,
      ...Object.fromEntries(
        replaced.map(([key, { name }]) => [key, stand[name]]),
      ),
    },
  });
  for (const [name, place] of Object.entries(HELPERS))
    stand.helpers.set(place, instance.exports[shortNameOf(name)]);
  original = Object.values(instance.exports).find(
    (value) => value instanceof WebAssembly.Table,
  );
  for (let place = 0; place < original.length; place++) copy(place);
  return instance;
};

const require = createRequire(import.meta.url);
const source = readFileSync(require.resolve("solc/soljson.js"), "utf8");

/** What the compiler's WebAssembly calls an export; it needs those above before its script gives them their names. */
const shortNameOf = (name) =>
  new RegExp(`\\["${name}"\\] = asm\\["([^"]+)"\\]`).exec(source)[1];

const solc = require("solc");
parentPort.on("message", (input) =>
  parentPort.postMessage(solc.compile(input)),
);

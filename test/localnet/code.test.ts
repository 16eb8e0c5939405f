import assert from "node:assert/strict";
import { it } from "node:test";

import { factsOf } from "../../src/localnet/foresight/code.js";

const METADATA =
  "a2646970667358221220" + "f1".repeat(32) + "64736f6c634300081e0033";

const codes: [string, string, string][] = [
  ["no code", "0x", "nothing"],
  ["plain storage", "0x5f5460010160005500", "itself"],
  ["a call", "0x5f5f5f5f5f6008611234f100", "others"],
  ["a call's byte as data of a push", "0x60f16000556000f3", "itself"],
  ["a static call", "0x5f5f5f5f6008611234fa00", "reads"],
  ["a delegatecall", "0x5f5f5f5f6008611234f400", "others"],
  ["a creation", "0x5f5f5ff000", "others"],
  [
    "a compiler's metadata behind the code",
    `0x5f545f5260205ff3fe${METADATA}`,
    "itself",
  ],
  ["data that cannot run", "0x00f1f1f1", "itself"],
  ["a call behind a jump's target", "0x00f15b5f5f5f5f5f5f5ff1", "others"],
  ["a designator", `0xef0100${"11".repeat(20)}`, "others"],
];

for (const [what, code, reach] of codes) {
  it(`${what} leads to ${reach}`, () =>
    assert.equal(factsOf(code).reach, reach));
}

it("instructions that distinguish runs are found, but not in data", () => {
  const { balances, codes, sizes, fees } = factsOf("0x4730313f3b3a00");
  assert.deepEqual([balances, codes, sizes, fees], [true, true, true, true]);
  const none = factsOf("0x6047613f3b623a4831500031");
  assert.deepEqual(
    [none.balances, none.codes, none.sizes, none.fees],
    [false, false, false, false],
  );
});

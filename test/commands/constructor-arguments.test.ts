import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { AbiParameter } from "abitype";
import { AbiCoder, ParamType } from "ethers";

import { parseAddress } from "../../src/address/index.js";
import {
  constructorOf,
  encodeArguments,
} from "../../src/commands/deploy/constructor-arguments.js";

const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const ACCOUNT = parseAddress(OWNER).account;

const parameter = (text: string): AbiParameter =>
  JSON.parse(ParamType.from(text).format("json")) as AbiParameter;

async function encoded(
  types: readonly string[],
  texts: readonly string[],
): Promise<string> {
  return await encodeArguments("Vault", types.map(parameter), texts, "cosmos");
}

const TUPLE = "tuple(address account, uint96 share, string[] roles)[] members";

describe("constructor arguments as text", () => {
  const right: [type: string, text: string, value: unknown][] = [
    ["uint256 a", "1_000", 1000n],
    ["uint256 a", "0xff", 255n],
    ["int8 a", "-128", -128n],
    [
      "uint256 a",
      "115792089237316195423570985008687907853269984665640564039457584007913129639935",
      2n ** 256n - 1n,
    ],
    ["address a", OWNER, OWNER],
    ["address a", ACCOUNT, OWNER],
    ["bool a", "false", false],
    ["bytes a", "0x", "0x"],
    ["bytes4 a", "0x12345678", "0x12345678"],
    ["string a", "", ""],
    ["string a", '["not a list"]', '["not a list"]'],
    ["uint8[] a", "[]", []],
    [
      "uint8[2][] a",
      '[[1,2],["3","0x4"]]',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["bool[] a", "[true,false]", [true, false]],
    [
      TUPLE,
      `[{"account":"${ACCOUNT}","share":"5","roles":["a","b"]}]`,
      [[OWNER, 5n, ["a", "b"]]],
    ],
    [TUPLE, `[["${OWNER}",5,[]]]`, [[OWNER, 5n, []]]],
  ];
  for (const [type, text, value] of right) {
    it(`are encoded as the ABI says: ${type} of ${text.slice(0, 40)}`, async () => {
      assert.equal(
        `0x${await encoded([type], [text])}`,
        AbiCoder.defaultAbiCoder().encode([ParamType.from(type)], [value]),
      );
    });
  }

  const wrong: [type: string, text: string, message: RegExp][] = [
    [
      "uint8 cap",
      "256",
      /^the constructor's cap \(uint8\) cannot be "256": value out-of-bounds/,
    ],
    [
      "uint256 cap",
      "1.5",
      /cap \(uint256\) cannot be "1\.5": it is not a whole number/,
    ],
    ["uint256 cap", "-1", /cap .* value out-of-bounds/],
    ["uint256 cap", "", /cap .* it is not a whole number/],
    [
      "address owner",
      `${OWNER.slice(0, -1)}7`,
      /owner \(address\).*wrong checksum/,
    ],
    [
      "address owner",
      "vitalik.eth",
      /owner \(address\).*neither a hex nor a bech32/,
    ],
    ["bool open", "yes", /open \(bool\).*neither true nor false/],
    ["bytes4 tag", "0x1234", /tag \(bytes4\)/],
    ["bytes tag", "1234", /tag \(bytes\).*it is not 0x followed by pairs/],
    [
      "uint8[] list",
      "1,2",
      /list \(uint8\[\]\).*it is not JSON.*Write a list as JSON/,
    ],
    ["uint8[] list", "7", /list .*it is not a list/],
    ["uint8[2] list", "[1]", /list .*it has 1 entries instead of 2/],
    ["uint8[] list", "[1,300]", /list \(uint8\[\]\).*out-of-bounds/],
    ["uint8[] list", '[1,"x"]', /list\[1\] \(uint8\).*not a whole number/],
    [
      "uint256[] list",
      "[9007199254740993]",
      /list\[0\].*not exact in JSON.*Put it in quotes/,
    ],
    ["string[] list", "[{}]", /list\[0\].*neither a string nor a number/],
    [TUPLE, '[{"account":"0x0"}]', /members\[0\]\.account \(address\)/],
    [
      TUPLE,
      `[{"account":"${OWNER}"}]`,
      /members\[0\].*the field "share" is missing/,
    ],
    [
      TUPLE,
      `[{"account":"${OWNER}","share":1,"roles":[],"x":1}]`,
      /no field "x", only \(account address/,
    ],
    [TUPLE, `[["${OWNER}"]]`, /members\[0\].*1 fields instead of 3/],
    ["uint8", "x", /argument 1 \(uint8\)/],
  ];
  for (const [type, text, message] of wrong) {
    it(`are refused with their name: ${type} of ${text.slice(0, 40)}`, async () => {
      await assert.rejects(encoded([type], [text]), (error) => {
        assert.ok(error instanceof Error);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  it("are counted, and the error names the expected ones", async () => {
    await assert.rejects(
      encoded(["string name", "uint256 cap"], ["x"]),
      /the constructor of Vault takes 2 arguments \(name string, cap uint256\), but 1 was given/,
    );
    await assert.rejects(
      encoded([], ["x", "y"]),
      /the constructor of Vault takes no arguments, but 2 were given/,
    );
  });

  it("are empty where there is no constructor", async () => {
    assert.deepEqual(constructorOf([{ type: "function", name: "f" }]), {
      inputs: [],
      payable: false,
    });
    assert.equal(await encoded([], []), "");
  });
});

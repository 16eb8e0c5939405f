import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { getAddress, hexlify, randomBytes } from "ethers";

import {
  checksumAddress,
  isAddress,
  parseAddress,
  toHexAddress,
  toValoper,
} from "../../src/address/index.js";
import { DualstackError } from "../../src/support/errors.js";

// The chain's own node made these from the same 20 bytes.
const HEX = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const ACCOUNT = "cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq";
const VALOPER = "cosmosvaloper17w0adeg64ky0daxwd2ugyuneellmjgnxxf088n";

describe("addresses", () => {
  it("are the same in all forms", () => {
    for (const [text, form] of [
      [HEX, "hex"],
      [HEX.toLowerCase(), "hex"],
      [`0x${HEX.slice(2).toUpperCase()}`, "hex"],
      [` ${ACCOUNT}\n`, "account"],
      [ACCOUNT.toUpperCase(), "account"],
      [VALOPER, "valoper"],
    ] as const) {
      assert.deepEqual(parseAddress(text), {
        hex: HEX,
        account: ACCOUNT,
        valoper: VALOPER,
        form,
      });
    }
    assert.equal(toHexAddress(VALOPER), HEX);
    assert.equal(toValoper(HEX), VALOPER);
  });

  it("have the same checksums as in ethers", () => {
    for (let i = 0; i < 500; i++) {
      const bytes = randomBytes(20);
      const hex = checksumAddress(bytes);
      assert.equal(hex, getAddress(hexlify(bytes)));
      const { account, valoper } = parseAddress(hex);
      assert.equal(toHexAddress(account), hex);
      assert.equal(toHexAddress(valoper), hex);
    }
  });

  it("are refused when a single character is changed", () => {
    for (const text of [ACCOUNT, VALOPER]) {
      for (let at = 0; at < text.length; at++) {
        const other = text.charAt(at) === "q" ? "p" : "q";
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        assert.ok(!isAddress(changed), changed);
      }
    }
    for (let at = 2; at < HEX.length; at++) {
      const digit = HEX.charAt(at);
      if (!/[a-f]/i.test(digit)) {
        continue;
      }
      const flipped =
        digit === digit.toLowerCase()
          ? digit.toUpperCase()
          : digit.toLowerCase();
      assert.ok(!isAddress(HEX.slice(0, at) + flipped + HEX.slice(at + 1)));
    }
  });

  const wrong: [string, RegExp][] = [
    ["", /is neither a hex nor a bech32 address/],
    ["0x12", /is not 0x followed by 40 hexadecimal digits/],
    [`${HEX}00`, /is not 0x followed by 40/],
    [HEX.replace("f39F", "g39F"), /is not 0x followed by 40/],
    ["osmo17w0adeg64ky0daxwd2ugyuneellmjgnxlhwkdn", /bech32|prefix/],
    [`${ACCOUNT}\u001b[31m`, /neither a hex nor a bech32|checksum/],
  ];
  for (const [text, message] of wrong) {
    it(`are refused with the reason: ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => parseAddress(text, { what: "recipient" }),
        (error) => {
          assert.match(String(error), /the recipient "/);
          assert.match(String(error), message);
          assert.ok(!String(error).includes("\u001b"));
          return true;
        },
      );
    });
  }

  it("are refused if they are no text", () => {
    const refused = (value: unknown, message: RegExp) =>
      assert.throws(
        () => parseAddress(value as string, { what: "validator" }),
        (error) => DualstackError.is(error) && message.test(error.message),
      );
    refused(undefined, /^the validator is missing\. Give it as 0x…, cosmos1…/);
    refused(5n, /^the validator is no text but 5\. /);
    refused(null, /^the validator is no text but null\. /);
  });

  it("must have the chain's prefix", () => {
    const evmos = parseAddress(HEX, { prefix: "evmos" });
    assert.match(evmos.account, /^evmos1/);
    assert.match(evmos.valoper, /^evmosvaloper1/);
    assert.throws(
      () => parseAddress(evmos.account),
      /has the prefix "evmos"; this chain's prefixes are cosmos and cosmosvaloper.*dualstack\.bech32Prefix/,
    );
  });
});

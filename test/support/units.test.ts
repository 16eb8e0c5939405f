import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { formatUnits, parseAmount } from "../../src/support/units.js";

const CURRENCY = { symbol: "NATIVE", decimals: 18, baseDenom: "anative" };
const TOKEN = 10n ** 18n;

describe("amounts", () => {
  const formatted: [bigint, number, string][] = [
    [0n, 18, "0"],
    [1n, 18, "0.000000000000000001"],
    [TOKEN, 18, "1"],
    [1_500_000_000_000_000_000n, 18, "1.5"],
    [-15n, 1, "-1.5"],
    [12_345n, 0, "12345"],
    [2n ** 256n - 1n, 6, `${(2n ** 256n - 1n) / 1_000_000n}.639935`],
  ];
  for (const [amount, decimals, text] of formatted) {
    it(`are written exactly: ${text}`, () => {
      assert.equal(formatUnits(amount, decimals), text);
    });
  }

  const parsed: [string, bigint][] = [
    ["0", 0n],
    ["1", TOKEN],
    [" 1.5 ", (TOKEN * 3n) / 2n],
    ["1.5 NATIVE", (TOKEN * 3n) / 2n],
    ["1.5native", (TOKEN * 3n) / 2n],
    ["1_000", 1000n * TOKEN],
    ["0.000000000000000001", 1n],
    ["7anative", 7n],
    ["7 wei", 7n],
    ["7base", 7n],
    ["123456789012345678901234567890wei", 123456789012345678901234567890n],
    [`${2n ** 256n - 1n}wei`, 2n ** 256n - 1n],
  ];
  for (const [text, amount] of parsed) {
    it(`are read exactly: "${text}"`, () => {
      assert.equal(parseAmount(text, CURRENCY), amount);
    });
  }

  const refused: [string, RegExp][] = [
    ["", /is not an amount/],
    ["-1", /is not an amount/],
    ["1,5", /is not an amount/],
    ["1e18", /"1e18" is not an amount: exponents/],
    ["0x10", /is not an amount|neither/],
    [".5", /is not an amount/],
    ["1.", /is not an amount/],
    ["1 ETH", /"ETH" is neither NATIVE nor anative/],
    ["1.5wei", /fraction of a base unit/],
    [`${2n ** 256n}wei`, /more than any account can have/],
    ["9".repeat(60), /"9{60}" is more than any account can have/],
    ["0.0000000000000000001", /19 digits after the point, but NATIVE has 18/],
  ];
  for (const [text, message] of refused) {
    it(`are refused: "${text}"`, () => {
      assert.throws(() => parseAmount(text, CURRENCY), message);
    });
  }
});

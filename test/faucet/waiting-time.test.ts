import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { formatWait, waitingTimeMs } from "../../src/faucet/waiting-time.js";

describe("waiting times in text", () => {
  const texts: [string, number | undefined][] = [
    ["Please wait 23h59m0s before you try again", 86_340_000],
    ["Please wait 45 seconds and try it again!", 45_000],
    ["graylisted for another 2h 59m 24s", 10_764_000],
    ["in 1 hour and 5 minutes", 3_900_000],
    ["1m30.5s", 90_500],
    ["wait 500ms", 500],
    ["1 day, 2 hours", 93_600_000],
    ["12 monkeys, 5 minutes", 300_000],
    ["10 tokens per day", undefined],
    ["You requested too often", undefined],
    ["", undefined],
  ];
  for (const [text, ms] of texts) {
    it(`finds ${ms} ms in "${text}"`, () => {
      assert.equal(waitingTimeMs(text), ms);
    });
  }

  it("writes them in the two largest units", () => {
    assert.equal(formatWait(86_340_000), "23 h 59 min");
    assert.equal(formatWait(93_600_000), "1 d 2 h");
    assert.equal(formatWait(45_000), "45 s");
    assert.equal(formatWait(3_600_000), "1 h");
    assert.equal(formatWait(1), "1 s");
  });
});

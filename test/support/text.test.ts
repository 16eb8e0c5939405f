import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DualstackError } from "../../src/support/errors.js";
import { cleanText, errorText } from "../../src/support/text.js";

describe("a server's text", () => {
  const texts: [string, string][] = [
    ["plain", "plain"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]0;title\u0007after", "after"],
    ["\u001b]8;;http://evil.example\u001b\\link", "link"],
    ["two\r\nlines\tand\u0000more", "two lines and more"],
    ["\u202egnp.exe\u2066", "gnp.exe"],
    ["\u009b31mC1", "31mC1"],
    ["grüße 🙂", "grüße 🙂"],
  ];
  for (const [text, clean] of texts) {
    it(`is made safe: ${JSON.stringify(text)}`, () => {
      assert.equal(cleanText(text), clean);
    });
  }

  it("is cut, however long it is", () => {
    const clean = cleanText("x".repeat(50_000_000), 20);
    assert.equal(clean, `${"x".repeat(19)}…`);
    assert.equal(cleanText("\u0007".repeat(10_000)), "");
  });

  it("is found in whatever was thrown", () => {
    assert.equal(errorText(new Error("a\nb")), "a b");
    assert.equal(errorText("a\nb"), "a b");
    assert.equal(errorText(undefined), "undefined");
  });
});

describe("an error of the core", () => {
  it("says what, where and what to do, in this order", () => {
    const cause = new Error("inner");
    const error = new DualstackError("the node is tired.", {
      network: "testnet",
      endpoint: "https://testnet.dualstack.example/evm",
      address: undefined,
      fix: "Let it sleep.",
      cause,
    });
    assert.equal(
      error.message,
      "the node is tired (network testnet, endpoint https://testnet.dualstack.example/evm). Let it sleep.",
    );
    assert.equal(error.reason, "the node is tired");
    assert.equal(error.cause, cause);
    assert.ok(DualstackError.is(error));
    assert.equal(new DualstackError("short").message, "short.");
  });
});

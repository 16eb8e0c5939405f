import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  faucetSchema,
  type FaucetUserSettings,
} from "../../src/faucet/settings.js";

const issues = (settings: unknown) => {
  const result = faucetSchema.safeParse(settings);
  return result.success
    ? []
    : result.error.issues.map(
        ({ path, message }) => `${path.join(".")}: ${message}`,
      );
};

describe("the faucet's settings", () => {
  it("take what is documented", () => {
    const all: FaucetUserSettings[] = [
      {},
      { protocol: "auto" },
      { protocol: "cosmjs", denoms: { native: "utest" } },
      { protocol: "ignite", amounts: { stable: "12.5" } },
      {
        protocol: "custom",
        request: {
          method: "POST",
          path: "/fund/{bech32}",
          headers: { "x-key": "k" },
          body: { to: "{address}", list: [1, "{amount}", null, true] },
          success: { status: [200, 202], field: "data.txHash", matches: "^" },
          transactionField: "data.txHash",
          waitField: "error.retryIn",
        },
      },
    ];
    for (const settings of all) {
      assert.deepEqual(issues(settings), []);
    }
  });

  const wrong: [unknown, RegExp][] = [
    [{ protocol: "discord" }, /^protocol: must be one of auto, cosmjs/],
    [{ protocol: "custom" }, /^request: is needed with protocol "custom"/],
    [{ protocol: "cosmjs", request: {} }, /^protocol: must be "custom"/],
    [
      { protocol: "custom", request: { path: "/{adress}" } },
      /^request\.path: \{adress\} is not known here; there are \{address\}/,
    ],
    [
      { protocol: "custom", request: { method: "GET", body: {} } },
      /^request: a GET request has no body/,
    ],
    [
      { protocol: "custom", request: { success: { equals: "ok" } } },
      /^request\.success: needs "field"/,
    ],
    [
      { protocol: "custom", request: { success: { matches: "(" } } },
      /^request\.success\.matches: must be a regular expression/,
    ],
    [{ amounts: { native: 100 } }, /^amounts\.native: must be a string/],
    [{ amounts: { native: "-1" } }, /^amounts\.native: must be whole tokens/],
    [{ url: "https://faucet.dualstack.example" }, /Unrecognized key/],
  ];
  for (const [settings, message] of wrong) {
    it(`refuse ${JSON.stringify(settings)}`, () => {
      assert.match(issues(settings).join("\n"), message);
    });
  }
});

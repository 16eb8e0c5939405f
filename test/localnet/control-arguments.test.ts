import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { LocalChain } from "../../src/localnet/chain.js";
import { LocalnetControl } from "../../src/localnet/control/control.js";
import { RemoteControl } from "../../src/localnet/control/remote-control.js";
import type { LocalnetSettings } from "../../src/localnet/settings/settings.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { ChainTests } from "../../src/testing/chain.js";

const provider = {
  request: async () => await Promise.reject(new Error("a node was asked")),
};

const CONTROLS = {
  "in this process": new LocalnetControl(
    {} as LocalChain,
    {} as LocalnetSettings,
    async (task) => await task(),
  ),
  "in another process": new RemoteControl(provider, "localhost"),
  "on a real network": new ChainTests({
    provider,
    network: "testnet",
    precompiles: PRECOMPILE_ADDRESSES,
    longestWait: 600,
  }),
};

for (const [where, control] of Object.entries(CONTROLS)) {
  describe(`the control of a chain ${where}`, () => {
    // As from JavaScript, or from a field that a library types as `any`.
    const given = (value: unknown) => value as number;

    it("says which number it needs, and what it was given", async () => {
      for (const [value, shown] of [
        [1.5, "1.5"],
        [Number.NaN, "NaN"],
        [undefined, "undefined"],
        ["10d", '"10d"'],
        [[].at, "a function"],
        [new Date(), "an object"],
      ]) {
        const but = `must be a whole number, but it is ${String(shown)}.`;
        await assert.rejects(control.advance(given(value)), {
          name: "DualstackError",
          message: `the number of seconds ${but}`,
        });
        await assert.rejects(control.advanceTo(given(value)), {
          message: `the time in Unix seconds ${but}`,
        });
        await assert.rejects(control.advanceToVoteEnd(given(value)), {
          message: `the proposal's ID ${but}`,
        });
      }
      await assert.rejects(control.advance(0), /time only goes forward/);
    });

    it("takes no milliseconds for a time", async () => {
      await assert.rejects(
        control.advanceTo(Date.now()),
        /^DualstackError: the time \d+ is after the year 5000\. Give seconds, not milliseconds\.$/,
      );
    });
  });
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { findMisfit, isOlder } from "../../src/hardhat3/peers.js";

describe("hardhat-ethers next to another Hardhat", () => {
  const installed =
    (hardhat: string, needed: string | undefined) =>
    (
      id: string,
    ): { version: string; peerDependencies?: Record<string, string> } =>
      id.startsWith("hardhat/")
        ? { version: hardhat }
        : {
            version: "4.2.0",
            ...(needed === undefined
              ? {}
              : { peerDependencies: { hardhat: needed } }),
          };

  it("is named where it needs a newer one", () => {
    assert.deepEqual(findMisfit(installed("3.17.0", "^3.18.0")), {
      ethers: "4.2.0",
      needed: "^3.18.0",
      hardhat: "3.17.0",
    });
    assert.equal(isOlder("3.9.9", "^3.10.0"), true);
    assert.equal(isOlder("3.18.0", "^3.18.1"), true);
  });

  it("is left alone where it fits, and where nothing is known", () => {
    for (const [hardhat, needed] of [
      ["3.18.0", "^3.18.0"],
      ["3.19.0", "^3.18.4"],
      ["3.18.0-next.1", "^3.17.0"],
      ["2.29.1", "^3.18.0"],
      ["3.17.0", ">=3.0.0"],
      ["3.17.0", undefined],
    ] as const) {
      assert.equal(findMisfit(installed(hardhat, needed)), undefined, hardhat);
    }
    assert.equal(
      findMisfit(() => {
        throw new Error("Cannot find module");
      }),
      undefined,
    );
  });

  it("fits in this project", () => assert.equal(findMisfit(), undefined));
});

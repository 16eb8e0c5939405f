import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { fixRefused } from "../../src/support/loopback.js";

describe("the fix for a refused connection", () => {
  for (const [url, fix] of [
    ["http://localhost:8545", 'Check. Start a node with "npx hardhat node".'],
    ["http://127.0.0.1:8545/", 'Check. Start a node with "npx hardhat node".'],
    [
      "http://127.0.0.1:8545/evm",
      'Check. Start the local network with "npx hardhat dualstack node".',
    ],
    [
      "grpc://127.0.0.1:9090",
      'Check. Start the local network with "npx hardhat dualstack node".',
    ],
    ["https://testnet.example/evm", "Check."],
  ] as const) {
    it(`names the node that would be at ${url}`, () => {
      assert.equal(fixRefused(url, "Check."), fix);
    });
  }
});

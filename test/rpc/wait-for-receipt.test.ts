import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { TransportError } from "../../src/rpc/transport-error.js";
import { waitForReceipt } from "../../src/rpc/wait-for-receipt.js";

describe("waiting for a receipt", () => {
  it("says in the end that the node is gone, if it is", async () => {
    const wait = async (request: () => Promise<unknown>) =>
      await waitForReceipt({ request }, "0x01", {
        timeoutMs: 30,
        nextBlock: async () =>
          await new Promise((resolve) => setTimeout(resolve, 10)),
      });
    const gone = new TransportError(
      "unreachable",
      "the node cannot be reached: the connection was refused",
    );
    await assert.rejects(
      wait(async () => await Promise.reject(gone)),
      /not seen in a block within 0 s, and now the node cannot be reached: the connection was refused \(transaction 0x01\)\. It may still be included/,
    );
    await assert.rejects(
      wait(async () => await Promise.resolve(null)),
      /not in a block after 0 s \(transaction 0x01\)\. It may/,
    );
  });
});

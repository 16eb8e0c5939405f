import { bodyText, fieldOf, refusal } from "../outcome.js";
import type { FaucetProtocol } from "../protocol.js";

/**
 * The faucet of CosmJS (`@cosmjs/faucet`), also run by Starship and many test
 * networks: account addresses, tokens by denomination, and 405 for both a wrong
 * method and a request that comes too early.
 */
export const cosmjs: FaucetProtocol = {
  name: "cosmjs",
  request: ({ bech32, denom }) => ({
    method: "POST",
    path: "/credit",
    body: { denom, address: bech32 },
  }),
  classify: (answer) =>
    answer.status === 200
      ? { kind: "granted" }
      : refusal(answer, bodyText(answer)),
  discovery: {
    path: "/status",
    recognise: (json) =>
      fieldOf(json, "status") === "ok" &&
      Array.isArray(fieldOf(json, "availableTokens")),
  },
};

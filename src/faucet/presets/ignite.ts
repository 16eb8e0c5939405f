import { asHash, bodyJson, bodyText, fieldOf, refusal } from "../outcome.js";
import type { FaucetProtocol } from "../protocol.js";

/**
 * The faucet of the Ignite CLI (`ignite chain faucet`): account addresses;
 * coins are named only if they differ from its defaults.
 */
export const ignite: FaucetProtocol = {
  name: "ignite",
  request: ({ bech32, denom, baseUnits, explicit, token }) => ({
    method: "POST",
    path: "/",
    body: {
      address: bech32,
      ...(explicit || token === "stable"
        ? { coins: [`${baseUnits}${denom}`] }
        : {}),
    },
  }),
  classify: (answer) => {
    const json = bodyJson(answer);
    const error = fieldOf(json, "error");
    if (answer.status === 200 && (error === undefined || error === "")) {
      const transaction = asHash(fieldOf(json, "hash"));
      return {
        kind: "granted",
        ...(transaction === undefined ? {} : { transaction }),
      };
    }
    return refusal(
      answer,
      typeof error === "string" ? error : bodyText(answer),
    );
  },
  discovery: {
    path: "/info",
    recognise: (json) => fieldOf(json, "is_a_faucet") === true,
  },
};

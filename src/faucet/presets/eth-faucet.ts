import { asHash, bodyJson, bodyText, fieldOf, refusal } from "../outcome.js";
import type { FaucetProtocol } from "../protocol.js";

/**
 * `chainflag/eth-faucet`, common on EVM test networks: 0x addresses, one token,
 * and 429 for both a request that comes too early and a missing captcha.
 */
export const ethFaucet: FaucetProtocol = {
  name: "eth-faucet",
  request: ({ address, token }) =>
    token === "native"
      ? { method: "POST", path: "/api/claim", body: { address } }
      : {
          kind: "unsupported-token",
          text: "a faucet of this kind gives the native token only",
        },
  classify: (answer) => {
    const message = fieldOf(bodyJson(answer), "msg");
    const text = typeof message === "string" ? message : bodyText(answer);
    if (answer.status !== 200) {
      return refusal(answer, text);
    }
    const transaction = asHash(text);
    return {
      kind: "granted",
      ...(transaction === undefined ? {} : { transaction }),
    };
  },
  discovery: {
    path: "/api/info",
    recognise: (json) =>
      typeof fieldOf(json, "account") === "string" &&
      fieldOf(json, "payout") !== undefined,
    obstacle: (json) => {
      const key = fieldOf(json, "hcaptcha_sitekey");
      return typeof key === "string" && key !== ""
        ? { kind: "captcha", text: "it asks for a captcha" }
        : undefined;
    },
  },
};

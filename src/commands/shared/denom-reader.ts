import type { NetworkDescription } from "../../config/network-description.js";
import type { DenomReader } from "./stable-token.js";

/** Reads balances from the bank over REST; `undefined` if that endpoint is not configured. */
export function denomReader(
  { endpoints, facts, name }: NetworkDescription,
  headers?: Readonly<Record<string, string>>,
): DenomReader | undefined {
  const { restUrl } = endpoints;
  if (restUrl === undefined) {
    return undefined;
  }
  return async (account, denom) => {
    const { RestClient } = await import("../../framework/rest.js");
    const client = new RestClient({
      url: restUrl,
      network: name,
      facts,
      headers,
    });
    const answer = await client.fields(
      `/bank/v1beta1/balances/${account}/by_denom`,
      { params: { denom } },
    );
    return answer.object("balance").integer("amount");
  };
}

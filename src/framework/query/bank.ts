import { parseAddress } from "../../address/index.js";
import type { Rpc } from "../services.js";
import type { Coin, Page } from "./answers.js";
import { protobufNext, protobufPage, question, restPage } from "./question.js";
import type { Paged } from "./staking.js";
import { toInteger } from "./values.js";
import { FrameworkError } from "../errors.js";

const BASE = "/bank/v1beta1";

const client = async (rpc: Rpc) => {
  const { QueryClientImpl } = await import(
    "cosmjs-types/cosmos/bank/v1beta1/query"
  );
  return new QueryClientImpl(rpc);
};

export interface OfAccount {
  readonly address: string;
}

/** An account's balance of one denomination, in base units; by default of the native token. */
export const balance = question<
  OfAccount & { readonly denom?: string },
  bigint
>({
  title: "balance",
  rest: async (get, { address, denom }, { facts }) => {
    const { account } = parseAddress(address, { prefix: facts.bech32Prefix });
    const answer = await get(`${BASE}/balances/${account}/by_denom`, {
      denom: denom ?? facts.baseDenom,
    });
    return answer.object("balance").integer("amount");
  },
  protobuf: async (rpc, { address, denom }, { facts }) => {
    const { account } = parseAddress(address, { prefix: facts.bech32Prefix });
    const answer = await (
      await client(rpc)
    ).Balance({ address: account, denom: denom ?? facts.baseDenom });
    return toInteger(answer.balance?.amount ?? "0", "balance.amount");
  },
  precompile: async (reader, { address, denom }, { facts, height }) => {
    if (denom !== undefined && denom !== facts.baseDenom) {
      throw new FrameworkError(
        `the EVM's side knows no balance of "${denom.slice(0, 60)}"`,
        { fault: "refused", fix: "Ask by REST, gRPC or the node RPC." },
      );
    }
    const { hex } = parseAddress(address, { prefix: facts.bech32Prefix });
    return await reader.balance(hex, height);
  },
});

/** All balances of an account, in base units. */
export const balances = question<OfAccount & Paged, Page<Coin>>({
  title: "balances",
  rest: async (get, { address, page }, { facts }) => {
    const { account } = parseAddress(address, { prefix: facts.bech32Prefix });
    const answer = await get(`${BASE}/balances/${account}`, restPage(page));
    return { items: answer.coins("balances"), nextKey: answer.nextKey() };
  },
  protobuf: async (rpc, { address, page }, { facts }) => {
    const { account } = parseAddress(address, { prefix: facts.bech32Prefix });
    const answer = await (
      await client(rpc)
    ).AllBalances({
      address: account,
      pagination: protobufPage(page),
      resolveDenom: false,
    });
    return {
      items: answer.balances.map(({ denom, amount }) => ({
        denom,
        amount: toInteger(amount, "balances.amount"),
      })),
      nextKey: protobufNext(answer.pagination),
    };
  },
});

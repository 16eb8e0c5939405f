import { decimal } from "./json.js";
import type { Query } from "./parameters.js";
import { type Route, route } from "./routes.js";

const V = "cosmos.evm.vm.v1.Query/";
const F = "cosmos.evm.feemarket.v1.Query/";

const callOf = (q: Query) => ({
  args: q.bytes("args"),
  gasCap: q.unsigned("gas_cap"),
  proposerAddress: q.bytes("proposer_address"),
  chainId: q.signed("chain_id"),
});

/** Paths of the EVM and fee market queries, as on the reference chain. */
export const EVM_ROUTES: readonly Route[] = [
  route("evm/vm/v1/params", `${V}Params`),
  // Hard forks that are not scheduled have no time.
  route("evm/vm/v1/config", `${V}Config`, undefined, ({ config }) => ({
    config: { ...config, verkle_time: null, osaka_time: null },
  })),
  route("evm/vm/v1/account/*", `${V}Account`, ([address]) => ({ address })),
  route("evm/vm/v1/cosmos_account/*", `${V}CosmosAccount`, ([address]) => ({
    address,
  })),
  route(
    "evm/vm/v1/validator_account/*",
    `${V}ValidatorAccount`,
    ([consAddress]) => ({ consAddress }),
  ),
  route("evm/vm/v1/balances/*", `${V}Balance`, ([address]) => ({ address })),
  route("evm/vm/v1/codes/*", `${V}Code`, ([address]) => ({ address })),
  route("evm/vm/v1/storage/*/*", `${V}Storage`, ([address, key]) => ({
    address,
    key,
  })),
  route("evm/vm/v1/base_fee", `${V}BaseFee`),
  route("evm/vm/v1/min_gas_price", `${V}GlobalMinGasPrice`),
  route("evm/vm/v1/eth_call", `${V}EthCall`, (_p, q) => callOf(q)),
  route("evm/vm/v1/estimate_gas", `${V}EstimateGas`, (_p, q) => callOf(q)),
  route("evm/feemarket/v1/params", `${F}Params`, undefined, ({ params }) => ({
    params: {
      ...params,
      base_fee: decimal(params.base_fee),
      min_gas_price: decimal(params.min_gas_price),
      min_gas_multiplier: decimal(params.min_gas_multiplier),
    },
  })),
  route("evm/feemarket/v1/base_fee", `${F}BaseFee`, undefined, (body) => ({
    base_fee: decimal(body.base_fee),
  })),
  route("evm/feemarket/v1/block_gas", `${F}BlockGas`),
];

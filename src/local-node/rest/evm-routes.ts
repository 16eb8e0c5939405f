import type { EvmFacts } from "../books.js";
import { decimal } from "./json.js";

/** The network's own queries, as the reference chain calls their paths. */
export const EVM_ROUTES: Readonly<
  Record<string, (evm: EvmFacts, evmChainId: number) => object>
> = {
  "/cosmos/evm/vm/v1/params": (evm) => ({
    params: {
      evm_denom: evm.denom,
      extra_eips: [],
      evm_channels: [],
      access_control: {
        create: {
          access_type: "ACCESS_TYPE_PERMISSIONLESS",
          access_control_list: [],
        },
        call: {
          access_type: "ACCESS_TYPE_PERMISSIONLESS",
          access_control_list: [],
        },
      },
      active_static_precompiles: evm.precompiles,
      history_serve_window: "8192",
      extended_denom_options: { extended_denom: "stake" },
    },
  }),
  "/cosmos/evm/vm/v1/config": (evm, evmChainId) => ({
    config: {
      homestead_block: "0",
      chain_id: String(evmChainId),
      denom: evm.denom,
      decimals: "18",
    },
  }),
  "/cosmos/evm/vm/v1/base_fee": (evm) => ({
    base_fee: String(evm.baseFee),
  }),
  "/cosmos/evm/vm/v1/min_gas_price": (evm) => ({
    min_gas_price: String(evm.minGasPrice),
  }),
  "/cosmos/evm/feemarket/v1/params": (evm) => ({
    params: {
      no_base_fee: false,
      base_fee_change_denominator: 8,
      elasticity_multiplier: 2,
      enable_height: "0",
      base_fee: `${evm.baseFee}.${"0".repeat(18)}`,
      min_gas_price: `${evm.minGasPrice}.${"0".repeat(18)}`,
      min_gas_multiplier: decimal(String(evm.minGasMultiplier)),
    },
  }),
  "/cosmos/evm/feemarket/v1/base_fee": (evm) => ({
    base_fee: `${evm.baseFee}.${"0".repeat(18)}`,
  }),
};

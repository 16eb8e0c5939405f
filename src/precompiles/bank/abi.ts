const BALANCE = [
  { name: "contractAddress", type: "address" },
  { name: "amount", type: "uint256" },
] as const;

/**
 * The bank precompile's ABI, as in cosmos/evm v0.5 to v0.8: the same entries as
 * its `precompiles/bank/abi.json`, without internal types.
 */
export const bankAbi = [
  {
    type: "function",
    name: "balances",
    stateMutability: "view",
    inputs: [{ name: "account", type: "address" }],
    outputs: [{ name: "balances", type: "tuple[]", components: BALANCE }],
  },
  {
    type: "function",
    name: "supplyOf",
    stateMutability: "view",
    inputs: [{ name: "erc20Address", type: "address" }],
    outputs: [{ name: "totalSupply", type: "uint256" }],
  },
  {
    type: "function",
    name: "totalSupply",
    stateMutability: "view",
    inputs: [],
    outputs: [{ name: "totalSupply", type: "tuple[]", components: BALANCE }],
  },
] as const;

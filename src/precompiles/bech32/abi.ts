/**
 * The bech32 precompile's ABI, as in cosmos/evm v0.5 to v0.8: the same entries as its
 * `precompiles/bech32/abi.json`, without internal types.
 */
export const bech32Abi = [
  {
    type: "function",
    name: "bech32ToHex",
    stateMutability: "nonpayable",
    inputs: [
      {
        name: "bech32Address",
        type: "string",
      },
    ],
    outputs: [
      {
        name: "addr",
        type: "address",
      },
    ],
  },
  {
    type: "function",
    name: "hexToBech32",
    stateMutability: "nonpayable",
    inputs: [
      {
        name: "addr",
        type: "address",
      },
      {
        name: "prefix",
        type: "string",
      },
    ],
    outputs: [
      {
        name: "bech32Address",
        type: "string",
      },
    ],
  },
] as const;

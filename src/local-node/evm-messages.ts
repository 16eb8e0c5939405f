import type { EvmFacts } from "./books/books.js";
import { table } from "./table-codec.js";

const VM = "/cosmos.evm.vm.v1";

/** The framework message that carries an EVM transaction. */
export const MsgEthereumTx = table(`${VM}.MsgEthereumTx`, {
  from: [5, "bytes"],
  raw: [6, "bytes"],
});

const log = table(`${VM}.Log`, {
  address: [1, "string"],
  topics: [2, "string", "list"],
  data: [3, "bytes"],
  blockNumber: [4, "uint64"],
  txHash: [5, "string"],
  txIndex: [6, "uint64"],
  blockHash: [7, "string"],
  index: [8, "uint64"],
  removed: [9, "bool"],
  blockTimestamp: [10, "uint64"],
});

/** The result of an EVM transaction. */
export const MsgEthereumTxResponse = table(`${VM}.MsgEthereumTxResponse`, {
  hash: [1, "string"],
  logs: [2, log, "list"],
  ret: [3, "bytes"],
  vmError: [4, "string"],
  gasUsed: [5, "uint64"],
  maxUsedGas: [6, "uint64"],
  blockHash: [7, "bytes"],
  blockTimestamp: [8, "uint64"],
});

/** The extension option that marks EVM transactions. */
export const ExtensionOptionsEthereumTx = table(
  `${VM}.ExtensionOptionsEthereumTx`,
  {},
);

const accessType = table(`${VM}.AccessControlType`, {
  accessType: [1, "enum"],
  accessControlList: [2, "string", "list"],
});
/** The parameters of the EVM module. */
export const vmParams = table(`${VM}.Params`, {
  evmDenom: [1, "string"],
  extraEips: [4, "int64", "list"],
  evmChannels: [7, "string", "list"],
  accessControl: [
    8,
    table(`${VM}.AccessControl`, {
      create: [1, accessType],
      call: [2, accessType],
    }),
  ],
  activeStaticPrecompiles: [9, "string", "list"],
  historyServeWindow: [10, "uint64"],
  extendedDenomOptions: [
    11,
    table(`${VM}.ExtendedDenomOptions`, { extendedDenom: [1, "string"] }),
  ],
});

/** Returns the current parameters of the EVM module. */
export function vmParamsMessage({ denom, precompiles }: EvmFacts) {
  const open = { accessType: 0, accessControlList: [] };
  return vmParams.fromPartial({
    evmDenom: denom,
    accessControl: { create: open, call: open },
    activeStaticPrecompiles: precompiles,
    historyServeWindow: 8192n,
    extendedDenomOptions: { extendedDenom: "stake" },
  });
}

/** Encodes the current parameters of the EVM module. */
export const vmParamsOf = (facts: EvmFacts): Uint8Array =>
  vmParams.encode(vmParamsMessage(facts)).finish();

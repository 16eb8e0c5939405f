import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";

import { parseAddress } from "../../address/index.js";
import { fromQuantity, isRecord } from "../../rpc/quantities.js";
import { consensusAddress, consensusPrefix } from "../consensus.js";
import { evmErrorOf, vmFailureOf } from "../evm-failure.js";
import {
  type Fault,
  internalFault,
  invalidArgument,
  plainFault,
} from "../fault.js";
import { jsonFault } from "../node-rpc/go-json.js";
import { validatorsAt } from "../node-rpc/blocks.js";
import {
  MsgEthereumTxResponse,
  vmParams,
  vmParamsMessage,
} from "../evm-messages.js";
import { table } from "../table-codec.js";
import { method, type Question, type Service } from "./method.js";

const VM = "/cosmos.evm.vm.v1";
const FEE = "/cosmos.evm.feemarket.v1";

/** Hard forks with their field numbers; all are active from genesis. */
const BLOCK_FORKS = {
  homesteadBlock: 1,
  daoForkBlock: 2,
  eip150Block: 4,
  eip155Block: 6,
  eip158Block: 7,
  byzantiumBlock: 8,
  constantinopleBlock: 9,
  petersburgBlock: 10,
  istanbulBlock: 11,
  muirGlacierBlock: 12,
  berlinBlock: 13,
  londonBlock: 17,
  arrowGlacierBlock: 18,
  grayGlacierBlock: 20,
  mergeNetsplitBlock: 21,
} as const;
const TIME_FORKS = {
  shanghaiTime: 27,
  cancunTime: 28,
  pragueTime: 29,
} as const;
/** Hard forks that are not scheduled. */
const LATER_FORKS = { verkleTime: 30, osakaTime: 31 } as const;

const texts = (numbers: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, number]) => [
      name,
      [number, "string"] as const,
    ]),
  );
const chainConfig = table(`${VM}.ChainConfig`, {
  ...texts(BLOCK_FORKS),
  daoForkSupport: [3, "bool"],
  chainId: [24, "uint64"],
  denom: [25, "string"],
  decimals: [26, "uint64"],
  ...texts(TIME_FORKS),
  ...texts(LATER_FORKS),
});
const ofGenesis = (numbers: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.keys(numbers).map((name) => [name, "0"]));

const ask = (name: string, fields: Parameters<typeof table>[1] = {}) =>
  table(`${VM}.Query${name}`, fields);
const byAddress = (name: string) => ask(name, { address: [1, "string"] });

/** What some queries say of any text that is no address. */
const ZERO = "invalid zero address";

/**
 * Reads an address, which these queries accept in hex only.
 *
 * @param otherwise what the query says when it is not one
 * @throws Fault when it is not one
 */
function hexOf(text: unknown, otherwise?: string): string {
  const given = String(text);
  const digits = /^(?:0[xX])?([0-9a-fA-F]{40})$/.exec(given)?.[1];
  if (digits === undefined) {
    throw invalidArgument(
      otherwise ??
        `address '${given.slice(0, 120)}' is not a valid ethereum hex address: invalid address`,
    );
  }
  return `0x${digits}`;
}

/**
 * Finds the operator's account of a bonded validator by its consensus address.
 *
 * @throws Fault when there is no such validator
 */
async function consensusAccount(question: Question, text: string) {
  const { ledger, books } = question;
  if (text.trim() === "") {
    throw invalidArgument("empty address string is not allowed");
  }
  const expected = consensusPrefix(ledger.prefix);
  const prefix = text.slice(0, Math.max(0, text.lastIndexOf("1")));
  if (prefix !== expected) {
    throw invalidArgument(
      `invalid Bech32 prefix; expected ${expected}, got ${prefix}`,
    );
  }
  const all = await validatorsAt(ledger, question.height);
  const found = all.find(
    ({ address }) => consensusAddress(ledger.prefix, address) === text,
  );
  if (found === undefined) {
    const reason = `error while getting validator ${text}. validator does not exist`;
    throw plainFault(reason);
  }
  const { account } = parseAddress(found.operator, { prefix: ledger.prefix });
  return await books.auth.account(account);
}

/**
 * Decodes the JSON of a call for the EVM's JSON-RPC.
 *
 * @throws Fault when it is not JSON
 */
function callOf(args: unknown): unknown {
  const text = Buffer.from(args as Uint8Array).toString();
  try {
    return JSON.parse(text);
  } catch {
    throw invalidArgument(jsonFault(text.slice(0, 120)));
  }
}

/** Reads a call's gas limit; 0 if it has none that can be read. */
function gasOf(call: unknown): bigint {
  const gas = isRecord(call) ? call["gas"] : undefined;
  return typeof gas === "string" && /^0x[0-9a-fA-F]{1,16}$/.test(gas)
    ? BigInt(gas)
    : 0n;
}

/**
 * Limits the gas of a call.
 *
 * @param cap 0 for no limit
 */
function capped(call: unknown, cap: bigint): unknown {
  const gas = gasOf(call);
  return isRecord(call) && cap > 0n && (gas === 0n || gas > cap)
    ? { ...call, gas: `0x${cap.toString(16)}` }
    : call;
}

const CALL = {
  args: [1, "bytes"],
  gasCap: [2, "uint64"],
  proposerAddress: [3, "bytes"],
  chainId: [4, "int64"],
} as const;

const NO_HASH = `0x${"0".repeat(64)}`;

/** Queries of the EVM module. */
export const EVM: Service = {
  Params: method(
    ask("ParamsRequest"),
    ask("ParamsResponse", { params: [1, vmParams] }),
    async ({ books }) => {
      return { params: vmParamsMessage(await books.evm.facts()) };
    },
  ),
  Config: method(
    ask("ConfigRequest"),
    ask("ConfigResponse", { config: [1, chainConfig] }),
    async ({ books, ledger }) => ({
      config: chainConfig.fromPartial({
        ...ofGenesis(BLOCK_FORKS),
        daoForkSupport: true,
        chainId: BigInt(ledger.evmChainId),
        denom: (await books.evm.facts()).denom,
        decimals: 18n,
        ...ofGenesis(TIME_FORKS),
      }),
    }),
  ),
  Account: method(
    byAddress("AccountRequest"),
    ask("AccountResponse", {
      balance: [1, "string"],
      codeHash: [2, "string"],
      nonce: [3, "uint64"],
    }),
    async ({ books }, { address }) => {
      const { balance, nonce, code } = await books.evm.account(hexOf(address));
      return {
        balance: String(balance),
        codeHash: `0x${bytesToHex(keccak_256(code))}`,
        nonce,
      };
    },
  ),
  CosmosAccount: method(
    byAddress("CosmosAccountRequest"),
    ask("CosmosAccountResponse", {
      cosmosAddress: [1, "string"],
      sequence: [2, "uint64"],
      accountNumber: [3, "uint64"],
    }),
    async ({ books, ledger: { prefix } }, { address }) => {
      const { account } = parseAddress(hexOf(address), { prefix });
      const { sequence = 0n, accountNumber = 0n } =
        (await books.auth.account(account)) ?? {};
      return { cosmosAddress: account, sequence, accountNumber };
    },
  ),
  ValidatorAccount: method(
    ask("ValidatorAccountRequest", { consAddress: [1, "string"] }),
    ask("ValidatorAccountResponse", {
      accountAddress: [1, "string"],
      sequence: [2, "uint64"],
      accountNumber: [3, "uint64"],
    }),
    async (question, { consAddress }) => {
      const found = await consensusAccount(question, String(consAddress));
      return {
        accountAddress: found?.address ?? "",
        sequence: found?.sequence ?? 0n,
        accountNumber: found?.accountNumber ?? 0n,
      };
    },
  ),
  Balance: method(
    byAddress("BalanceRequest"),
    ask("BalanceResponse", { balance: [1, "string"] }),
    async ({ books }, { address }) => ({
      balance: String((await books.evm.account(hexOf(address, ZERO))).balance),
    }),
  ),
  Code: method(
    byAddress("CodeRequest"),
    ask("CodeResponse", { code: [1, "bytes"] }),
    async ({ books }, { address }) => ({
      code: (await books.evm.account(hexOf(address, ZERO))).code,
    }),
  ),
  Storage: method(
    ask("StorageRequest", { address: [1, "string"], key: [2, "string"] }),
    ask("StorageResponse", { value: [1, "string"] }),
    async ({ books }, { address, key }) => ({
      value: await books.evm.storage(hexOf(address, ZERO), wordOf(String(key))),
    }),
  ),
  BaseFee: method(
    ask("BaseFeeRequest"),
    ask("BaseFeeResponse", { baseFee: [1, "string"] }),
    async ({ books }) => ({
      baseFee: String((await books.evm.facts()).baseFee),
    }),
  ),
  GlobalMinGasPrice: method(
    ask("GlobalMinGasPriceRequest"),
    ask("GlobalMinGasPriceResponse", { minGasPrice: [1, "string"] }),
    async ({ books }) => ({
      minGasPrice: String((await books.evm.facts()).minGasPrice),
    }),
  ),
  EthCall: method(
    table(`${VM}.EthCallRequest`, CALL),
    MsgEthereumTxResponse,
    async ({ ledger, height }, { args, gasCap }) => {
      const call = capped(callOf(args), gasCap as bigint);
      const block = await ledger.blockAt(height);
      const around = {
        hash: NO_HASH,
        blockTimestamp: block?.time ?? 0n,
      };
      const params = [call, `0x${height.toString(16)}`];
      try {
        const ret = await ledger.request({ method: "eth_call", params });
        return { ...around, ret: bytesOf(ret) };
      } catch (error) {
        const failure = vmFailureOf(error);
        if (failure === undefined) throw refusalOf(error);
        const { reason, data } = failure;
        return { ...around, ret: bytesOf(data), vmError: reason };
      }
    },
  ),
  EstimateGas: method(
    table(`${VM}.EthCallRequest`, CALL),
    table(`${VM}.EstimateGasResponse`, {
      gas: [1, "uint64"],
      ret: [2, "bytes"],
      vmError: [3, "string"],
    }),
    async ({ ledger }, { args, gasCap }) => {
      if ((gasCap as bigint) < LEAST_GAS) {
        throw invalidArgument(`gas cap cannot be lower than ${LEAST_GAS}`);
      }
      const call = capped(callOf(args), gasCap as bigint);
      const params = [call];
      try {
        const gas = await ledger.request({
          method: "eth_estimateGas",
          params,
        });
        return { gas: fromQuantity(gas, "an estimate") };
      } catch (error) {
        const failure = vmFailureOf(error);
        if (failure === undefined) throw refusalOf(error);
        const { reason, data } = failure;
        if (reason === VM_REVERTED)
          return { ret: bytesOf(data), vmError: reason };
        throw plainFault(
          reason === "out of gas"
            ? `gas required exceeds allowance (${gasOf(call)})`
            : reason,
        );
      }
    },
  ),
};

/** Gas of the cheapest transaction. */
const LEAST_GAS = 21_000n;

const VM_REVERTED = "execution reverted";

/** The error code of parameters that cannot be read. */
const INVALID_PARAMS = -32602;

/** What these queries say of a call that is refused before it runs. */
function refusalOf(error: unknown): Fault {
  const { code, message } = evmErrorOf(error);
  const text = message.slice(0, 400);
  return code === INVALID_PARAMS ? invalidArgument(text) : internalFault(text);
}

const bytesOf = (value: unknown): Uint8Array =>
  typeof value === "string" && /^0x([0-9a-fA-F]{2})*$/.test(value)
    ? hexToBytes(value.slice(2))
    : new Uint8Array();

/** Reads a storage slot as the chain does: the last 32 bytes count. */
function wordOf(text: string): string {
  const digits = /^(?:0[xX])?([0-9a-fA-F]*)/.exec(text)?.[1] ?? "";
  return `0x${digits.slice(-64).padStart(64, "0")}`;
}

const feeParams = table(`${FEE}.Params`, {
  noBaseFee: [1, "bool"],
  baseFeeChangeDenominator: [2, "uint32"],
  elasticityMultiplier: [3, "uint32"],
  enableHeight: [5, "int64"],
  baseFee: [6, "string"],
  minGasPrice: [7, "string"],
  minGasMultiplier: [8, "string"],
});
const ONE = 10n ** 18n;

/** Queries of the fee market module; decimals are times 10^18. */
export const FEE_MARKET: Service = {
  Params: method(
    table(`${FEE}.QueryParamsRequest`, {}),
    table(`${FEE}.QueryParamsResponse`, { params: [1, feeParams] }),
    async ({ books }) => {
      const { baseFee, minGasPrice, minGasMultiplier } =
        await books.evm.facts();
      return {
        params: feeParams.fromPartial({
          baseFeeChangeDenominator: 8,
          elasticityMultiplier: 2,
          baseFee: String(baseFee * ONE),
          minGasPrice: String(minGasPrice * ONE),
          minGasMultiplier: String(minGasMultiplier),
        }),
      };
    },
  ),
  BaseFee: method(
    table(`${FEE}.QueryBaseFeeRequest`, {}),
    table(`${FEE}.QueryBaseFeeResponse`, { baseFee: [1, "string"] }),
    async ({ books }) => ({
      baseFee: String((await books.evm.facts()).baseFee * ONE),
    }),
  ),
  BlockGas: method(
    table(`${FEE}.QueryBlockGasRequest`, {}),
    table(`${FEE}.QueryBlockGasResponse`, { gas: [1, "int64"] }),
    async ({ ledger, height }) => ({
      gas: (await ledger.blockAt(height))?.gasUsed ?? 0n,
    }),
  ),
};

import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils";
import { BondStatus } from "cosmjs-types/cosmos/staking/v1beta1/staking";

import { isoTime } from "../../support/time.js";
import type { Block } from "../block.js";
import type { Ledger } from "../ledger.js";
import { consensusHash, consensusKey } from "../consensus.js";
import { indexed, type TransactionRecord } from "../history.js";

/** Base units per unit of voting power: one whole token. */
const POWER = 10n ** 18n;

/** Writes an EVM hash as the node does: upper-case hex without 0x. */
export const capitals = (hash: string) => hash.replace(/^0x/, "").toUpperCase();
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
/** Invents a hash for what a simulated chain does not have. */
const madeUp = (text: string) =>
  bytesToHex(sha256(utf8ToBytes(text))).toUpperCase();

/** A validator, as consensus knows it. */
export interface ConsensusValidator {
  /** The consensus address in upper-case hex. */
  readonly address: string;
  /** The consensus public key in base64. */
  readonly key: string;
  /** The operator address: `<prefix>valoper1…`. */
  readonly operator: string;
  /** Voting power: whole tokens. */
  readonly power: bigint;
}

/** Returns all validators at a height, by descending power. */
export async function allValidatorsAt(
  chain: Ledger,
  height: bigint,
): Promise<readonly (ConsensusValidator & { readonly bonded: boolean })[]> {
  const validators = await chain.booksAt(height).staking.validators();
  return validators
    .map((validator) => {
      const key = consensusKey(validator);
      return {
        address: consensusHash(key),
        key: base64(key),
        operator: validator.operatorAddress,
        power: BigInt(validator.tokens) / POWER,
        bonded: validator.status === BondStatus.BOND_STATUS_BONDED,
      };
    })
    .sort((a, b) => (a.power < b.power ? 1 : a.power > b.power ? -1 : 0));
}

/** Returns the bonded validators at a height, by descending power. */
export const validatorsAt = async (
  chain: Ledger,
  height: bigint,
): Promise<readonly ConsensusValidator[]> =>
  (await allValidatorsAt(chain, height)).filter(({ bonded }) => bonded);

/** Returns a validator in the node RPC's JSON. */
export const validatorJson = ({ address, key, power }: ConsensusValidator) => ({
  address,
  pub_key: { type: "tendermint/PubKeyEd25519", value: key },
  voting_power: String(power),
  proposer_priority: "0",
});

/** Returns the block ID of an EVM block hash; its parts hash is invented. */
export const blockId = (hash: string) => ({
  hash: capitals(hash),
  parts: { total: 1, hash: madeUp(`parts ${hash}`) },
});

/** The block ID of no block. */
export const NO_BLOCK_ID = { hash: "", parts: { total: 0, hash: "" } };

/** Returns a block's header in the node RPC's JSON. */
export async function headerOf(chain: Ledger, block: Block) {
  const { height, parentHash, stateRoot, time } = block;
  const [proposer] = await validatorsAt(chain, height);
  const validators = madeUp(`validators ${proposer?.address ?? ""}`);
  return {
    version: { block: "11" },
    chain_id: chain.chainId,
    height: String(height),
    time: isoTime(time),
    last_block_id: height > 1n ? blockId(parentHash) : NO_BLOCK_ID,
    last_commit_hash: madeUp(`commit ${parentHash}`),
    data_hash: capitals(String(block.evm["transactionsRoot"])),
    validators_hash: validators,
    next_validators_hash: validators,
    consensus_hash: madeUp("consensus"),
    app_hash: capitals(stateRoot),
    last_results_hash: capitals(String(block.evm["receiptsRoot"])),
    evidence_hash: madeUp(""),
    proposer_address: proposer?.address ?? "",
  };
}

async function commitOf(chain: Ledger, height: bigint, hash: string) {
  const validators = await validatorsAt(chain, height > 0n ? height : 1n);
  const block = await chain.blockAt(height);
  return {
    height: String(height),
    round: 0,
    block_id: height > 0n ? blockId(hash) : NO_BLOCK_ID,
    signatures:
      height > 0n
        ? validators.map(({ address }) => ({
            block_id_flag: 2,
            validator_address: address,
            timestamp: isoTime(block?.time ?? 0n),
            signature: base64(new Uint8Array(64).fill(1)),
          }))
        : [],
  };
}

/**
 * Returns a block in the node RPC's JSON.
 *
 * @param transactions of this block
 */
export async function blockJson(
  chain: Ledger,
  block: Block,
  transactions: readonly TransactionRecord[],
) {
  return {
    block_id: blockId(block.hash),
    block: {
      header: await headerOf(chain, block),
      data: { txs: transactions.map(({ bytes }) => base64(bytes)) },
      evidence: { evidence: [] },
      last_commit: await commitOf(chain, block.height - 1n, block.parentHash),
    },
  };
}

/**
 * Returns a block's header and commit in the node RPC's JSON; its signatures
 * are invented.
 */
export async function commitJson(chain: Ledger, block: Block) {
  // The newest block's commit is not part of a block yet.
  const canonical = block.height < chain.height;
  return {
    signed_header: {
      header: await headerOf(chain, block),
      commit: await commitOf(chain, block.height, block.hash),
    },
    canonical,
  };
}

/** Returns a transaction's result in the node RPC's JSON. */
export const resultJson = ({
  code,
  codespace,
  data,
  log,
  gasWanted,
  gasUsed,
  events,
}: TransactionRecord) => ({
  code,
  data: data.length === 0 ? null : base64(data),
  log,
  info: "",
  gas_wanted: String(gasWanted),
  gas_used: String(gasUsed),
  events: indexed(events),
  codespace,
});

/** Returns a transaction with its result in the node RPC's JSON. */
export const transactionJson = (record: TransactionRecord) => ({
  hash: record.hash,
  height: String(record.height),
  index: record.index,
  tx_result: resultJson(record),
  tx: base64(record.bytes),
});

/** The chain's consensus parameters: times in nanoseconds, sizes in bytes. */
export const CONSENSUS_PARAMS = {
  block: { max_bytes: "22020096", max_gas: "30000000" },
  evidence: {
    max_age_num_blocks: "100000",
    max_age_duration: "172800000000000",
    max_bytes: "1048576",
  },
  validator: { pub_key_types: ["ed25519"] },
} as const;

/** All consensus parameters, with those that module queries leave out. */
export const WHOLE_CONSENSUS_PARAMS = {
  ...CONSENSUS_PARAMS,
  version: { app: "0" },
  abci: { vote_extensions_enable_height: "0" },
  authority: { authority: "" },
} as const;

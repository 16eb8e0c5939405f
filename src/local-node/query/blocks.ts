import { hexToBytes } from "@noble/hashes/utils";

import type { Block } from "../block.js";
import type { Ledger } from "../ledger.js";
import { consensusAddress } from "../consensus.js";
import { invalidArgument, plainFault } from "../fault.js";
import { blockJson } from "../node-rpc/blocks.js";

const bytesOf = (hex: string) => hexToBytes(hex.toLowerCase());
const timeOf = (text: string) => ({
  seconds: BigInt(Math.floor(Date.parse(text) / 1_000)),
  nanos: 0,
});

type Json = Awaited<ReturnType<typeof blockJson>>;
type Header = Json["block"]["header"];
type BlockId = Json["block_id"];

const blockIdOf = ({ hash, parts }: BlockId) => ({
  hash: bytesOf(hash),
  partSetHeader: { total: parts.total, hash: bytesOf(parts.hash) },
});

/** Converts a header from the node RPC's JSON to protobuf. */
export const headerMessage = (header: Header) => ({
  version: { block: BigInt(header.version.block), app: 0n },
  chainId: header.chain_id,
  height: BigInt(header.height),
  time: timeOf(header.time),
  lastBlockId: blockIdOf(header.last_block_id),
  lastCommitHash: bytesOf(header.last_commit_hash),
  dataHash: bytesOf(header.data_hash),
  validatorsHash: bytesOf(header.validators_hash),
  nextValidatorsHash: bytesOf(header.next_validators_hash),
  consensusHash: bytesOf(header.consensus_hash),
  appHash: bytesOf(header.app_hash),
  lastResultsHash: bytesOf(header.last_results_hash),
  evidenceHash: bytesOf(header.evidence_hash),
  proposerAddress: bytesOf(header.proposer_address),
});

/**
 * Returns a block in protobuf: CometBFT's form, and the framework's
 * (`sdkBlock`).
 */
export async function blockMessage(ledger: Ledger, block: Block) {
  const transactions = await ledger.transactionsAt(block.height);
  const { block_id, block: json } = await blockJson(
    ledger,
    block,
    transactions,
  );
  const header = headerMessage(json.header);
  const { height, round, block_id: of, signatures } = json.last_commit;
  const whole = {
    header,
    data: { txs: transactions.map(({ bytes }) => bytes) },
    evidence: { evidence: [] },
    lastCommit: {
      height: BigInt(height),
      round,
      blockId: blockIdOf(of),
      signatures: signatures.map((one) => ({
        blockIdFlag: one.block_id_flag,
        validatorAddress: bytesOf(one.validator_address),
        timestamp: timeOf(one.timestamp),
        signature: new Uint8Array(Buffer.from(one.signature, "base64")),
      })),
    },
  };
  const proposerAddress = consensusAddress(
    ledger.prefix,
    json.header.proposer_address,
  );
  return {
    blockId: blockIdOf(block_id),
    block: whole,
    sdkBlock: { ...whole, header: { ...header, proposerAddress } },
  };
}

/**
 * Returns the block at a height.
 *
 * @param beyond what is said of a height that is not reached
 * @throws Fault when there is none
 */
export async function blockAt(
  ledger: Ledger,
  height: bigint,
  beyond = "requested block height is bigger than the chain length",
): Promise<Block> {
  if (height <= 0n) {
    throw plainFault(`height must be greater than 0, but got ${height}`);
  }
  if (height < ledger.firstHeight) {
    throw plainFault(
      `height ${height} is not available, lowest height is ${ledger.firstHeight}`,
    );
  }
  const block =
    height > ledger.height ? undefined : await ledger.blockAt(height);
  if (block === undefined) {
    throw invalidArgument(beyond);
  }
  return block;
}

import { Interface } from "ethers";

import { hexToBytes } from "@noble/hashes/utils";
import { addressForms, parseAddress } from "../../src/address/index.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import {
  RpcError,
  type RpcProvider,
  type RpcRequest,
} from "../../src/rpc/provider.js";
import { Fault } from "../../src/local-node/fault.js";
import { ask } from "../../src/local-node/query/index.js";
import { TestLedger } from "./ledger.js";
import type { Block, Chain, ChainLog } from "./state.js";

/** The EVM's JSON-RPC over the state: blocks, logs, balances and the precompiles' views. */
export class Evm implements RpcProvider {
  readonly requests: RpcRequest[] = [];
  /** Milliseconds by which a block's index is late. */
  indexMs = 0;
  /** The most blocks for one eth_getLogs. */
  maxRange = 10_000n;
  /** How many of the next answers fail. */
  failures = 0;
  readonly #chain: Chain;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  async request(request: RpcRequest): Promise<unknown> {
    this.requests.push(request);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failures > 0) {
      this.failures--;
      throw new Error("connect ECONNREFUSED");
    }
    const { method, params = [] } = request;
    switch (method) {
      case "eth_chainId":
        return quantity(BigInt(this.#chain.evmChainId));
      case "eth_blockNumber":
        return quantity(this.#chain.height);
      case "eth_gasPrice":
        return quantity((this.#chain.state.evm.baseFee * 9n) / 8n);
      case "eth_getBlockByNumber":
        return this.#block(String(params[0]), params[1] === true);
      case "eth_getTransactionCount":
        return quantity(this.#nonce(String(params[0])));
      case "eth_getTransactionReceipt":
        return this.#receipt(String(params[0]));
      case "eth_getBalance":
        return await this.#balance(String(params[0]), String(params[1]));
      case "eth_getLogs":
        return this.#logs(params[0] as LogQuery);
      case "eth_call": {
        const { to, data } = params[0] as { to: string; data: string };
        return await callPrecompile(
          this.#chain,
          to,
          data,
          this.#height(String(params[1])),
        );
      }
      default:
        throw new RpcError(
          `the method ${method} does not exist/is not available`,
          -32601,
          undefined,
        );
    }
  }

  #height(tag: string): bigint {
    return tag === "latest" ? 0n : BigInt(tag);
  }

  #indexed(block: Block): boolean {
    return Date.now() - block.at >= this.indexMs;
  }

  #nonce(address: string): bigint {
    const { account } = parseAddress(address);
    return this.#chain.state.accounts.get(account)?.sequence ?? 0n;
  }

  #receipt(hash: string): unknown {
    for (const [number, list] of this.#chain.transactions) {
      if (list.some((transaction) => transaction["hash"] === hash)) {
        return {
          transactionHash: hash,
          blockNumber: quantity(number),
          status: "0x1",
          gasUsed: "0x5208",
          contractAddress: null,
          logs: [],
        };
      }
    }
    return null;
  }

  #block(tag: string, full: boolean): unknown {
    const block = this.#chain.blocks.get(
      tag === "latest" ? this.#chain.height : BigInt(tag),
    );
    return block === undefined || !this.#indexed(block)
      ? null
      : {
          ...toHeader(block),
          transactions: (this.#chain.transactions.get(block.number) ?? []).map(
            (transaction) => (full ? transaction : transaction["hash"]),
          ),
        };
  }

  async #balance(address: string, tag: string): Promise<string> {
    const { account } = parseAddress(address);
    const { balance } = (await ask(
      new TestLedger(this.#chain),
      "cosmos.bank.v1beta1.Query/Balance",
      { address: account, denom: this.#chain.state.evm.denom },
      this.#height(tag),
    )) as { balance: { amount: string } };
    return quantity(BigInt(balance.amount));
  }

  #logs(query: LogQuery): readonly ChainLog[] {
    const [from, to] = [BigInt(query.fromBlock), BigInt(query.toBlock)];
    if (to > this.#chain.height || from > to) {
      throw new RpcError("invalid block range params", -32000, undefined);
    }
    if (to - from > this.maxRange) {
      throw new RpcError(
        `maximum [from, to] blocks distance: ${this.maxRange}`,
        -32000,
        undefined,
      );
    }
    const found: ChainLog[] = [];
    for (let number = from; number <= to; number++) {
      const block = this.#chain.blocks.get(number);
      if (block !== undefined && !this.#indexed(block)) {
        throw new RpcError(
          `failed to fetch header by number (latest): tx not found: hash=${block.hash}, error=GetTxByEthHash ${block.hash}: ethereum tx not found`,
          -32000,
          undefined,
        );
      }
      found.push(...(block?.logs ?? []).filter((log) => matches(log, query)));
    }
    return found;
  }
}

export interface LogFilter {
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
}

interface LogQuery extends LogFilter {
  readonly fromBlock: string;
  readonly toBlock: string;
}

const quantity = (value: bigint) => `0x${value.toString(16)}`;

export function matches(
  log: ChainLog,
  { address, topics = [] }: LogFilter,
): boolean {
  const addresses =
    address === undefined ? [] : [address].flat().map((a) => a.toLowerCase());
  return (
    (addresses.length === 0 || addresses.includes(log.address.toLowerCase())) &&
    topics.every(
      (topic, i) =>
        topic === null ||
        [topic]
          .flat()
          .some((one) => one.toLowerCase() === log.topics[i]?.toLowerCase()),
    )
  );
}

/** A head from `newHeads`: without gas, bloom and the operator. */
export function toHeader(block: Block) {
  const zero = `0x${"0".repeat(64)}`;
  return {
    baseFeePerGas: "0x3b9aca00",
    difficulty: "0x0",
    extraData: "0x",
    gasLimit: "0x0",
    gasUsed: "0x0",
    hash: block.hash,
    logsBloom: `0x${"0".repeat(512)}`,
    miner: "0xdf2998ca6e9600712efade102062353b90cf5a9d",
    mixHash: zero,
    nonce: "0x0000000000000000",
    number: quantity(block.number),
    parentHash: block.parentHash,
    receiptsRoot: zero,
    sha3Uncles: zero,
    stateRoot: zero,
    timestamp: quantity(block.timestamp),
    transactionsRoot: zero,
  };
}

/** Hex of a bech32 address, as precompiles write it. */
const hexOf = (text: string) => parseAddress(text).hex;

const INTERFACES = {
  staking: new Interface(JSON.stringify(PRECOMPILES.staking.abi)),
  distribution: new Interface(JSON.stringify(PRECOMPILES.distribution.abi)),
  governance: new Interface(JSON.stringify(PRECOMPILES.governance.abi)),
};

const valoperOf = (hex: string) =>
  addressForms(hexToBytes(hex.slice(2).toLowerCase()), "hex", "cosmos").valoper;
const accountOf = (hex: string) =>
  addressForms(hexToBytes(hex.slice(2).toLowerCase()), "hex", "cosmos").account;
const seconds = (time: { seconds: bigint } | undefined) =>
  (time?.seconds ?? 0n) < 0n ? 0n : (time?.seconds ?? 0n);
const nanos = (duration: { seconds: bigint; nanos: number }) =>
  duration.seconds * 1_000_000_000n + BigInt(duration.nanos);
const pageOf = (page: any) => ({
  key: hexToBytes(String(page.key).slice(2)),
  offset: page.offset,
  limit: page.limit,
  countTotal: page.countTotal,
  // By its index: arrays have a method of this name.
  reverse: page[4],
});
const nextOf = (pagination: any) => ({
  nextKey:
    pagination === undefined
      ? "0x"
      : `0x${Buffer.from(pagination.nextKey).toString("hex")}`,
  total: pagination?.total ?? 0n,
});
const whole = (coins: any[]) =>
  coins.map(({ denom, amount }) => ({
    denom,
    amount: BigInt(amount) / 10n ** 18n,
    precision: 18,
  }));
const coins = (list: any[]) =>
  list.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }));

const validatorOf = (v: any) => ({
  operatorAddress: hexOf(v.operatorAddress),
  consensusPubkey: Buffer.from(v.consensusPubkey.value.subarray(2)).toString(
    "base64",
  ),
  jailed: v.jailed,
  status: v.status,
  tokens: BigInt(v.tokens),
  delegatorShares: BigInt(v.delegatorShares),
  description: v.description,
  unbondingHeight: v.unbondingHeight,
  unbondingTime: seconds(v.unbondingTime),
  commission: BigInt(v.commission.commissionRates.rate),
  minSelfDelegation: BigInt(v.minSelfDelegation),
});
const NO_VALIDATOR = {
  operatorAddress: "",
  consensusPubkey: "",
  jailed: false,
  status: 0,
  tokens: 0n,
  delegatorShares: 0n,
  description: {
    moniker: "",
    identity: "",
    website: "",
    securityContact: "",
    details: "",
  },
  unbondingHeight: 0n,
  unbondingTime: 0n,
  commission: 0n,
  minSelfDelegation: 0n,
};
const tallyOf = (t: any) => ({
  yes: t.yesCount,
  abstain: t.abstainCount,
  no: t.noCount,
  noWithVeto: t.noWithVetoCount,
});
const proposalOf = (p: any) => ({
  id: p.id,
  messages: p.messages.map((message: any) => message.typeUrl),
  status: p.status,
  finalTallyResult: tallyOf(p.finalTallyResult),
  submitTime: seconds(p.submitTime),
  depositEndTime: seconds(p.depositEndTime),
  totalDeposit: coins(p.totalDeposit),
  votingStartTime: seconds(p.votingStartTime),
  votingEndTime: seconds(p.votingEndTime),
  metadata: p.metadata,
  title: p.title,
  summary: p.summary,
  proposer: hexOf(p.proposer),
});
const voteOf = (v: any) => ({
  proposalId: v.proposalId,
  voter: hexOf(v.voter),
  options: v.options,
  metadata: v.metadata,
});
const entryOf = (e: any) => ({
  creationHeight: e.creationHeight,
  completionTime: seconds(e.completionTime),
  initialBalance: BigInt(e.initialBalance),
  sharesDst: BigInt(e.sharesDst),
});

/** Missing things do not revert here, they are empty. */
const orEmpty = async <T>(found: () => Promise<T>, empty: T): Promise<T> => {
  try {
    return await found();
  } catch (error) {
    if (error instanceof Fault && error.code === 5) {
      return empty;
    }
    throw error;
  }
};

/** A view of a precompile; reverts as a node writes them. */
export async function callPrecompile(
  chain: Chain,
  to: string,
  data: string,
  height: bigint,
): Promise<string> {
  const name = (["staking", "distribution", "governance"] as const).find(
    (candidate) => PRECOMPILES[candidate].address === to.toLowerCase(),
  );
  if (name === undefined) {
    return "0x";
  }
  const codec = INTERFACES[name];
  const call = codec.parseTransaction({ data });
  if (call === null) {
    throw new RpcError("execution reverted", 3, "0x");
  }
  const q = async (path: string, request: object): Promise<any> =>
    await ask(new TestLedger(chain), `cosmos.${path}`, request, height);
  const a: any = call.args;
  const view = async (): Promise<readonly unknown[]> => {
    switch (call.name) {
      case "validators": {
        const r = await q("staking.v1beta1.Query/Validators", {
          status: a[0],
          pagination: pageOf(a[1]),
        });
        return [r.validators.map(validatorOf), nextOf(r.pagination)];
      }
      case "validator":
        return [
          await orEmpty(
            async () =>
              validatorOf(
                (
                  await q("staking.v1beta1.Query/Validator", {
                    validatorAddr: valoperOf(a[0]),
                  })
                ).validator,
              ),
            NO_VALIDATOR as never,
          ),
        ];
      case "delegation":
        return await orEmpty(async () => {
          const { delegation, balance } = (
            await q("staking.v1beta1.Query/Delegation", {
              delegatorAddr: accountOf(a[0]),
              validatorAddr: a[1],
            })
          ).delegationResponse;
          return [
            BigInt(delegation.shares),
            { denom: balance.denom, amount: BigInt(balance.amount) },
          ];
        }, [0n, { denom: chain.state.evm.denom, amount: 0n }]);
      case "unbondingDelegation":
        return [
          await orEmpty(
            async () => {
              const { unbond } = await q(
                "staking.v1beta1.Query/UnbondingDelegation",
                { delegatorAddr: accountOf(a[0]), validatorAddr: a[1] },
              );
              return {
                delegatorAddress: unbond.delegatorAddress,
                validatorAddress: unbond.validatorAddress,
                entries: unbond.entries.map((e: any) => ({
                  creationHeight: e.creationHeight,
                  completionTime: seconds(e.completionTime),
                  initialBalance: BigInt(e.initialBalance),
                  balance: BigInt(e.balance),
                  unbondingId: e.unbondingId,
                  unbondingOnHoldRefCount: e.unbondingOnHoldRefCount,
                })),
              };
            },
            { delegatorAddress: "", validatorAddress: "", entries: [] },
          ),
        ];
      case "redelegations": {
        const r = await q("staking.v1beta1.Query/Redelegations", {
          delegatorAddr: accountOf(a[0]),
          srcValidatorAddr: a[1],
          dstValidatorAddr: a[2],
          pagination: pageOf(a[3]),
        });
        return [
          r.redelegationResponses.map(({ redelegation, entries }: any) => ({
            redelegation: {
              ...redelegation,
              entries: redelegation.entries.map(entryOf),
            },
            entries: entries.map(({ redelegationEntry, balance }: any) => ({
              redelegationEntry: entryOf(redelegationEntry),
              balance: BigInt(balance),
            })),
          })),
          nextOf(r.pagination),
        ];
      }
      case "delegationRewards":
        return [
          whole(
            (
              await q("distribution.v1beta1.Query/DelegationRewards", {
                delegatorAddress: accountOf(a[0]),
                validatorAddress: a[1],
              })
            ).rewards,
          ),
        ];
      case "delegationTotalRewards": {
        const r = await q("distribution.v1beta1.Query/DelegationTotalRewards", {
          delegatorAddress: accountOf(a[0]),
        });
        return [
          r.rewards.map(({ validatorAddress, reward }: any) => ({
            validatorAddress,
            reward: whole(reward),
          })),
          whole(r.total),
        ];
      }
      case "validatorCommission":
        return [
          whole(
            (
              await q("distribution.v1beta1.Query/ValidatorCommission", {
                validatorAddress: a[0],
              })
            ).commission.commission,
          ),
        ];
      case "validatorOutstandingRewards":
        return [
          whole(
            (
              await q(
                "distribution.v1beta1.Query/ValidatorOutstandingRewards",
                {
                  validatorAddress: a[0],
                },
              )
            ).rewards.rewards,
          ),
        ];
      case "communityPool":
        return [
          whole((await q("distribution.v1beta1.Query/CommunityPool", {})).pool),
        ];
      case "delegatorWithdrawAddress":
        return [
          (
            await q("distribution.v1beta1.Query/DelegatorWithdrawAddress", {
              delegatorAddress: accountOf(a[0]),
            })
          ).withdrawAddress,
        ];
      case "getProposals": {
        const address = (hex: string) =>
          BigInt(hex) === 0n ? "" : accountOf(hex);
        const r = await q("gov.v1.Query/Proposals", {
          proposalStatus: Number(a[0]),
          voter: address(a[1]),
          depositor: address(a[2]),
          pagination: pageOf(a[3]),
        });
        return [r.proposals.map(proposalOf), nextOf(r.pagination)];
      }
      case "getProposal":
        return [
          proposalOf(
            (await q("gov.v1.Query/Proposal", { proposalId: a[0] })).proposal,
          ),
        ];
      case "getVotes": {
        const r = await q("gov.v1.Query/Votes", {
          proposalId: a[0],
          pagination: pageOf(a[1]),
        });
        return [r.votes.map(voteOf), nextOf(r.pagination)];
      }
      case "getVote":
        return [
          voteOf(
            (
              await q("gov.v1.Query/Vote", {
                proposalId: a[0],
                voter: accountOf(a[1]),
              })
            ).vote,
          ),
        ];
      case "getDeposits": {
        const r = await q("gov.v1.Query/Deposits", {
          proposalId: a[0],
          pagination: pageOf(a[1]),
        });
        return [
          r.deposits.map((d: any) => ({
            proposalId: d.proposalId,
            depositor: hexOf(d.depositor),
            amount: coins(d.amount),
          })),
          nextOf(r.pagination),
        ];
      }
      case "getTallyResult":
        return [
          tallyOf(
            (await q("gov.v1.Query/TallyResult", { proposalId: a[0] })).tally,
          ),
        ];
      case "getParams": {
        const { params: p } = await q("gov.v1.Query/Params", {});
        return [
          {
            ...p,
            votingPeriod: nanos(p.votingPeriod),
            maxDepositPeriod: nanos(p.maxDepositPeriod),
            expeditedVotingPeriod: nanos(p.expeditedVotingPeriod),
            minDeposit: coins(p.minDeposit),
            expeditedMinDeposit: coins(p.expeditedMinDeposit),
          },
        ];
      }
      default:
        throw new Fault(12, `no view ${call.name}`, { code: 6, log: "" });
    }
  };
  try {
    return codec.encodeFunctionResult(call.name, await view());
  } catch (error) {
    if (!(error instanceof Fault)) {
      throw error;
    }
    const text =
      error.code === 5
        ? `rpc error: code = NotFound desc = ${error.message}`
        : error.code === 3
          ? `rpc error: code = InvalidArgument desc = ${error.message}`
          : error.message.replace(/^codespace \w+ code \d+: /, "");
    const reason = new Interface(["error Error(string)"]).encodeErrorResult(
      "Error",
      [text],
    );
    throw new RpcError(`execution reverted: ${text}`, 3, reason);
  }
}

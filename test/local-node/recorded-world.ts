import { gunzipSync } from "node:zlib";
import { readFileSync } from "node:fs";

import { DirectEthSecp256k1Wallet } from "@cosmjs/proto-signing";
import { SigningStargateClient } from "@cosmjs/stargate";
import { hexToBytes } from "@noble/hashes/utils";
import { Contract, JsonRpcProvider } from "ethers";

import { PRECOMPILES } from "../../src/precompiles/index.js";
import { startNode, type StartedNode } from "./start.js";

/** A recorded HTTP request to a real node, and its answer. */
export interface HttpExchange {
  readonly name: string;
  readonly request: {
    /** The HTTP method, for REST. */
    readonly method?: string;
    /** The HTTP method, for the node RPC. */
    readonly transport?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly rawBody?: string;
  };
  /** 0 if it did not answer. */
  readonly status: number;
  readonly body: unknown;
}

export interface GrpcExchange {
  readonly name: string;
  readonly service: string;
  readonly method: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Base64. */
  readonly request?: string;
  readonly status: { readonly code: number; readonly details: string };
  readonly response?: string | null;
}

/** The recorded exchanges with a real node's framework side. */
export const EXCHANGES: {
  readonly rest: readonly HttpExchange[];
  readonly grpc: readonly GrpcExchange[];
  readonly nodeRpc: readonly HttpExchange[];
} = JSON.parse(
  gunzipSync(
    readFileSync(
      new URL("../vectors/framework/exchanges.json.gz", import.meta.url),
    ),
  ).toString(),
);

const ONE = 10n ** 18n;
/** Keeps a number, and logs `Ping(uint256,address)`. */
const CONTRACT = "0x98eDDadCfde04dC22a0e62119617e74a6Bc77313";
const CODE = Buffer.from(
  "YAA1gGAAVWAAUjN/wFs3PgXEdBfZxyBIB1UjieUSwOIcvAGgPRVUVhCArG5gIGAAogA=",
  "base64",
);

export interface RecordedWorld extends AsyncDisposable {
  readonly started: StartedNode;
  readonly provider: JsonRpcProvider;
  /**
   * Adapts the text of a recorded request to this chain's heights and hashes.
   */
  here(text: string): string;
}

/**
 * Starts a local node in the state that the recordings show: with the same
 * accounts, validators, delegations and proposals. It mines only for
 * transactions, so that nothing changes between requests.
 */
export async function startRecordedWorld(): Promise<RecordedWorld> {
  const started = await startNode(
    { automine: true },
    {
      baseDenom: "atest",
      currency: { name: "Test Token", symbol: "TEST" },
      localnet: {
        unbondingTime: 60,
        rewardRate: 0,
        governance: {
          votingPeriod: 60,
          expeditedVotingPeriod: 30,
          depositPeriod: 60,
          minDeposit: "10",
          expeditedMinDeposit: "50",
        },
        validators: [
          {
            operator: "cosmosvaloper15rh859pdye7p7dn3fe9g7atp9us209eqye2avw",
            moniker: "testnode",
            stake: "1000",
            pubkey: "hyH5DLcrL/5Dg4iYHZHld50DJg6vFbBZUk94MbFV73M=",
          },
          {
            operator: "cosmosvaloper1ydscaq0r7hxl0a2v84jl077q406my850qp5yc9",
            moniker: 'second "valid" <ätor>',
            identity: "ABCD1234",
            website: "https://validator.example",
            securityContact: "sec@validator.example",
            details: "Second validator\nwith a newline",
            stake: "5",
            commission: { rate: "0.05" },
            minSelfDelegation: "1",
            pubkey: "77VTMmdoclV9vYV+OTxOL691Pkhp8aegljuvUQo7R6w=",
          },
          {
            operator: "cosmosvaloper1jrmehaht938cwqm9u7zestslzq0f8wgx4mqf6y",
            moniker: "lab",
            stake: "1.051",
            pubkey: "cuvneexB6VPY8HZUx7VL9y4YM7cRXt3ag4jk++C8dKE=",
          },
        ],
      },
    },
  );
  const { endpoints, accounts } = started.node;
  const provider = new JsonRpcProvider(endpoints.evmUrl, undefined, {
    cacheTimeout: -1,
    pollingInterval: 20,
  });
  const hexOf = (i: number) => accounts[i]?.address ?? "0x";
  const [first, second] = [
    "cosmosvaloper15rh859pdye7p7dn3fe9g7atp9us209eqye2avw",
    "cosmosvaloper1ydscaq0r7hxl0a2v84jl077q406my850qp5yc9",
  ];
  const does = async (
    i: number,
    name: keyof typeof PRECOMPILES,
    method: string,
    ...args: unknown[]
  ) => {
    const signer = await provider.getSigner(hexOf(i));
    const { address, abi } = PRECOMPILES[name];
    const contract = new Contract(address, abi as never, signer);
    const sent = await contract
      .getFunction(method)
      .send(...args, { gasLimit: 5_000_000 });
    await sent.wait();
  };
  // The recordings also ask for blocks without transactions.
  for (let height = 2; height <= 5; height++) {
    await started.evm("evm_mine");
  }
  await started.evm("hardhat_setCode", CONTRACT, `0x${CODE.toString("hex")}`);
  await started.evm("hardhat_setNonce", CONTRACT, "0x1");
  await does(4, "staking", "delegate", hexOf(4), first, 2_000n * ONE);
  await does(5, "staking", "delegate", hexOf(5), first, 1_500n * ONE);
  await does(6, "staking", "delegate", hexOf(6), first, 1_000n * ONE);
  await does(7, "staking", "delegate", hexOf(7), first, 1_234567890123456789n);
  await does(
    7,
    "distribution",
    "setWithdrawAddress",
    hexOf(7),
    accounts[4]?.account,
  );
  const caller = await provider.getSigner(hexOf(8));
  const call = await caller.sendTransaction({
    to: CONTRACT,
    data: `0x${"2a".padStart(64, "0")}`,
    gasLimit: 100_000n,
  });
  const receipt = await call.wait();

  const coins = (amount: bigint) => [{ denom: "atest", amount: amount * ONE }];
  const propose = async (
    i: number,
    title: string,
    messages: readonly object[] = [],
    deposit = 10n,
    more: object = {},
  ) => {
    const json = JSON.stringify({
      messages,
      metadata: "ipfs://CID",
      title,
      summary: `summary of ${title}`,
      expedited: false,
      ...more,
    });
    const hex = `0x${Buffer.from(json).toString("hex")}`;
    await does(
      i,
      "governance",
      "submitProposal",
      hexOf(i),
      hex,
      coins(deposit),
    );
  };
  const governance = "cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn";
  const send = (amount: bigint) => ({
    "@type": "/cosmos.bank.v1beta1.MsgSend",
    from_address: governance,
    to_address: accounts[5]?.account,
    amount: [{ denom: "atest", amount: String(amount) }],
  });
  await does(4, "distribution", "fundCommunityPool", hexOf(4), coins(1n));
  await propose(4, "Text only, will pass");
  await propose(4, "Will be rejected");
  await propose(4, "Will fail to execute", [send(10n ** 27n)]);
  await propose(4, "Community pool spend", [
    {
      "@type": "/cosmos.distribution.v1beta1.MsgCommunityPoolSpend",
      authority: governance,
      recipient: accounts[6]?.account,
      amount: [{ denom: "atest", amount: "1000" }],
    },
  ]);
  for (const [id, option] of [1, 3, 1, 1].entries()) {
    for (const voter of [4, 5, 6]) {
      await does(voter, "governance", "vote", hexOf(voter), id + 1, option, "");
    }
  }
  await started.evm("dualstack_advance", 61);
  // Older rounds, whose deposits are returned before the newest proposals.
  for (let id = 5; id <= 16; id++) {
    await propose(6, `Of an older round ${id}`);
  }
  await started.evm("dualstack_advance", 61);
  await does(5, "staking", "redelegate", hexOf(5), first, second, 3n * ONE);
  await does(6, "staking", "undelegate", hexOf(6), first, 2n * ONE);
  await does(6, "staking", "undelegate", hexOf(6), first, 12_345n);
  await propose(4, 'In voting — ünïcode "quoted"', [send(1n)], 10n, {
    metadata: "",
  });
  await does(4, "governance", "vote", hexOf(4), 17, 1, '{"reason":"yes"}');
  await propose(6, "Collecting deposits", [], 1n);
  await does(4, "governance", "deposit", hexOf(4), 18, coins(2n));
  await propose(5, "Expedited", [], 50n, { expedited: true });
  await does(5, "governance", "vote", hexOf(5), 17, 4, "");
  await does(7, "governance", "vote", hexOf(7), 17, 3, "");
  const weights = [
    { option: 1, weight: "0.6" },
    { option: 2, weight: "0.3" },
    { option: 4, weight: "0.1" },
  ];
  await does(
    6,
    "governance",
    "voteWeighted",
    hexOf(6),
    17,
    weights,
    "weighted",
  );
  const cosmos = await sendByFramework(started, 7, 6, "valid");
  await sendByFramework(started, 9, 6, "");

  const height = String(receipt?.blockNumber);
  const { result }: any = await (
    await fetch(`${endpoints.nodeRpcUrl}/block?height=${height}`)
  ).json();
  const { result: found }: any = await (
    await fetch(
      `${endpoints.nodeRpcUrl}/tx_search?query="ethereum_tx.ethereumTxHash='${call.hash}'"`,
    )
  ).json();
  const hash = String(found.txs[0].hash);
  const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
  const replaced: readonly (readonly [RegExp, string])[] = [
    [/\b338\b/g, height],
    [
      /ec26906c61fcb90f2ca88f6f4046bfcbd021bdd06575850a60565454aac8667d/g,
      call.hash.slice(2),
    ],
    [/E09E688E86E53ADE8E5ECE14F72A5A8407CE0422E777C0FB840E175E5FF867EC/g, hash],
    [
      /e09e688e86e53ade8e5ece14f72a5a8407ce0422e777c0fb840e175e5ff867ec/g,
      hash.toLowerCase(),
    ],
    [/4J5ojoblOt6OXs4U9ypahAfOBCLnd8D7hA4XXl\/4Z\+w=/g, base64(hash)],
    [
      /A0D1725D4AD55C382A96BF6B8E6BDD3B376EFA82D45ABABE33DCCAC8EFD9C62C/g,
      cosmos,
    ],
    [/oNFyXUrVXDgqlr9rjmvdOzdu\+oLUWrq\+M9zKyO\/Zxiw=/g, base64(cosmos)],
    [
      /7XtiKD\+7E9Voi97MMv7HshiDJjDjQX7Aelu4wqhs4O0=/g,
      base64(result.block_id.hash),
    ],
  ];
  return {
    started,
    provider,
    here: (text) =>
      replaced.reduce((all, [from, to]) => all.replace(from, to), text),
    async [Symbol.asyncDispose]() {
      provider.destroy();
      await started[Symbol.asyncDispose]();
    },
  };
}

/** Sends tokens on the framework's side, and returns the hash. */
async function sendByFramework(
  { node }: StartedNode,
  from: number,
  to: number,
  memo: string,
): Promise<string> {
  const { account = "", privateKey = "0x" } = node.accounts[from] ?? {};
  const client = await SigningStargateClient.connectWithSigner(
    node.endpoints.nodeRpcUrl,
    await DirectEthSecp256k1Wallet.fromKey(
      hexToBytes(privateKey.slice(2)),
      "cosmos",
    ),
    { broadcastPollIntervalMs: 20 },
  );
  const { code, rawLog, transactionHash } = await client.sendTokens(
    account,
    node.accounts[to]?.account ?? "",
    [{ denom: "atest", amount: "1000" }],
    { amount: [{ denom: "atest", amount: "200000000000000" }], gas: "200000" },
    memo,
  );
  client.disconnect();
  if (code !== 0) {
    throw new Error(rawLog);
  }
  return transactionHash;
}

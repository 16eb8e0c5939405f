import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { serializeSignDoc, type StdSignDoc } from "@cosmjs/amino";
import {
  DirectEthSecp256k1Wallet,
  type EncodeObject,
  type OfflineSigner,
  Registry,
} from "@cosmjs/proto-signing";
import {
  AminoTypes,
  createDefaultAminoConverters,
  defaultRegistryTypes,
  SigningStargateClient,
} from "@cosmjs/stargate";
import * as grpc from "@grpc/grpc-js";
import { hexToBytes } from "@noble/hashes/utils";
import {
  BroadcastMode,
  GetTxsEventRequest,
  ServiceClientImpl,
  SimulateRequest,
} from "cosmjs-types/cosmos/tx/v1beta1/service";
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { AuthInfo, TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { VoteOption } from "cosmjs-types/cosmos/gov/v1/gov";
import { MsgUnjail } from "cosmjs-types/cosmos/slashing/v1beta1/tx";
import {
  computeAddress,
  Contract,
  JsonRpcProvider,
  keccak256,
  SigningKey,
} from "ethers";

import { parseAddress } from "../../src/address/index.js";
import { TEST_KEYS } from "../../src/chain/test-keys.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { startNode, type StartedNode } from "./start.js";

const ONE = 10n ** 18n;
const coin = (amount: bigint) => ({ denom: "anative", amount: String(amount) });
const gas = 1_500_000;
const fee = {
  amount: [coin(BigInt(gas) * 10n ** 9n)],
  gas: String(gas),
};

/** A refused transaction keeps the process waiting for that long. */
const IMPATIENT = { broadcastPollIntervalMs: 10, broadcastTimeoutMs: 5_000 };

/**
 * A wallet that signs messages as JSON, as hardware wallets do, with Ethereum's
 * hash.
 */
function aminoWallet(address: string, privateKey: string): OfflineSigner {
  const key = new SigningKey(privateKey);
  const pubkey = hexToBytes(key.compressedPublicKey.slice(2));
  const text = Buffer.from(pubkey).toString("base64");
  return {
    getAccounts: async () => [{ address, algo: "eth_secp256k1", pubkey }],
    signAmino: async (_signer: string, signDoc: StdSignDoc) => {
      const { r, s } = key.sign(keccak256(serializeSignDoc(signDoc)));
      return {
        signed: signDoc,
        signature: {
          pub_key: { type: "os/PubKeyEthSecp256k1", value: text },
          signature: Buffer.from(hexToBytes(r.slice(2) + s.slice(2))).toString(
            "base64",
          ),
        },
      };
    },
  };
}

const plain = (aminoType: string, toAmino: (value: any) => object) => ({
  aminoType,
  toAmino,
  fromAmino: ({ proposal_id, initial_deposit, ...rest }: any) => ({
    ...rest,
    ...(proposal_id === undefined ? {} : { proposalId: BigInt(proposal_id) }),
    ...(initial_deposit === undefined
      ? {}
      : { initialDeposit: initial_deposit, messages: [] }),
  }),
});

/** CosmJS leaves governance's newer messages to its users. */
const aminoTypes = new AminoTypes({
  ...createDefaultAminoConverters(),
  "/cosmos.slashing.v1beta1.MsgUnjail": {
    aminoType: "cosmos-sdk/MsgUnjail",
    toAmino: ({ validatorAddr }: MsgUnjail) => ({ address: validatorAddr }),
    fromAmino: ({ address }: any) => ({ validatorAddr: address }),
  },
  "/cosmos.gov.v1.MsgSubmitProposal": plain(
    "cosmos-sdk/v1/MsgSubmitProposal",
    ({ initialDeposit, proposer, metadata, title, summary }) => ({
      initial_deposit: initialDeposit,
      proposer,
      metadata,
      title,
      summary,
    }),
  ),
  "/cosmos.gov.v1.MsgDeposit": plain(
    "cosmos-sdk/v1/MsgDeposit",
    ({ proposalId, depositor, amount }) => ({
      proposal_id: String(proposalId),
      depositor,
      amount,
    }),
  ),
  "/cosmos.gov.v1.MsgVote": plain(
    "cosmos-sdk/v1/MsgVote",
    ({ proposalId, voter, option, metadata }) => ({
      proposal_id: String(proposalId),
      voter,
      option,
      metadata,
    }),
  ),
  "/cosmos.gov.v1.MsgVoteWeighted": plain(
    "cosmos-sdk/v1/MsgVoteWeighted",
    ({ proposalId, voter, options, metadata }) => ({
      proposal_id: String(proposalId),
      voter,
      options,
      metadata,
    }),
  ),
});

const TRANSFER = "coin_spent coin_received transfer message";
/** Types of events in their order, as a real node emits them. */
const EVENTS: Readonly<Record<string, string>> = {
  MsgSend: `message ${TRANSFER}`,
  MsgMultiSend:
    "message message coin_spent coin_received transfer coin_received transfer",
  MsgDelegate: "message coin_spent coin_received delegate",
  MsgUndelegate: `message ${TRANSFER} withdraw_rewards ${TRANSFER} unbond`,
  MsgCancelUnbondingDelegation: `message ${TRANSFER} withdraw_rewards ${TRANSFER} cancel_unbonding_delegation`,
  MsgBeginRedelegate: `message ${TRANSFER} withdraw_rewards redelegate`,
  MsgWithdrawDelegatorReward: `message ${TRANSFER} withdraw_rewards`,
  MsgSetWithdrawAddress: "message set_withdraw_address",
  MsgFundCommunityPool: `message ${TRANSFER}`,
  MsgSubmitProposal: `message submit_proposal ${TRANSFER} proposal_deposit`,
  // The second one says that the vote begins.
  MsgDeposit: `message ${TRANSFER} proposal_deposit proposal_deposit`,
  MsgVote: "message proposal_vote",
};

/** CosmJS has no message for slashing. */
const UNJAIL = "/cosmos.slashing.v1beta1.MsgUnjail";
const registry = new Registry([...defaultRegistryTypes, [UNJAIL, MsgUnjail]]);

describe("messages of the framework", () => {
  let started: StartedNode;
  let provider: JsonRpcProvider;
  before(async () => {
    started = await startNode(
      { automine: true },
      {
        localnet: {
          // The tests have their keys.
          validators: [18, 19, 5].map((i) => ({
            operator: computeAddress(TEST_KEYS[i] ?? ""),
          })),
        },
      },
    );
    provider = new JsonRpcProvider(started.node.endpoints.evmUrl, undefined, {
      cacheTimeout: -1,
    });
  });
  after(async () => {
    provider.destroy();
    await started[Symbol.asyncDispose]();
  });

  const accountOf = (i: number) => started.node.accounts[i]?.account ?? "";
  const hexOf = (i: number) => started.node.accounts[i]?.address ?? "0x";
  const rest = async (path: string): Promise<any> =>
    await (await fetch(started.node.endpoints.restUrl + path)).json();

  async function clientOf(i: number, signing: "direct" | "amino") {
    const key = started.node.accounts[i]?.privateKey ?? "0x";
    const wallet =
      signing === "amino"
        ? aminoWallet(accountOf(i), key)
        : await DirectEthSecp256k1Wallet.fromKey(
            hexToBytes(key.slice(2)),
            "cosmos",
          );
    return await SigningStargateClient.connectWithSigner(
      started.node.endpoints.nodeRpcUrl,
      wallet,
      { ...IMPATIENT, aminoTypes, registry },
    );
  }

  it("are checked when the block before them is complete", async () => {
    const client = await clientOf(7, "direct");
    const own = accountOf(7);
    const { accountNumber } = await client.getSequence(own);
    const { nodeRpcUrl } = started.node.endpoints;
    const message = {
      typeUrl: "/cosmos.bank.v1beta1.MsgSend",
      value: {
        fromAddress: own,
        toAddress: accountOf(8),
        amount: [coin(1n)],
      },
    };
    const chainId = await client.getChainId();
    const signed: string[] = [];
    for (let sequence = 0; sequence < 4; sequence++) {
      const raw = await client.sign(own, [message], fee, "", {
        accountNumber,
        sequence,
        chainId,
      });
      signed.push(Buffer.from(TxRaw.encode(raw).finish()).toString("base64"));
    }
    // Each is sent while the block of the one before it may still be running.
    for (const tx of signed) {
      const answer = await fetch(nodeRpcUrl, {
        method: "POST",
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "broadcast_tx_sync",
          params: { tx },
        }),
      });
      const { result }: any = await answer.json();
      assert.equal(result.code, 0, result.log);
    }
  });

  for (const [signing, i] of [
    ["direct", 2],
    ["amino", 3],
  ] as const) {
    it(`run, signed the ${signing} way`, async () => {
      const client = await clientOf(i, signing);
      const own = accountOf(i);
      const { validators } = await rest("/cosmos/staking/v1beta1/validators");
      const [first, second] = validators.map(
        (one: any) => one.operator_address,
      );
      const run = async (typeUrl: string, value: object) => {
        const messages: EncodeObject[] = [{ typeUrl, value }];
        const estimate = await client.simulate(own, messages, "");
        const result = await client.signAndBroadcast(own, messages, fee, "");
        assert.equal(result.code, 0, `${typeUrl}: ${result.rawLog}`);
        // As on a chain, the rewards of the next block are settled, too.
        const used = Number(result.gasUsed);
        assert.ok(
          used > estimate * 0.9 && used < estimate * 1.4,
          `${typeUrl}: ${estimate} estimated, ${used} used`,
        );
        const actions = result.events
          .filter(({ type }) => type === "message")
          .flatMap(({ attributes }) => attributes)
          .filter(({ key }) => key === "action")
          .map(({ value: action }) => action);
        assert.deepEqual(actions, [typeUrl]);
        const told = EVENTS[typeUrl.slice(typeUrl.lastIndexOf(".") + 1)];
        if (told !== undefined) {
          // The fee's events come first.
          const types = result.events.slice(7).map(({ type }) => type);
          assert.equal(types.join(" "), told, typeUrl);
        }
        return result;
      };
      const staking = "/cosmos.staking.v1beta1.";
      const distribution = "/cosmos.distribution.v1beta1.";
      const delegation = { delegatorAddress: own, validatorAddress: first };

      const before = await provider.getBalance(hexOf(15));
      await run("/cosmos.bank.v1beta1.MsgSend", {
        fromAddress: own,
        toAddress: accountOf(15),
        amount: [coin(5n)],
      });
      await run("/cosmos.bank.v1beta1.MsgMultiSend", {
        inputs: [{ address: own, coins: [coin(7n)] }],
        outputs: [
          { address: accountOf(15), coins: [coin(4n)] },
          { address: accountOf(16), coins: [coin(3n)] },
        ],
      });
      assert.equal(await provider.getBalance(hexOf(15)), before + 9n);

      await run(`${staking}MsgDelegate`, {
        ...delegation,
        amount: coin(9n * ONE),
      });
      await run(`${staking}MsgUndelegate`, {
        ...delegation,
        amount: coin(2n * ONE),
      });
      const { unbond } = await rest(
        `/cosmos/staking/v1beta1/validators/${first}/delegations/${own}/unbonding_delegation`,
      );
      await run(`${staking}MsgCancelUnbondingDelegation`, {
        ...delegation,
        amount: coin(ONE),
        creationHeight: BigInt(unbond.entries[0].creation_height),
      });
      await run(`${staking}MsgBeginRedelegate`, {
        delegatorAddress: own,
        validatorSrcAddress: first,
        validatorDstAddress: second,
        amount: coin(3n * ONE),
      });
      const { delegation_responses: delegations } = await rest(
        `/cosmos/staking/v1beta1/delegations/${own}`,
      );
      assert.deepEqual(
        Object.fromEntries(
          delegations.map((one: any) => [
            one.delegation.validator_address,
            one.balance.amount,
          ]),
        ),
        { [first]: String(5n * ONE), [second]: String(3n * ONE) },
      );

      await run(`${distribution}MsgSetWithdrawAddress`, {
        delegatorAddress: own,
        withdrawAddress: accountOf(17),
      });
      await started.evm("dualstack_advance", 86_400);
      const paid = await provider.getBalance(hexOf(17));
      await run(`${distribution}MsgWithdrawDelegatorReward`, delegation);
      assert.ok((await provider.getBalance(hexOf(17))) > paid);
      const pool = async () =>
        BigInt(
          (
            await rest("/cosmos/distribution/v1beta1/community_pool")
          ).pool[0]?.amount.split(".")[0] ?? 0,
        );
      const held = await pool();
      await run(`${distribution}MsgFundCommunityPool`, {
        depositor: own,
        amount: [coin(11n)],
      });
      assert.equal(await pool(), held + 11n);

      const { proposals: earlier } = await rest("/cosmos/gov/v1/proposals");
      const proposalId = BigInt(earlier.length + 1);
      await run("/cosmos.gov.v1.MsgSubmitProposal", {
        messages: [],
        initialDeposit: [coin(ONE)],
        proposer: own,
        metadata: "ipfs://CID",
        title: "A proposal & <more>",
        summary: `signed the ${signing} way`,
        expedited: false,
      });
      await run("/cosmos.gov.v1.MsgDeposit", {
        proposalId,
        depositor: own,
        amount: [coin(9n * ONE)],
      });
      const path = `/cosmos/gov/v1/proposals/${proposalId}`;
      const { proposal } = await rest(path);
      assert.equal(proposal.title, "A proposal & <more>");
      assert.equal(proposal.status, "PROPOSAL_STATUS_VOTING_PERIOD");
      await run("/cosmos.gov.v1.MsgVote", {
        proposalId,
        voter: own,
        option: VoteOption.VOTE_OPTION_NO,
        metadata: "why",
      });
      const governance = new Contract(
        PRECOMPILES.governance.address,
        PRECOMPILES.governance.abi,
        provider,
      );
      const voteOf = async () =>
        await governance.getFunction("getVote")(proposalId, hexOf(i));
      assert.equal((await voteOf()).options[0].option, 3n);
      await run("/cosmos.gov.v1.MsgVoteWeighted", {
        proposalId,
        voter: own,
        options: [
          {
            option: VoteOption.VOTE_OPTION_YES,
            weight: "0.700000000000000000",
          },
          { option: VoteOption.VOTE_OPTION_NO, weight: "0.300000000000000000" },
        ],
        metadata: "both",
      });
      assert.deepEqual(
        (await voteOf()).options.map((one: any) => [one.option, one.weight]),
        [
          [1n, "0.700000000000000000"],
          [3n, "0.300000000000000000"],
        ],
      );
      await run("/cosmos.gov.v1beta1.MsgVote", {
        proposalId,
        voter: own,
        option: VoteOption.VOTE_OPTION_ABSTAIN,
      });
      assert.equal((await voteOf()).options[0].option, 2n);
      client.disconnect();
    });
  }

  it("free a validator from jail, once its time is over", async () => {
    const own = accountOf(5);
    const { valoper } = parseAddress(hexOf(5));
    const read = async () => {
      const { validator } = await rest(
        `/cosmos/staking/v1beta1/validators/${valoper}`,
      );
      return [validator.jailed, validator.status];
    };
    const unjail = async (signing: "direct" | "amino") => {
      const client = await clientOf(5, signing);
      const message = { typeUrl: UNJAIL, value: { validatorAddr: valoper } };
      const result = await client.signAndBroadcast(own, [message], fee, "");
      client.disconnect();
      const { tx_response: found } = await rest(
        `/cosmos/tx/v1beta1/txs/${result.transactionHash}`,
      );
      return found;
    };
    const { code, codespace, raw_log: log } = await unjail("direct");
    assert.deepEqual([code, codespace], [5, "slashing"], log);
    assert.match(log, /message index: 0: validator not jailed; cannot be/);
    await started.evm("dualstack_slashValidator", valoper, "0.01");
    const early = await unjail("direct");
    assert.deepEqual([early.code, early.codespace], [4, "slashing"]);
    assert.match(early.raw_log, /validator still jailed; cannot be unjailed/);
    assert.deepEqual(await read(), [true, "BOND_STATUS_UNBONDING"]);
    await started.evm("dualstack_advance", 600);
    const done = await unjail("amino");
    assert.equal(done.code, 0, done.raw_log);
    assert.deepEqual(done.tx.body.messages, [
      { "@type": UNJAIL, validator_addr: valoper },
    ]);
    const told = done.events.slice(7);
    assert.deepEqual(
      told.map(({ type, attributes }: any) => [
        type,
        attributes.map(({ value }: any) => value),
      ]),
      [["message", [UNJAIL, own, "slashing", "0"]]],
    );
    assert.deepEqual(await read(), [false, "BOND_STATUS_BONDED"]);
  });

  it("are refused if the JSON that was signed is another one", async () => {
    const client = await clientOf(4, "amino");
    const signer = await SigningStargateClient.connectWithSigner(
      started.node.endpoints.nodeRpcUrl,
      {
        ...aminoWallet(
          accountOf(4),
          started.node.accounts[4]?.privateKey ?? "",
        ),
        signAmino: async (_address: string, signDoc: StdSignDoc) => {
          const wallet: any = aminoWallet(
            accountOf(4),
            started.node.accounts[4]?.privateKey ?? "",
          );
          const { signature } = await wallet.signAmino(accountOf(4), {
            ...signDoc,
            memo: "another",
          });
          return { signed: signDoc, signature };
        },
      } as OfflineSigner,
      { ...IMPATIENT, aminoTypes },
    );
    await assert.rejects(
      signer.sendTokens(accountOf(4), accountOf(5), [coin(1n)], fee),
      /unable to verify single signer signature/,
    );
    await assert.rejects(
      client.sendTokens(
        accountOf(4),
        accountOf(5),
        [coin(1n)],
        fee,
        "x".repeat(257),
      ),
      /maximum number of characters is 256 but received 257 characters/,
    );
    signer.disconnect();
    client.disconnect();
  });

  it("fail for what the modules refuse, with their codes", async () => {
    const client = await clientOf(10, "direct");
    const own = accountOf(10);
    const validator = (await rest("/cosmos/staking/v1beta1/validators"))
      .validators[0].operator_address;
    const send = (value: object) => ({
      typeUrl: "/cosmos.bank.v1beta1.MsgSend",
      value: {
        fromAddress: own,
        toAddress: accountOf(8),
        amount: [coin(1n)],
        ...value,
      },
    });
    const vote = { proposalId: 1n, voter: own, option: 9, metadata: "" };
    const modules = await rest("/cosmos/auth/v1beta1/module_accounts");
    for (const [message, code, codespace, reason] of [
      [send({ amount: [coin(0n)] }), 10, "sdk", "0anative: invalid coins"],
      [send({ amount: [] }), 10, "sdk", ": invalid coins"],
      [send({ amount: [coin(-1n)] }), 10, "sdk", "-1anative: invalid coins"],
      [
        send({ amount: [coin(1n), coin(1n)] }),
        10,
        "sdk",
        "1anative,1anative: invalid coins",
      ],
      [
        send({ amount: [{ denom: "!", amount: "1" }] }),
        10,
        "sdk",
        "1!: invalid coins",
      ],
      [
        send({ toAddress: "bad" }),
        7,
        "sdk",
        "invalid to address: unknown address format: bad: unknown address: invalid address",
      ],
      [
        send({ toAddress: "" }),
        7,
        "sdk",
        "invalid to address: empty address string is not allowed: invalid address: invalid address",
      ],
      [
        send({ toAddress: validator }),
        7,
        "sdk",
        "invalid to address: hrp does not match bech32 prefix: expected 'cosmos' got 'cosmosvaloper': internal logic error: invalid address",
      ],
      ...modules.accounts.map(({ base_account: { address } }: any) => [
        send({ toAddress: address }),
        4,
        "sdk",
        `${address} is not allowed to receive funds: unauthorized`,
      ]),
      [
        {
          typeUrl: "/cosmos.staking.v1beta1.MsgDelegate",
          value: {
            delegatorAddress: own,
            validatorAddress: validator,
            amount: coin(-5n),
          },
        },
        18,
        "sdk",
        "invalid delegation amount: invalid request",
      ],
      [
        {
          typeUrl: "/cosmos.distribution.v1beta1.MsgFundCommunityPool",
          value: { depositor: own, amount: [] },
        },
        10,
        "sdk",
        "amount cannot be nil: invalid coins",
      ],
      [
        { typeUrl: "/cosmos.gov.v1.MsgVote", value: vote },
        7,
        "gov",
        "9: invalid vote option",
      ],
      [
        {
          typeUrl: "/cosmos.bank.v1beta1.MsgMultiSend",
          value: {
            inputs: [{ address: own, coins: [coin(5n)] }],
            outputs: [{ address: accountOf(8), coins: [coin(4n)] }],
          },
        },
        4,
        "bank",
        "sum inputs != sum outputs",
      ],
    ] as readonly (readonly [EncodeObject, number, string, string])[]) {
      const { transactionHash: hash } = await client.signAndBroadcast(
        own,
        [message],
        fee,
      );
      const { tx_response: told } = await rest(
        `/cosmos/tx/v1beta1/txs/${hash}`,
      );
      assert.deepEqual(
        { code: told.code, codespace: told.codespace, log: told.raw_log },
        {
          code,
          codespace,
          log: `failed to execute message; message index: 0: ${reason}`,
        },
      );
    }
    client.disconnect();
  });

  it("are refused for what the chain's decoder and checks do not take", async () => {
    const key = started.node.accounts[9]?.privateKey ?? "0x";
    const own = accountOf(9);
    const wallet = await DirectEthSecp256k1Wallet.fromKey(
      hexToBytes(key.slice(2)),
      "cosmos",
    );
    const { default_node_info: node } = await rest(
      "/cosmos/base/tendermint/v1beta1/node_info",
    );
    const { info } = await rest(`/cosmos/auth/v1beta1/account_info/${own}`);
    const [signer] = await wallet.getAccounts();
    const publicKey = {
      typeUrl: "/cosmos.evm.crypto.v1.ethsecp256k1.PubKey",
      value: PubKey.encode({
        key: signer?.pubkey ?? new Uint8Array(),
      }).finish(),
    };
    const message = registry.encodeAsAny({
      typeUrl: "/cosmos.bank.v1beta1.MsgSend",
      value: {
        fromAddress: own,
        toAddress: accountOf(8),
        amount: [coin(1n)],
      },
    });
    const broadcast = async (
      body: object,
      fees: object = {},
      signatures?: (own: Uint8Array) => Uint8Array[],
    ) => {
      const bodyBytes = TxBody.encode(
        TxBody.fromPartial({ messages: [message], ...body }),
      ).finish();
      const authInfoBytes = AuthInfo.encode(
        AuthInfo.fromPartial({
          signerInfos: [
            {
              publicKey,
              modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
              sequence: BigInt(info.sequence),
            },
          ],
          fee: { amount: fee.amount, gasLimit: BigInt(gas), ...fees },
        }),
      ).finish();
      const { signature } = await wallet.signDirect(own, {
        bodyBytes,
        authInfoBytes,
        chainId: node.network,
        accountNumber: BigInt(info.account_number),
      });
      const signed = new Uint8Array(Buffer.from(signature.signature, "base64"));
      const tx = TxRaw.encode({
        bodyBytes,
        authInfoBytes,
        signatures: signatures?.(signed) ?? [signed],
      }).finish();
      const response = await fetch(started.node.endpoints.nodeRpcUrl, {
        method: "POST",
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "broadcast_tx_sync",
          params: { tx: Buffer.from(tx).toString("base64") },
        }),
      });
      const { result }: any = await response.json();
      return [result?.code, result?.log];
    };
    const extension = { typeUrl: "/x.Y", value: new Uint8Array() };
    const past = { seconds: 1_000_000_000n, nanos: 0 };
    const other = accountOf(8);
    for (const [answer, code, log] of [
      [
        broadcast({ extensionOptions: [extension] }),
        2,
        /^unable to resolve type URL \/x\.Y: tx parse error$/,
      ],
      [
        broadcast({ nonCriticalExtensionOptions: [extension] }),
        2,
        /tx parse error$/,
      ],
      [
        broadcast({}, { amount: [{ denom: "anative", amount: "x" }] }),
        2,
        /^math\/big: cannot unmarshal "x" into a \*big\.Int: tx parse error$/,
      ],
      [
        broadcast({}, { gasLimit: 2n ** 63n }),
        18,
        /^invalid gas supplied; 9223372036854775808 > 9223372036854775807: invalid request$/,
      ],
      [
        broadcast({}, { amount: [{ denom: "anative", amount: "-1" }] }),
        13,
        /^invalid fee provided: -1anative: insufficient fee$/,
      ],
      [
        broadcast({}, { payer: other }),
        4,
        /^wrong number of signers; expected 2, got 1: unauthorized$/,
      ],
      [
        broadcast({}, { granter: other }),
        38,
        / does not allow to pay fees for .*: fee-grant not found: not found$/,
      ],
      [broadcast({}, {}, () => []), 15, /^no signatures supplied$/],
      [
        broadcast({}, {}, (one) => [one, one]),
        4,
        /^wrong number of signers; expected 1, got 2: unauthorized$/,
      ],
      [
        broadcast({ timeoutTimestamp: past }),
        42,
        /^block time: .* UTC, timeout timestamp: 2001-09-09 01:46:40 \+0000 UTC: tx timeout$/,
      ],
      [
        broadcast({ unordered: true }),
        37,
        /^unordered transactions are not enabled: feature not supported$/,
      ],
      [
        broadcast({ memo: "😀".repeat(65) }),
        12,
        /^maximum number of characters is 256 but received 260 characters: memo too large$/,
      ],
    ] as const) {
      const [gotCode, gotLog] = await answer;
      assert.match(String(gotLog), log);
      assert.equal(gotCode, code, String(gotLog));
    }
    const later = { seconds: BigInt(2 ** 33), nanos: 0 };
    assert.deepEqual(
      await broadcast({ timeoutTimestamp: later, memo: "😀".repeat(64) }),
      [0, ""],
    );
  });

  it("are broadcast, found and simulated by gRPC alone", async () => {
    const client = await clientOf(6, "direct");
    const signed = TxRaw.encode(
      await client.sign(
        accountOf(6),
        [
          {
            typeUrl: "/cosmos.bank.v1beta1.MsgSend",
            value: {
              fromAddress: accountOf(6),
              toAddress: accountOf(7),
              amount: [coin(3n)],
            },
          },
        ],
        fee,
        "by gRPC",
      ),
    ).finish();
    const channel = new grpc.Client(
      started.node.endpoints.grpcHost,
      grpc.credentials.createInsecure(),
    );
    const same = (bytes: Buffer) => bytes;
    const service = new ServiceClientImpl({
      request: async (name: string, method: string, data: Uint8Array) =>
        await new Promise<Uint8Array>((resolve, reject) => {
          channel.makeUnaryRequest(
            `/${name}/${method}`,
            same,
            same,
            Buffer.from(data),
            (error, value) => {
              if (error !== null || value === undefined) reject(error);
              else resolve(new Uint8Array(value));
            },
          );
        }),
    });
    const mode = BroadcastMode.BROADCAST_MODE_SYNC;
    const { gasInfo } = await service.Simulate(
      SimulateRequest.fromPartial({ txBytes: signed }),
    );
    const { txResponse } = await service.BroadcastTx({ txBytes: signed, mode });
    assert.equal(txResponse?.code, 0, txResponse?.rawLog);
    const hash = txResponse?.txhash ?? "";
    while ((await client.getTx(hash)) === null) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const found = await service.GetTx({ hash });
    assert.equal(found.tx?.body?.memo, "by gRPC");
    assert.equal(found.txResponse?.code, 0);
    const used = Number(found.txResponse?.gasUsed);
    assert.ok(Math.abs(used - Number(gasInfo?.gasUsed)) < 15_000);
    const { txs, total } = await service.GetTxsEvent(
      GetTxsEventRequest.fromPartial({
        query: `transfer.recipient='${accountOf(7)}' AND transfer.sender EXISTS AND tx.height=${String(found.txResponse?.height)}`,
      }),
    );
    assert.equal(total, 1n);
    assert.equal(txs[0]?.body?.memo, "by gRPC");
    const block = await service.GetBlockWithTxs({
      height: found.txResponse?.height ?? 0n,
    });
    assert.ok(block.txs.some(({ body }) => body?.memo === "by gRPC"));
    const garbage = await service.BroadcastTx({
      txBytes: new TextEncoder().encode("garbage"),
      mode,
    });
    assert.equal(garbage.txResponse?.code, 2);
    assert.match(garbage.txResponse?.rawLog ?? "", /tx parse error/);
    const later = await service.BroadcastTx({
      txBytes: new TextEncoder().encode("other garbage"),
      mode: BroadcastMode.BROADCAST_MODE_ASYNC,
    });
    assert.equal(later.txResponse?.code, 0);
    // Without a mode, and with one that is gone, a node sends nothing.
    for (const none of [
      BroadcastMode.BROADCAST_MODE_UNSPECIFIED,
      BroadcastMode.BROADCAST_MODE_BLOCK,
    ]) {
      await assert.rejects(
        service.BroadcastTx({ txBytes: signed, mode: none }),
        /unsupported return type unspecified; supported types: sync, async/,
      );
    }
    await assert.rejects(
      service.Simulate(SimulateRequest.fromPartial({})),
      /empty txBytes is not allowed/,
    );
    channel.close();
    client.disconnect();
  });
});

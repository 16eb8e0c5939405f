import type {
  AccountData,
  DirectEthSecp256k1Wallet,
  EncodeObject,
  Registry,
} from "@cosmjs/proto-signing";
import { hexToBytes } from "@noble/hashes/utils";

import { parseAddress } from "../../address/index.js";
import type { ChainFacts } from "../../chain/facts.js";
import { Queue, sleep } from "../../support/async.js";
import { HttpError } from "../../support/http.js";
import { cleanText } from "../../support/text.js";
import { FrameworkError } from "../errors.js";
import type { AddressForms } from "../query/answers.js";
import type { IncludedTransaction, NodeRpcClient } from "./client.js";
import { frameworkRegistry } from "./registry.js";

/** Hands out nonces; both stacks count the same one, so both must ask the same source. */
export interface NonceSource {
  /** Reserves the account's next nonce. */
  next(address: `0x${string}`): Promise<bigint>;
  /** Gives back a nonce under which nothing was sent. */
  release?(address: `0x${string}`, nonce: bigint): void | Promise<void>;
}

export interface SenderOptions {
  /** 32 bytes, or hex; the same key as on the EVM's side. */
  readonly privateKey: Uint8Array | string;
  /** Base units per gas; asked before every transaction. */
  readonly gasPrice: () => Promise<bigint>;
  /** Without it the chain's committed nonce is used. */
  readonly nonces?: NonceSource;
  /** Milliseconds between looks for the transaction in a block. */
  readonly pollMs?: number;
}

/** A message of the framework, such as `{ typeUrl: "/cosmos.gov.v1.MsgVote", value: … }`. */
export type FrameworkMessage = EncodeObject;

export interface SendOptions {
  readonly memo?: string;
  /** The gas limit; by default what the simulation used, plus a tenth. */
  readonly gas?: bigint;
  /** Base units per gas. */
  readonly gasPrice?: bigint;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

// Nothing is paid back on this side, so the margin is small.
const MARGIN = { numerator: 11n, denominator: 10n } as const;
// Only sets the fee of the transaction that is simulated.
const FIRST_GUESS = 300_000n;
const WRONG_SEQUENCE = 32;
const ATTEMPTS = 3;

/** @see NodeRpcClient.sender */
export async function createSender(
  node: NodeRpcClient,
  facts: ChainFacts,
  options: SenderOptions,
): Promise<FrameworkSender> {
  const { DirectEthSecp256k1Wallet } = await import("@cosmjs/proto-signing");
  const { privateKey } = options;
  const key =
    typeof privateKey === "string"
      ? hexToBytes(privateKey.replace(/^0x/, ""))
      : privateKey;
  const wallet = await DirectEthSecp256k1Wallet.fromKey(
    key,
    facts.bech32Prefix,
  );
  const [account] = await wallet.getAccounts();
  if (account === undefined) {
    throw new TypeError("the wallet has no account");
  }
  return new FrameworkSender(node, facts, options, wallet, account);
}

/** Sends framework transactions of one account, one after another. */
export class FrameworkSender {
  readonly address: AddressForms;
  readonly #node: NodeRpcClient;
  readonly #facts: ChainFacts;
  readonly #options: SenderOptions;
  readonly #wallet: DirectEthSecp256k1Wallet;
  readonly #signer: AccountData;
  readonly #queue = new Queue();
  #chainId: Promise<string> | undefined;

  constructor(
    node: NodeRpcClient,
    facts: ChainFacts,
    options: SenderOptions,
    wallet: DirectEthSecp256k1Wallet,
    signer: AccountData,
  ) {
    this.#node = node;
    this.#facts = facts;
    this.#options = options;
    this.#wallet = wallet;
    this.#signer = signer;
    const { hex, account, valoper } = parseAddress(signer.address, {
      prefix: facts.bech32Prefix,
    });
    this.address = { hex, account, valoper };
  }

  /**
   * Signs, sends and waits for the block.
   *
   * @throws FrameworkError if the node refuses it, or it fails in the block
   * (its fee is taken then)
   */
  async send(
    messages: readonly FrameworkMessage[],
    options: SendOptions = {},
  ): Promise<IncludedTransaction> {
    const { hash } = await this.#queue.run(
      async () => await this.#submit(messages, options),
    );
    const included = await this.#node.waitFor(hash, {
      timeoutMs: options.timeoutMs,
      pollMs: this.#options.pollMs,
      signal: options.signal,
    });
    if (included.code !== 0) {
      throw new FrameworkError(
        `the transaction failed in block ${included.height} (${label(included)}): ${cleanText(included.log)}`,
        {
          transaction: hash,
          address: this.address.account,
          fault: "refused",
          code: included.code,
          codespace: included.codespace,
          serverText: cleanText(included.log),
        },
      );
    }
    return included;
  }

  /** The gas that the messages would use, by a simulation of the signed transaction. */
  async simulate(
    messages: readonly FrameworkMessage[],
    options: SendOptions = {},
  ): Promise<bigint> {
    const gasPrice = options.gasPrice ?? (await this.#options.gasPrice());
    const { accountNumber, sequence } = await this.#onChain();
    // With the committed nonce: a simulation knows no pending transactions.
    const signed = await this.#sign(messages, {
      accountNumber,
      sequence,
      gas: options.gas ?? FIRST_GUESS,
      gasPrice,
      memo: options.memo,
    });
    const { ServiceClientImpl, SimulateRequest } = await import(
      "cosmjs-types/cosmos/tx/v1beta1/service"
    );
    const { gasInfo } = await new ServiceClientImpl(this.#node.rpc()).Simulate(
      SimulateRequest.fromPartial({ txBytes: signed }),
    );
    if (gasInfo === undefined || gasInfo.gasUsed === 0n) {
      throw new FrameworkError(
        "the node simulated without saying how much gas",
        {
          fault: "malformed",
        },
      );
    }
    return gasInfo.gasUsed;
  }

  async #submit(
    messages: readonly FrameworkMessage[],
    options: SendOptions,
  ): Promise<{ readonly hash: string }> {
    const { nonces } = this.#options;
    const gasPrice = options.gasPrice ?? (await this.#options.gasPrice());
    const gas =
      options.gas ??
      ((await this.simulate(messages, { ...options, gasPrice })) *
        MARGIN.numerator) /
        MARGIN.denominator;
    const { accountNumber, sequence } = await this.#onChain();
    const nonce = (await nonces?.next(this.address.hex)) ?? sequence;
    let keep = false;
    try {
      const tx = await this.#sign(messages, {
        accountNumber,
        sequence: nonce,
        gas,
        gasPrice,
        memo: options.memo,
      });
      const answer = await this.#handOver(tx, nonce, options);
      keep = true;
      return answer;
    } catch (error) {
      // Without an answer it may have been taken all the same.
      keep = error instanceof HttpError && error.fault !== "unreachable";
      throw error;
    } finally {
      if (!keep) {
        await nonces?.release?.(this.address.hex, nonce);
      }
    }
  }

  // A node refuses a nonce whose predecessors are not in a block yet.
  async #handOver(
    tx: Uint8Array,
    nonce: bigint,
    { timeoutMs = 60_000, signal }: SendOptions,
  ): Promise<{ readonly hash: string }> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const answer = await this.#broadcast(tx, signal);
      // One that was sent before is judged by its block.
      if (answer.code === 0 || answer.repeated) {
        return { hash: answer.hash };
      }
      const expected = /expected (\d+), got/.exec(answer.log)?.[1];
      const early =
        answer.code === WRONG_SEQUENCE &&
        expected !== undefined &&
        BigInt(expected) < nonce;
      if (!early || Date.now() > end) {
        throw new FrameworkError(
          `the node refused the transaction (${label(answer)}): ${cleanText(answer.log)}`,
          {
            address: this.address.account,
            fault: "refused",
            code: answer.code,
            codespace: answer.codespace,
            serverText: cleanText(answer.log),
            fix: refusalFix(answer.code),
          },
        );
      }
      await sleep(this.#options.pollMs ?? 300, signal);
    }
  }

  // The same bytes again do no harm: a node that has them says so.
  async #broadcast(tx: Uint8Array, signal: AbortSignal | undefined) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#node.broadcast(tx);
      } catch (error) {
        if (!(error instanceof HttpError) || attempt === ATTEMPTS) {
          throw error;
        }
        await sleep(attempt * 500, signal);
      }
    }
  }

  async #sign(
    messages: readonly FrameworkMessage[],
    details: {
      readonly accountNumber: bigint;
      readonly sequence: bigint;
      readonly gas: bigint;
      readonly gasPrice: bigint;
      readonly memo: string | undefined;
    },
  ): Promise<Uint8Array> {
    const { encodePubkey, makeAuthInfoBytes, makeSignDoc } = await import(
      "@cosmjs/proto-signing"
    );
    const { TxRaw } = await import("cosmjs-types/cosmos/tx/v1beta1/tx");
    const registry: Registry = await frameworkRegistry();
    const account = this.#signer;
    const bodyBytes = registry.encodeTxBody({
      messages: [...messages],
      memo: details.memo,
    });
    const authInfoBytes = makeAuthInfoBytes(
      [
        {
          pubkey: encodePubkey({
            type: "os/PubKeyEthSecp256k1",
            value: Buffer.from(account.pubkey).toString("base64"),
          }),
          sequence: details.sequence,
        },
      ],
      [
        {
          denom: this.#facts.baseDenom,
          amount: String(details.gas * details.gasPrice),
        },
      ],
      Number(details.gas),
      undefined,
      undefined,
    );
    this.#chainId ??= this.#node
      .status()
      .then(({ nodeInfo }) => nodeInfo.network);
    const { signed, signature } = await this.#wallet.signDirect(
      account.address,
      makeSignDoc(
        bodyBytes,
        authInfoBytes,
        await this.#chainId,
        details.accountNumber,
      ),
    );
    return TxRaw.encode(
      TxRaw.fromPartial({
        bodyBytes: signed.bodyBytes,
        authInfoBytes: signed.authInfoBytes,
        signatures: [Buffer.from(signature.signature, "base64")],
      }),
    ).finish();
  }

  async #onChain(): Promise<{
    readonly accountNumber: bigint;
    readonly sequence: bigint;
  }> {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/auth/v1beta1/query"
    );
    const { BaseAccount } = await import(
      "cosmjs-types/cosmos/auth/v1beta1/auth"
    );
    const { account } = await new QueryClientImpl(this.#node.rpc())
      .Account({ address: this.address.account })
      .catch((error: unknown) => {
        if (error instanceof FrameworkError && error.fault === "not-found") {
          throw new FrameworkError(
            "this account does not exist on the chain yet",
            {
              address: this.address.account,
              fault: "not-found",
              fix: "Send it native tokens first.",
              cause: error,
            },
          );
        }
        throw error;
      });
    if (account?.typeUrl !== "/cosmos.auth.v1beta1.BaseAccount") {
      throw new FrameworkError(
        `the account is of a kind that cannot sign here: ${cleanText(account?.typeUrl ?? "(none)", 80)}`,
        { address: this.address.account, fault: "refused" },
      );
    }
    const { accountNumber, sequence } = BaseAccount.decode(account.value);
    return { accountNumber, sequence };
  }
}

const label = (answer: { readonly code: number; readonly codespace: string }) =>
  `${cleanText(answer.codespace === "" ? "code" : answer.codespace, 40)} ${answer.code}`;

function refusalFix(code: number): string | undefined {
  switch (code) {
    case 4:
      return "The signature does not fit: check the network's chain ID and key.";
    case 11:
      return "Give a higher gas limit.";
    case 13:
      return "Give a higher gas price.";
    case WRONG_SEQUENCE:
      return "Another client sent with this account at the same time; try again.";
    default:
      return undefined;
  }
}

import { randomInt } from "node:crypto";

import type {
  AccountData,
  DirectEthSecp256k1Wallet,
  Registry,
} from "@cosmjs/proto-signing";
import { hexToBytes } from "@noble/hashes/utils";

import { parseAddress } from "../../address/index.js";
import type { ChainFacts } from "../../chain/facts.js";
import { once } from "../../support/once.js";
import { cleanText } from "../../support/text.js";
import { FrameworkError } from "../errors.js";
import type { AddressForms } from "../query/answers.js";
import { serviceName } from "../services.js";
import { Delivery, label } from "./delivery.js";
import { frameworkRegistry } from "./registry.js";
import type { IncludedTransaction, TransactionNode } from "./transactions.js";
import { OneByOne, type Turns } from "./turns.js";

export interface SenderOptions {
  /** 32 bytes, or hex; the same key as on the EVM's side. */
  readonly privateKey: Uint8Array | string;
  /** Base units per gas; called before every transaction. */
  readonly gasPrice: () => Promise<bigint>;
  /**
   * Lets the account's transactions wait for each other; default: only among
   * the senders of this client.
   */
  readonly turns?: Turns;
  /** Milliseconds between looks for the transaction in a block. */
  readonly pollMs?: number;
  /**
   * Milliseconds until a transaction is sent again to a node that may have
   * forgotten it; default: 12 s.
   */
  readonly giveAgainMs?: number;
  /**
   * Base units that are added to the fee, so that the node can tell two equal
   * transactions apart; default: a random number below a million.
   */
  readonly salt?: () => bigint;
}

/** A message of the framework, such as `{ typeUrl: "/cosmos.gov.v1.MsgVote", value: … }`. */
export interface FrameworkMessage {
  readonly typeUrl: string;
  /** The message's fields, as in its type of `cosmjs-types`. */
  readonly value: object;
}

interface Encoded {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

export interface SendOptions {
  readonly memo?: string;
  /** The gas limit; default: the simulated gas plus a tenth. */
  readonly gas?: bigint;
  /** Base units per gas. */
  readonly gasPrice?: bigint;
  /** Milliseconds from the account's turn until the block; default: 60 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

// Unused gas is not refunded on this side, so the margin is small.
const MARGIN = { numerator: 11n, denominator: 10n } as const;
// Only sets the fee of the simulated transaction.
const FIRST_GUESS = 300_000n;
const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_POLL_MS = 300;
// Milliseconds; blocks of these chains come every 1 to 15 seconds.
const GIVE_AGAIN_MS = 12_000;
const MAX_SALT = 1_000_000;

/** Sends framework transactions of one account, one after another. */
export class FrameworkSender {
  /** The account that signs, in all forms. */
  readonly address: AddressForms;
  readonly #node: TransactionNode;
  readonly #facts: ChainFacts;
  readonly #options: SenderOptions;
  readonly #wallet: DirectEthSecp256k1Wallet;
  readonly #signer: AccountData;
  readonly #turns: Turns;
  readonly #chainId = once(
    async () => (await this.#node.status()).nodeInfo.network,
  );

  private constructor(
    node: TransactionNode,
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
    this.#turns = options.turns ?? new OneByOne();
    const { hex, account, valoper } = parseAddress(signer.address, {
      prefix: facts.bech32Prefix,
    });
    this.address = { hex, account, valoper };
  }

  /** @see NodeRpcClient.sender */
  static async create(
    node: TransactionNode,
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

  /**
   * Signs and sends a transaction, and waits for its block. Waits first for
   * everything that the account has sent before on either stack.
   *
   * @throws FrameworkError if the node refuses the transaction, if it fails in
   * its block (the fee is paid all the same), or with its hash if no block
   * holds it in time
   */
  async send(
    messages: readonly FrameworkMessage[],
    options: SendOptions = {},
  ): Promise<IncludedTransaction> {
    const encoded = await this.#encode(messages);
    const gasPrice = options.gasPrice ?? (await this.#options.gasPrice());
    const included = await this.#turns.alone(
      this.address.hex,
      async (nonce) => await this.#deliver(encoded, options, gasPrice, nonce),
    );
    if (included.code !== 0) {
      throw new FrameworkError(
        `the transaction failed in block ${included.height} (${label(included)}): ${cleanText(included.log)}`,
        {
          transaction: included.hash,
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

  /**
   * The gas that the messages would use, from a simulation of the signed
   * transaction.
   *
   * @throws FrameworkError if the messages would fail, or the account does not
   * exist yet
   */
  async simulate(
    messages: readonly FrameworkMessage[],
    options: SendOptions = {},
  ): Promise<bigint> {
    return await this.#simulate(await this.#encode(messages), options);
  }

  async #simulate(
    messages: readonly Encoded[],
    options: SendOptions,
  ): Promise<bigint> {
    const gasPrice = options.gasPrice ?? (await this.#options.gasPrice());
    const { accountNumber, sequence } = await this.#onChain();
    // With the committed nonce: simulations do not know pending transactions.
    const gas = options.gas ?? FIRST_GUESS;
    const signed = await this.#sign(messages, {
      accountNumber,
      sequence,
      gas,
      fee: gas * gasPrice + BigInt(MAX_SALT),
      memo: options.memo,
    });
    const { ServiceClientImpl, SimulateRequest } = await import(
      "cosmjs-types/cosmos/tx/v1beta1/service"
    );
    const { gasInfo } = await new ServiceClientImpl(this.#node.rpc()).Simulate(
      SimulateRequest.fromPartial({ txBytes: signed }),
    );
    if (gasInfo === undefined || gasInfo.gasUsed === 0n) {
      throw new FrameworkError("the node's simulation reported no gas", {
        fault: "malformed",
      });
    }
    return gasInfo.gasUsed;
  }

  async #deliver(
    messages: readonly Encoded[],
    options: SendOptions,
    gasPrice: bigint,
    nonce: bigint,
  ): Promise<IncludedTransaction> {
    const gas =
      options.gas ??
      ((await this.#simulate(messages, { ...options, gasPrice })) *
        MARGIN.numerator) /
        MARGIN.denominator;
    const { accountNumber, sequence } = await this.#onChain();
    const salt = this.#options.salt?.() ?? BigInt(randomInt(MAX_SALT));
    const delivery = new Delivery(
      this.#node,
      sequence > nonce ? sequence : nonce,
      {
        sign: async (at, variant) =>
          await this.#sign(messages, {
            accountNumber,
            sequence: at,
            gas,
            fee: gas * gasPrice + salt + variant,
            memo: options.memo,
          }),
        sequence: async () => (await this.#onChain()).sequence,
        address: this.address.account,
        timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        pollMs: this.#options.pollMs ?? DEFAULT_POLL_MS,
        giveAgainMs: this.#options.giveAgainMs ?? GIVE_AGAIN_MS,
        signal: options.signal,
      },
    );
    return await delivery.run();
  }

  async #sign(
    messages: readonly Encoded[],
    details: {
      readonly accountNumber: bigint;
      readonly sequence: bigint;
      readonly gas: bigint;
      /** Base units. */
      readonly fee: bigint;
      readonly memo: string | undefined;
    },
  ): Promise<Uint8Array> {
    const { encodePubkey, makeAuthInfoBytes, makeSignDoc } = await import(
      "@cosmjs/proto-signing"
    );
    const { TxBody, TxRaw } = await import("cosmjs-types/cosmos/tx/v1beta1/tx");
    const account = this.#signer;
    const bodyBytes = TxBody.encode(
      TxBody.fromPartial({
        messages: [...messages],
        ...(details.memo === undefined ? {} : { memo: details.memo }),
      }),
    ).finish();
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
          amount: String(details.fee),
        },
      ],
      Number(details.gas),
      undefined,
      undefined,
    );
    const { signed, signature } = await this.#wallet.signDirect(
      account.address,
      makeSignDoc(
        bodyBytes,
        authInfoBytes,
        await this.#chainId(),
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

  async #encode(messages: readonly FrameworkMessage[]): Promise<Encoded[]> {
    const registry = await frameworkRegistry();
    return messages.map((message) => this.#encodeOne(registry, message));
  }

  // The types are registered under the reference chain's names.
  #encodeOne(
    registry: Registry,
    { typeUrl, value }: FrameworkMessage,
  ): Encoded {
    const { frameworkPrefix } = this.#facts;
    const own = `/${frameworkPrefix}.`;
    const generated = typeUrl.startsWith(own)
      ? `/cosmos.${typeUrl.slice(own.length)}`
      : typeUrl;
    if (registry.lookupType(generated) === undefined) {
      throw new FrameworkError(
        `there is no message type "${cleanText(typeUrl, 80)}"`,
        {
          fault: "invalid-request",
          fix: `Check its name: on this network, types begin with ${own} (from dualstack.frameworkPrefix), such as ${own}bank.v1beta1.MsgSend.`,
        },
      );
    }
    return {
      typeUrl: `/${serviceName(generated.slice(1), this.#facts)}`,
      value: registry.encode({ typeUrl: generated, value }),
    };
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
        `accounts of this kind cannot sign here: ${cleanText(account?.typeUrl ?? "(none)", 80)}`,
        { address: this.address.account, fault: "refused" },
      );
    }
    const { accountNumber, sequence } = BaseAccount.decode(account.value);
    return { accountNumber, sequence };
  }
}

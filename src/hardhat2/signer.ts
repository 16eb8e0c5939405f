import { AsyncLocalStorage } from "node:async_hooks";

import {
  HDWalletProvider,
  LocalAccountsProvider,
} from "hardhat/internal/core/providers/accounts";
import { ProviderWrapper } from "hardhat/plugins";
import type { EIP1193Provider, RequestArguments } from "hardhat/types/provider";

import type { Accounts } from "../config/accounts.js";
import type { Exchange } from "../rpc/pipeline.js";
import { toQuantity } from "../rpc/quantities.js";

/** The exchange whose transaction is being signed. */
const signing = new AsyncLocalStorage<Exchange>();

/** Records in an exchange the transaction that it became by signing. */
class Recorder extends ProviderWrapper {
  readonly #chainId: number;

  constructor(node: EIP1193Provider, chainId: number) {
    super(node);
    this.#chainId = chainId;
  }

  async request(args: RequestArguments): Promise<unknown> {
    if (args.method === "eth_chainId") {
      // The chain ID was compared with the node's before, so no request is
      // needed for each signature.
      return toQuantity(BigInt(this.#chainId));
    }
    const exchange = signing.getStore();
    if (exchange !== undefined && args.method === "eth_sendRawTransaction") {
      exchange.method = args.method;
      exchange.params = [...this._getParams(args)];
    }
    return await this._wrappedProvider.request(args);
  }
}

/** Signs with keys as Hardhat itself does; passes everything else on. */
export class Signer {
  readonly addresses: ReadonlySet<string>;
  readonly #provider: EIP1193Provider;

  private constructor(provider: EIP1193Provider, addresses: readonly string[]) {
    this.#provider = provider;
    this.addresses = new Set(addresses);
  }

  static async create(
    node: EIP1193Provider,
    accounts: Accounts,
    chainId: number,
  ): Promise<Signer> {
    const recorder = new Recorder(node, chainId);
    const provider =
      "mnemonic" in accounts
        ? new HDWalletProvider(
            recorder,
            accounts.mnemonic,
            accounts.path,
            accounts.initialIndex,
            accounts.count,
            accounts.passphrase,
          )
        : new LocalAccountsProvider(recorder, [...accounts]);
    const addresses = await provider.request({ method: "eth_accounts" });
    return new Signer(provider, addresses as string[]);
  }

  /** Answers a request; an exchange that sends contains the sent transaction afterwards. */
  async request(exchange: Exchange): Promise<unknown> {
    const { method, params } = exchange;
    return await signing.run(exchange, () =>
      this.#provider.request({ method, params }),
    );
  }
}

import { parseAddress } from "../../address/index.js";
import {
  explorerLinks,
  FAUCET_GRANT,
  isNetworkKind,
} from "../../chain/index.js";
import { requireEndpoint } from "../../chain/endpoints.js";
import { askFaucet, tokenOf } from "../../faucet/client.js";
import {
  type DevelopmentNode,
  developmentNode,
  grantErc20,
  grantNative,
} from "../../faucet/development.js";
import { FaucetError } from "../../faucet/error.js";
import type { FaucetUserSettings } from "../../faucet/settings.js";
import type { FaucetToken } from "../../faucet/token.js";
import { fromQuantity } from "../../rpc/quantities.js";
import { sleep } from "../../support/async.js";
import { DualstackError } from "../../support/errors.js";
import { shownUrl } from "../../support/http.js";
import { parseAmount } from "../../support/units.js";
import type { NetworkDescription } from "../../config/network-description.js";
import type { Connected } from "../../connection/connected.js";
import { type Money, money } from "../shared/money.js";
import { type DenomReader, stableBalance } from "../shared/stable-token.js";
import type { Ui } from "../shared/ui.js";

export interface FaucetCommandOptions {
  /** The recipient in any form. */
  readonly address: string;
  readonly token: FaucetToken;
  readonly settings?: FaucetUserSettings;
  /** Milliseconds that the balance has to rise; default: two minutes. */
  readonly timeoutMs?: number;
  /** Milliseconds between two looks at the balance; default: one second. */
  readonly pollMs?: number;
  readonly readDenom?: DenomReader;
  readonly signal?: AbortSignal;
}

/**
 * How the amount compares with the interface document, which gives two figures
 * for the native token.
 */
export type Agreement = "documented" | "quick-start" | "different";

export interface FaucetReport {
  readonly network: string;
  readonly chainId: number;
  readonly address: string;
  readonly account: string;
  readonly token: FaucetToken;
  /** The faucet, or the development node itself. */
  readonly source: "faucet" | "node";
  /** The faucet's protocol, or the kind of development node. */
  readonly protocol: string;
  readonly before: Money;
  readonly after: Money;
  readonly received: Money;
  /** The amount that the document gives per request. */
  readonly documented: Money;
  readonly agreement: Agreement;
  readonly transaction?: string;
  readonly explorer?: string;
}

const TIMEOUT_MS = 120_000;
const POLL_MS = 1_000;

/**
 * Gets test tokens for an address, and waits until they arrive.
 *
 * @throws FaucetError if the faucet refuses
 * @throws DualstackError on the main network, if no faucet is configured, or if
 * nothing arrives in time
 */
export async function requestTokens(
  { network, provider }: Connected,
  ui: Pick<Ui, "progress">,
  options: FaucetCommandOptions,
): Promise<FaucetReport> {
  refuseMainNetwork(network);
  const { facts, name, kind, chainId } = network;
  const { token, signal } = options;
  const holder = parseAddress(options.address, {
    prefix: facts.bech32Prefix,
    what: "recipient",
  });
  const unit = tokenOf(facts, token);
  const readBalance = async (): Promise<bigint> =>
    token === "native" || facts.stableToken === undefined
      ? fromQuantity(
          await provider.request({
            method: "eth_getBalance",
            params: [holder.hex, "latest"],
          }),
          "the balance",
        )
      : await stableBalance(
          provider,
          network,
          facts.stableToken,
          holder,
          options.readDenom,
        );

  const { faucetUrl } = network.endpoints;
  const node =
    faucetUrl === undefined ? await developmentNode(provider) : undefined;
  if (faucetUrl === undefined && node === undefined) {
    if (isNetworkKind(kind)) {
      requireEndpoint(network.endpoints, "faucetUrl", { network: name, kind });
    }
    throw new DualstackError(
      "this network has no faucet, and its node is not a development node",
      { network: name, fix: "Use --network testnet." },
    );
  }

  const before = await readBalance();
  const documented = parseAmount(FAUCET_GRANT[token].toString(), unit);
  let transaction: string | undefined;
  let protocol: string;
  if (faucetUrl !== undefined) {
    ui.progress("asking the faucet");
    const answer = await askFaucet({
      url: faucetUrl,
      settings: options.settings,
      token,
      address: holder.hex,
      facts,
      network: name,
      signal,
    });
    if (answer.outcome.kind !== "granted") {
      throw new FaucetError(answer.outcome, {
        network: name,
        endpoint: shownUrl(faucetUrl),
        address: holder.hex,
      });
    }
    ({ protocol } = answer);
    ({ transaction } = answer.outcome);
  } else {
    protocol = node ?? "";
    await grantByNode(
      { network, provider },
      node,
      token,
      holder.hex,
      before,
      documented,
    );
  }

  const after = await waitForRise(before, readBalance, ui, options, {
    network: name,
    address: holder.hex,
    transaction,
  });
  const received = after - before;
  const { explorerUrl } = network.endpoints;
  const explorer =
    transaction === undefined
      ? undefined
      : explorerLinks.transaction(explorerUrl, transaction);
  return {
    network: name,
    chainId,
    address: holder.hex,
    account: holder.account,
    token,
    source: node === undefined ? "faucet" : "node",
    protocol,
    before: money(before, unit),
    after: money(after, unit),
    received: money(received, unit),
    documented: money(documented, unit),
    agreement:
      received === documented
        ? "documented"
        : token === "native" &&
            received ===
              parseAmount(FAUCET_GRANT.nativeInQuickStart.toString(), unit)
          ? "quick-start"
          : "different",
    ...(transaction === undefined ? {} : { transaction }),
    ...(explorer === undefined ? {} : { explorer }),
  };
}

/** @throws DualstackError on the main network, which has no faucet (§8 of the interface document) */
export function refuseMainNetwork({
  kind,
  name,
  chainId,
  chainIds,
}: Pick<NetworkDescription, "kind" | "name" | "chainId" | "chainIds">): void {
  if (kind === "mainnet" || chainId === chainIds.mainnet) {
    throw new DualstackError("the main network has no faucet", {
      network: name,
      fix: "Test tokens are given on the test network: --network testnet.",
    });
  }
}

async function grantByNode(
  { network, provider }: Connected,
  node: DevelopmentNode | undefined,
  token: FaucetToken,
  address: string,
  balance: bigint,
  amount: bigint,
): Promise<void> {
  if (node === undefined) {
    return;
  }
  if (token === "native") {
    await grantNative(provider, node, address, balance, amount);
    return;
  }
  const contract = network.facts.stableToken?.address;
  if (contract === undefined) {
    throw new DualstackError(
      "a development node has no bank to grant a denomination from",
      {
        network: network.name,
        fix: "Set dualstack.stableToken.address to the token's contract.",
      },
    );
  }
  await grantErc20(provider, node, contract, address, balance, amount);
}

async function waitForRise(
  before: bigint,
  readBalance: () => Promise<bigint>,
  ui: Pick<Ui, "progress">,
  { timeoutMs = TIMEOUT_MS, pollMs = POLL_MS, signal }: FaucetCommandOptions,
  place: { network: string; address: string; transaction: string | undefined },
): Promise<bigint> {
  const start = Date.now();
  try {
    for (;;) {
      const balance = await readBalance();
      if (balance > before) {
        return balance;
      }
      const waited = Date.now() - start;
      if (waited >= timeoutMs) {
        throw new DualstackError(
          `the faucet granted the tokens, but the balance has not risen within ${Math.round(timeoutMs / 1000)} s`,
          {
            ...place,
            fix: "Check the balance later. If nothing arrives, make sure that the faucet belongs to this network.",
          },
        );
      }
      ui.progress(
        `waiting for the tokens to arrive (${Math.round(waited / 1000)} s)`,
      );
      await sleep(pollMs, signal);
    }
  } finally {
    ui.progress(undefined);
  }
}

import type { InterfaceAbi } from "ethers";

import { explorerLinks } from "../chain/index.js";
import { DualstackError } from "../support/errors.js";
import { cleanText } from "../support/text.js";
import { parseAmount } from "../support/units.js";
import { constructorOf, encodeArguments } from "./constructor-arguments.js";
import { linkLibraries, type LinkReferences } from "./link-libraries.js";
import type { Money } from "./money.js";
import { nativeMoney } from "./money.js";
import {
  confirmSpending,
  type ErrorDecoder,
  type GasReport,
  paid,
  quoteTransaction,
  send,
  type Sender,
  type SendOptions,
  settle,
} from "./sending.js";
import type { Ui } from "./ui.js";

/** What a compiler makes of a contract. */
export interface ContractArtifact {
  readonly contractName: string;
  readonly sourceName: string;
  readonly abi: readonly unknown[];
  readonly bytecode: string;
  readonly linkReferences: LinkReferences;
}

export interface DeployOptions extends SendOptions {
  readonly constructorArguments: readonly string[];
  /** An amount of the native token, as people write it. */
  readonly value?: string;
  /** Such as `Math=0x…,Other=0x…`. */
  readonly libraries?: string;
}

export interface DeployReport {
  readonly network: string;
  readonly chainId: number;
  readonly contract: string;
  readonly dryRun: boolean;
  readonly from: string;
  readonly value: Money;
  readonly gas: GasReport;
  /** What the sender needs at most: the whole limit at a price that rises by an eighth, and the value. */
  readonly atMost: Money;
  readonly balance: Money;
  readonly address?: string;
  readonly transaction?: string;
  readonly block?: bigint;
  /** The fee that was charged. */
  readonly paid?: Money;
  readonly explorer?: {
    readonly address: string;
    readonly transaction: string;
  };
}

/** EIP-3860; a node of this kind finds it only when the transaction is sent. */
const MAX_INITCODE_BYTES = 49_152;

/**
 * Deploys a compiled contract and waits until it is there. Everything that can
 * be known to be wrong is found before anything is sent.
 *
 * @throws DualstackError
 */
export async function deploy(
  sender: Sender,
  ui: Ui,
  artifact: ContractArtifact,
  options: DeployOptions,
): Promise<DeployReport> {
  const { network } = sender;
  const { facts, endpoints } = network;
  const { contractName } = artifact;
  const fields = await deploymentOf(sender, artifact, options);
  const what = `deploying ${contractName}`;
  const decodeError = errorDecoder(artifact.abi);

  ui.progress(`estimating the cost of ${what}`);
  let quote;
  try {
    quote = await quoteTransaction(sender, fields, what, decodeError);
  } finally {
    ui.progress(undefined);
  }
  const report: DeployReport = {
    network: network.name,
    chainId: network.chainId,
    contract: `${artifact.sourceName}:${contractName}`,
    dryRun: options.dryRun ?? false,
    from: quote.from,
    value: nativeMoney(fields.value, facts),
    gas: quote.gas,
    atMost: quote.total,
    balance: quote.balance,
  };
  if (options.dryRun === true) {
    return report;
  }
  await confirmSpending(
    network,
    ui,
    `Deploy ${contractName} on ${network.name} for up to ${quote.total.tokens} ${quote.total.symbol}?`,
    options.yes,
  );
  const hash = await send(sender, quote, fields);
  const receipt = await settle(sender, hash, what, ui, options, decodeError);
  const address = receipt.contractAddress;
  if (address === undefined) {
    throw new DualstackError("the receipt names no contract", {
      network: network.name,
      transaction: hash,
    });
  }
  const { getAddress } = await import("ethers");
  const links = {
    address: explorerLinks.address(endpoints.explorerUrl, getAddress(address)),
    transaction: explorerLinks.transaction(endpoints.explorerUrl, hash),
  };
  return {
    ...report,
    address: getAddress(address),
    transaction: hash,
    block: receipt.blockNumber,
    gas: { ...quote.gas, used: receipt.gasUsed },
    paid: paid(receipt, network),
    ...(links.address === undefined || links.transaction === undefined
      ? {}
      : {
          explorer: { address: links.address, transaction: links.transaction },
        }),
  };
}

async function deploymentOf(
  { network }: Sender,
  { contractName, abi, bytecode, linkReferences }: ContractArtifact,
  { constructorArguments, libraries, value: amount }: DeployOptions,
): Promise<{ data: string; value: bigint }> {
  const { currency, baseDenom, bech32Prefix } = network.facts;
  if (bytecode === "0x" || bytecode === "") {
    throw new DualstackError(
      `${contractName} has no code: it is an interface or abstract`,
      { fix: "Name a contract that implements it." },
    );
  }
  const { inputs, payable } = constructorOf(abi);
  const value =
    amount === undefined
      ? 0n
      : parseAmount(amount, {
          symbol: currency.symbol,
          decimals: currency.decimals,
          baseDenom,
        });
  if (value > 0n && !payable) {
    throw new DualstackError(
      `the constructor of ${contractName} is not payable`,
      { fix: "Leave out --value." },
    );
  }
  const code = linkLibraries(
    contractName,
    bytecode,
    linkReferences,
    libraries,
    bech32Prefix,
  );
  const data =
    code +
    (await encodeArguments(
      contractName,
      inputs,
      constructorArguments,
      bech32Prefix,
    ));
  const size = (data.length - 2) / 2;
  if (size > MAX_INITCODE_BYTES) {
    throw new DualstackError(
      `the code to deploy ${contractName} has ${size} bytes, the chain takes ${MAX_INITCODE_BYTES}`,
      { fix: "Turn the optimizer on, or split the contract." },
    );
  }
  return { data, value };
}

/** Names the custom errors of a contract; nodes tell only their data. */
function errorDecoder(abi: readonly unknown[]): ErrorDecoder {
  return async (data) => {
    const { Interface } = await import("ethers");
    const parsed = new Interface(abi as InterfaceAbi).parseError(data);
    if (parsed === null) {
      return undefined;
    }
    const values = parsed.args.map((value: unknown) => String(value));
    return parsed.name === "Error"
      ? `reverted: ${cleanText(values[0])}`
      : `reverted with ${parsed.name}(${cleanText(values.join(", "))})`;
  };
}

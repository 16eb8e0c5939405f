import type { InterfaceAbi } from "ethers";

import {
  explorerLinks,
  isNetworkKind,
  variableName,
} from "../../chain/index.js";
import type { RpcProvider } from "../../rpc/provider.js";
import { DualstackError } from "../../support/errors.js";
import { howToSet } from "../../support/major.js";
import { cleanText, errorText } from "../../support/text.js";
import { constructorOf, encodeArguments } from "./constructor-arguments.js";
import { linkLibraries, type LinkReferences } from "./link-libraries.js";
import {
  type Money,
  nativeMoney,
  parseNative,
  tokens,
} from "../shared/money.js";
import type { ErrorDecoder, Sender, SendOptions } from "../shared/sending.js";
import {
  runTransaction,
  type TransactionReport,
} from "../shared/transaction.js";
import type { Ui } from "../shared/ui.js";

/** The compiler's output for a contract, as far as a deployment needs it. */
export interface ContractArtifact {
  readonly contractName: string;
  readonly sourceName: string;
  readonly abi: readonly unknown[];
  readonly bytecode: string;
  readonly linkReferences: LinkReferences;
}

export interface DeployOptions extends SendOptions {
  readonly constructorArguments: readonly string[];
  /** An amount of the native token as the user wrote it. */
  readonly value?: string;
  /** Such as `Math=0x…,Other=0x…`. */
  readonly libraries?: string;
}

/** A contract whose source is to be verified on the network's explorer. */
export interface DeployedContract {
  readonly address: string;
  /** Source and name: `contracts/Counter.sol:Counter`. */
  readonly contract: string;
  /** As ethers decodes them. */
  readonly constructorArgs: readonly unknown[];
  /** Addresses of the linked libraries by name. */
  readonly libraries: Readonly<Record<string, string>>;
}

/** Verifies a contract's source with the project's hardhat-verify. */
export type Verify = (contract: DeployedContract) => Promise<void>;

export interface DeployReport extends Omit<TransactionReport, "explorer"> {
  readonly contract: string;
  readonly value: Money;
  readonly address?: string;
  /** Present if verification was asked for and succeeded. */
  readonly verified?: true;
  readonly explorer?: {
    readonly address: string;
    readonly transaction: string;
  };
}

/** EIP-3860's limit. A node of this kind enforces it only once the transaction is sent. */
const MAX_INITCODE_BYTES = 49_152;

/**
 * Deploys a compiled contract and waits until it is in a block. All checks that
 * are possible beforehand are made before anything is sent.
 *
 * @param verify verifies the source on the explorer afterwards
 * @throws DualstackError; if only the verification fails, with the contract's
 * address
 */
export async function deploy(
  sender: Sender,
  ui: Ui,
  artifact: ContractArtifact,
  options: DeployOptions,
  verify?: Verify,
): Promise<DeployReport> {
  const { network } = sender;
  const { facts, endpoints } = network;
  const { contractName } = artifact;
  if (verify !== undefined && endpoints.explorerUrl === undefined) {
    throw new DualstackError(
      `there is no explorer to verify ${contractName} on`,
      {
        network: network.name,
        fix: isNetworkKind(network.kind)
          ? `${howToSet(variableName("explorerUrl", network.kind))}, or leave out --verify.`
          : "Leave out --verify.",
      },
    );
  }
  const { libraries, decodeArguments, ...fields } = await deploymentOf(
    sender,
    artifact,
    options,
  );
  const {
    report: { explorer: transaction, ...report },
    receipt,
  } = await runTransaction(
    sender,
    ui,
    {
      fields,
      what: `deploying ${contractName}`,
      question: ({ total }) =>
        `Deploy ${contractName} on ${network.name} for up to ${tokens(total)}?`,
      decodeError: errorDecoder(artifact.abi),
    },
    options,
  );
  const deployment: DeployReport = {
    ...report,
    contract: `${artifact.sourceName}:${contractName}`,
    value: nativeMoney(fields.value, facts),
  };
  if (receipt === undefined) {
    return deployment;
  }
  if (receipt.contractAddress === undefined) {
    throw new DualstackError("the receipt names no contract", {
      network: network.name,
      transaction: receipt.hash,
    });
  }
  const { getAddress } = await import("ethers");
  const address = getAddress(receipt.contractAddress);
  if (verify !== undefined) {
    ui.progress(`verifying ${contractName} on the explorer`);
    try {
      await verify({
        address,
        contract: deployment.contract,
        constructorArgs: await decodeArguments(),
        libraries,
      });
    } catch (cause) {
      throw new DualstackError(
        `${contractName} is deployed, but could not be verified: ${errorText(cause, 300)}`,
        {
          network: network.name,
          address,
          transaction: receipt.hash,
          fix: "Do not deploy it again: verify it at that address once the explorer has indexed its block.",
          cause,
        },
      );
    } finally {
      ui.progress(undefined);
    }
  }
  const link = explorerLinks.address(endpoints.explorerUrl, address);
  return {
    ...deployment,
    address,
    ...(verify === undefined ? {} : { verified: true }),
    ...(link === undefined || transaction === undefined
      ? {}
      : { explorer: { address: link, transaction } }),
  };
}

async function deploymentOf(
  { network, provider }: Sender,
  { contractName, abi, bytecode, linkReferences }: ContractArtifact,
  { constructorArguments, libraries, value: amount }: DeployOptions,
): Promise<{
  readonly data: string;
  readonly value: bigint;
  readonly libraries: Readonly<Record<string, string>>;
  readonly decodeArguments: () => Promise<unknown[]>;
}> {
  const { bech32Prefix } = network.facts;
  if (bytecode === "0x" || bytecode === "") {
    throw new DualstackError(
      `${contractName} has no code: it is an interface or abstract`,
      { fix: "Name a contract that implements it." },
    );
  }
  const { inputs, payable } = constructorOf(abi);
  const value = amount === undefined ? 0n : parseNative(amount, network.facts);
  if (value > 0n && !payable) {
    throw new DualstackError(
      `the constructor of ${contractName} is not payable`,
      { fix: "Leave out --value." },
    );
  }
  const linked = linkLibraries(
    contractName,
    bytecode,
    linkReferences,
    libraries,
    bech32Prefix,
  );
  await mustHaveCode(linked.libraries, provider, network.name);
  const encoded = await encodeArguments(
    contractName,
    inputs,
    constructorArguments,
    bech32Prefix,
  );
  const data = linked.bytecode + encoded;
  const size = (data.length - 2) / 2;
  if (size > MAX_INITCODE_BYTES) {
    throw new DualstackError(
      `the creation code of ${contractName} has ${size} bytes; the chain accepts up to ${MAX_INITCODE_BYTES}`,
      { fix: "Turn the optimizer on, or split the contract." },
    );
  }
  return {
    data,
    value,
    libraries: Object.fromEntries(linked.libraries),
    decodeArguments: async () => {
      const { AbiCoder, ParamType } = await import("ethers");
      const types = inputs.map((input) => ParamType.from(input));
      const coder = AbiCoder.defaultAbiCoder();
      return coder.decode(types, `0x${encoded}`).toArray(true);
    },
  };
}

/**
 * A contract whose library has no code deploys all the same, and fails later
 * with each call of the library.
 */
async function mustHaveCode(
  libraries: ReadonlyMap<string, string>,
  provider: RpcProvider,
  network: string,
): Promise<void> {
  await Promise.all(
    [...libraries].map(async ([name, address]) => {
      const code = await provider.request({
        method: "eth_getCode",
        params: [address, "latest"],
      });
      if (code === "0x") {
        throw new DualstackError(
          `the library ${name} is not there: its address has no code`,
          {
            network,
            address,
            fix: `Deploy ${name} on this network first, or correct its address in --libraries.`,
          },
        );
      }
    }),
  );
}

/** Names a contract's custom errors; nodes return only their data. */
function errorDecoder(abi: readonly unknown[]): ErrorDecoder {
  return async ({ data }) => {
    if (data === undefined || data.length < 10) {
      return undefined;
    }
    const { Interface } = await import("ethers");
    const parsed = new Interface(abi as InterfaceAbi).parseError(data);
    if (parsed === null) {
      return undefined;
    }
    const values = parsed.args.map((value: unknown) => String(value));
    return {
      reason:
        parsed.name === "Error"
          ? `reverted: ${cleanText(values[0])}`
          : `reverted with ${parsed.name}(${cleanText(values.join(", "))})`,
    };
  };
}

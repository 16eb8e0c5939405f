import type { ContractRunner } from "ethers";

import type { Address } from "../address/index.js";
import type { ViemChain } from "../chain/index.js";
import type { NetworkDescription } from "../config/network-description.js";
import type { FrameworkClients } from "../framework/clients.js";
import type { FrameworkSender } from "../framework/node-rpc/sender.js";
import type { EstimateSource } from "../gas/quote.js";
import type { PrecompileName } from "../precompiles/addresses.js";
import type { Replay, ReplayOptions } from "../replay/index.js";
import type { Localnet } from "../testing/types.js";
import type { PRECOMPILES } from "../precompiles/catalog.js";
import type { TypedContract } from "../precompiles/ethers/types.js";

type AbiOf<N extends PrecompileName> = (typeof PRECOMPILES)[N]["abi"];

/** A precompile for viem: `getContract({ ...descriptor, client })`. */
export interface PrecompileDescriptor<N extends PrecompileName> {
  readonly address: `0x${string}`;
  readonly abi: AbiOf<N>;
}

/** The precompiles of a connection, as ethers contracts that sign with its first account. */
export type ConnectionPrecompiles = {
  readonly [N in PrecompileName]: TypedContract<AbiOf<N>>;
} & {
  /** The same contract with another runner: a signer, or a provider for reading only. */
  at<N extends PrecompileName>(
    name: N,
    runner: ContractRunner | null,
  ): TypedContract<AbiOf<N>>;
  /** Addresses and ABIs, for viem and other libraries. */
  readonly descriptors: {
    readonly [N in PrecompileName]: PrecompileDescriptor<N>;
  };
};

/** `connection.dualstack`. */
export interface DualstackConnection
  extends EstimateSource,
    Pick<FrameworkClients, "events" | "nodeRpc" | "rest" | "grpc" | "query"> {
  /** What is known about the network: chain ID, endpoints, currency and more. */
  readonly network: NetworkDescription;
  /** The network as a viem chain, with its own currency. */
  readonly viemChain: ViemChain;
  /**
   * Controls the network in tests, in the same way on a local network and on a
   * real one.
   *
   * @throws HardhatPluginError on a simulated network whose precompiles are switched off
   */
  readonly localnet: Localnet;
  /**
   * Signs framework transactions with the network's first key. They and the
   * account's EVM transactions wait for each other.
   *
   * @throws DualstackError if no key or no node RPC is configured
   */
  frameworkSender(): Promise<FrameworkSender>;
  /**
   * Replays a transaction of this network on a local fork of the previous
   * block, after what its own block begins with and the block's earlier
   * transactions. Returns what it called, what it changed, and whether the
   * outcome matches the chain's.
   *
   * @throws DualstackError for an unknown hash, if the node no longer has the
   * state before it, and on a simulated network
   */
  replay(hash: string, options?: ReplayOptions): Promise<Replay>;
  /**
   * An address in all its forms.
   *
   * @throws DualstackError for a wrong checksum or prefix, or for any other text
   */
  address(text: string): Address;
  /**
   * A validator's operator address as `valoper1…`, from any form.
   *
   * @throws DualstackError for a wrong checksum or prefix, or for any other text
   */
  valoper(validator: string): string;
}

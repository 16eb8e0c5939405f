import type { ContractArtifact, Verify } from "../commands/deploy/index.js";
import type { NetworkDescription } from "../config/network-description.js";
import type { Sender } from "../commands/shared/sending.js";
import type { ForkToOpen, OpenFork } from "../commands/snapshot/index.js";
import type { Ui } from "../commands/shared/ui.js";
import type { DualstackConfig } from "../config/resolve.js";
import type { KnownContract } from "../framework/contracts.js";
import type { LocalNode, LocalNodeOptions } from "../local-node/index.js";
import type { ReplaySource } from "../replay/source.js";
import type { RpcProvider } from "../rpc/provider.js";
import { DualstackError } from "../support/errors.js";
import type { Reading } from "./connect.js";

/** A network as it is configured: neither asked nor checked. */
export interface OpenNetwork {
  readonly network: NetworkDescription;
  /** The EVM's JSON-RPC where it runs in this process instead of behind HTTP. */
  readonly provider?: RpcProvider;
  /** Sent along with every request to the network's nodes. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The factor on estimates that transactions are sent with. */
  readonly gasMultiplier: number;
}

/** What a task needs of the Hardhat that runs it; each major supplies one. */
export interface TaskHost {
  readonly config: DualstackConfig;
  readonly ui: Ui;
  /** The project's folder, absolute. */
  readonly projectRoot: string;
  /** Whether the user named a network on the command line. */
  readonly networkGiven: boolean;
  /** What is known of the chosen network, without asking it. */
  describeNetwork(): Promise<NetworkDescription>;
  /** The chain's two networks and the local one. */
  describeNetworks(): Promise<NetworkDescription[]>;
  /** Whether a network of this name lives no longer than the task. */
  isSimulated(name: string): boolean;
  /** The chosen network for reading; no key is needed. */
  connectForReading(): Promise<Reading>;
  /** The chosen network for sending; its provider signs. */
  connectForSending(): Promise<Sender>;
  /** The chosen network, for those who look at more than the EVM's JSON-RPC. */
  openNetwork(): Promise<OpenNetwork>;
  /**
   * What transactions of the chosen network are replayed with.
   *
   * @throws DualstackError where it is simulated, or not the chain's
   */
  replaySource(): Promise<ReplaySource>;
  /** A local network over a simulated one of this major. */
  startLocalNode(options: LocalNodeOptions): Promise<LocalNode>;
  /** A simulated network of this major that forks a chain. */
  openFork(fork: ForkToOpen): Promise<OpenFork>;
  /** The address of a network's first account, where nothing has to be asked for it. */
  accountAtHand(network: NetworkDescription): Promise<string | undefined>;
  /** The contracts that are compiled already. */
  knownContracts(): Promise<readonly KnownContract[]>;
  /** Compiles the project and gives one of its contracts. */
  compile(contract: string): Promise<ContractArtifact>;
  /**
   * The project's hardhat-verify.
   *
   * @throws DualstackError where the project does not have it
   */
  verifier(): Promise<Verify>;
}

const VERIFY_PLUGIN = "@nomicfoundation/hardhat-verify";

/** @param major of hardhat-verify, as it fits this Hardhat */
export const verifyIsMissing = (major: number): DualstackError =>
  new DualstackError("--verify needs Hardhat's plugin for it", {
    fix: `Run npm install --save-dev ${VERIFY_PLUGIN}@${major}, and add it to the configuration.`,
  });

/** What a task does; it gives what it prints, for code that runs it. */
export type TaskAction<Args, Report> = (
  args: Args,
  host: TaskHost,
) => Promise<Report>;

/** The same as the table of tasks holds it: the arguments follow from the entry there. */
export type AnyTaskAction<Report = unknown> = (
  args: Readonly<Record<string, unknown>>,
  host: TaskHost,
) => Promise<Report>;

export const action = <Args, Report>(
  run: TaskAction<Args, Report>,
): AnyTaskAction<Report> => run as unknown as AnyTaskAction<Report>;

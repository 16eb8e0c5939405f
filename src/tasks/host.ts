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

/** A network as it is configured, without having asked it. */
export interface OpenNetwork {
  readonly network: NetworkDescription;
  /** The EVM's JSON-RPC, if it runs in this process instead of behind HTTP. */
  readonly provider?: RpcProvider;
  /** Sent along with every request to the network's nodes. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The factor that estimates are multiplied by before sending. */
  readonly gasMultiplier: number;
}

/** What a task needs from the Hardhat that runs it; each major supplies one. */
export interface TaskHost {
  readonly config: DualstackConfig;
  readonly ui: Ui;
  /** The project's folder, as an absolute path. */
  readonly projectRoot: string;
  /** Whether the user named a network on the command line. */
  readonly networkGiven: boolean;
  /** What the configuration says about the chosen network. */
  describeNetwork(): Promise<NetworkDescription>;
  /** The chain's networks and the local one. */
  describeNetworks(): Promise<NetworkDescription[]>;
  /** Whether a network with this name exists only in this process. */
  isSimulated(name: string): boolean;
  /** The chosen network for reading; needs no key. */
  connectForReading(): Promise<Reading>;
  /** The chosen network for sending; its provider signs. */
  connectForSending(): Promise<Sender>;
  /** The chosen network, for tasks that use more than the EVM's JSON-RPC. */
  openNetwork(): Promise<OpenNetwork>;
  /**
   * What replays transactions of the chosen network.
   *
   * @throws DualstackError if it is simulated, or not the chain's
   */
  replaySource(): Promise<ReplaySource>;
  /** Starts a local network on top of a simulated one of this major. */
  startLocalNode(options: LocalNodeOptions): Promise<LocalNode>;
  /** Opens a simulated network of this major that forks a chain. */
  openFork(fork: ForkToOpen): Promise<OpenFork>;
  /** The address of a network's first account, if no password is needed to know it. */
  accountAtHand(network: NetworkDescription): Promise<string | undefined>;
  /** The project's contracts that are already compiled. */
  knownContracts(): Promise<readonly KnownContract[]>;
  /** Compiles the project and returns one of its contracts. */
  compile(contract: string): Promise<ContractArtifact>;
  /**
   * The project's hardhat-verify.
   *
   * @throws DualstackError if the project does not use it
   */
  verifier(): Promise<Verify>;
}

const VERIFY_PLUGIN = "@nomicfoundation/hardhat-verify";

/** @param major the major version of hardhat-verify that fits this Hardhat */
export const verifyIsMissing = (major: number): DualstackError =>
  new DualstackError(
    `--verify needs ${VERIFY_PLUGIN}, which the project does not use`,
    {
      fix: `Run npm install --save-dev ${VERIFY_PLUGIN}@${major}, and add it to the configuration.`,
    },
  );

/** What a task does; returns what it prints, for code that runs it. */
export type TaskAction<Args, Report> = (
  args: Args,
  host: TaskHost,
) => Promise<Report>;

/** An action in the table of tasks, where its arguments follow from the entry. */
export type AnyTaskAction<Report = unknown> = (
  args: Readonly<Record<string, unknown>>,
  host: TaskHost,
) => Promise<Report>;

export const action = <Args, Report>(
  run: TaskAction<Args, Report>,
): AnyTaskAction<Report> => run as unknown as AnyTaskAction<Report>;

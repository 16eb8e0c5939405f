import type { ContractArtifact } from "../commands/deploy.js";
import type { NetworkDescription } from "../commands/context.js";
import type { Sender } from "../commands/sending.js";
import type { Ui } from "../commands/ui.js";
import type { DualstackConfig } from "../config/resolve.js";
import type { Reading } from "./connect.js";

/** What a task needs of the Hardhat that runs it; each major supplies one. */
export interface TaskHost {
  readonly config: DualstackConfig;
  readonly ui: Ui;
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
  /** Compiles the project and gives one of its contracts. */
  compile(contract: string): Promise<ContractArtifact>;
}

/** What a task does. */
export type TaskAction<Args> = (args: Args, host: TaskHost) => Promise<void>;

/** The same as the table of tasks holds it: the arguments follow from the entry there. */
export type AnyTaskAction = (
  args: Readonly<Record<string, unknown>>,
  host: TaskHost,
) => Promise<void>;

export const action = <Args>(run: TaskAction<Args>): AnyTaskAction =>
  run as unknown as AnyTaskAction;

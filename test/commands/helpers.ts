import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { DEFAULT_FACTS, NETWORKS } from "../../src/chain/index.js";
import type { NetworkDescription } from "../../src/config/network-description.js";
import type { Ui } from "../../src/commands/shared/ui.js";
import {
  PRECOMPILE_ADDRESSES,
  USUAL_PRECOMPILES,
} from "../../src/precompiles/addresses.js";
import config from "../fixture-projects/commands/hardhat.config.js";

export const PROJECT = fileURLToPath(
  new URL("../fixture-projects/commands/", import.meta.url),
);

// Test files run in parallel: each compiles into its own folder.
const OUTPUT = mkdtempSync(path.join(tmpdir(), "dualstack-commands-"));
process.once("exit", () => rmSync(OUTPUT, { recursive: true, force: true }));

/** Creates the fixture project, with part of its configuration replaced. */
export async function createProject(
  given: HardhatUserConfig = {},
  globalOptions: { network?: string } = {},
): Promise<HardhatRuntimeEnvironment> {
  return await createHardhatRuntimeEnvironment(
    {
      ...config,
      paths: {
        artifacts: path.join(OUTPUT, "artifacts"),
        cache: path.join(OUTPUT, "cache"),
      },
      ...given,
    },
    globalOptions,
    PROJECT,
  );
}

/** A terminal that records what is printed. */
export class RecordingUi implements Ui {
  readonly json: boolean;
  readonly lines: string[] = [];
  readonly notes: string[] = [];
  readonly progressTexts: (string | undefined)[] = [];
  readonly questions: string[] = [];
  readonly #answer: boolean;

  constructor({ json = false, answer = false } = {}) {
    this.json = json;
    this.#answer = answer;
  }

  get text(): string {
    return this.lines.join("\n");
  }

  line(text: string): void {
    this.lines.push(text);
  }

  note(text: string): void {
    this.notes.push(text);
  }

  progress(text: string | undefined): void {
    this.progressTexts.push(text);
  }

  async confirm(question: string): Promise<boolean> {
    this.questions.push(question);
    return await Promise.resolve(this.#answer);
  }
}

/** Describes a network, with some fields replaced. */
export function describedNetwork(
  given: Partial<NetworkDescription> = {},
): NetworkDescription {
  return {
    name: "testnet",
    kind: "testnet",
    title: "Test network",
    chainId: NETWORKS.testnet.chainId,
    chainIds: {
      testnet: NETWORKS.testnet.chainId,
      mainnet: NETWORKS.mainnet.chainId,
    },
    facts: DEFAULT_FACTS,
    endpoints: {},
    precompiles: PRECOMPILE_ADDRESSES,
    activePrecompiles: USUAL_PRECOMPILES,
    ...given,
  };
}

/** Runs a task, and returns its standard output and its result. */
export async function runTask(
  hre: HardhatRuntimeEnvironment,
  name: string | readonly string[],
  args: Record<string, unknown>,
): Promise<{ stdout: string; result: unknown }> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (text: unknown = "") => void lines.push(String(text));
  try {
    const result: unknown = await hre.tasks
      .getTask(["dualstack", ...[name].flat()])
      .run(args);
    return { stdout: lines.join("\n"), result };
  } finally {
    console.log = log;
  }
}

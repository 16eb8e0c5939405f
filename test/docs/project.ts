import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  spawn,
} from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { once } from "node:events";
import path from "node:path";
import type { Writable } from "node:stream";

import { KEYS } from "../helpers/chain.js";
import { freePort } from "../helpers/ports.js";

import {
  cleanEnvironment,
  link,
  NAME,
  remove,
  ROOT,
  temporary,
  unpack,
} from "../package/package.js";

const require = createRequire(import.meta.url);
const SOLC = require.resolve("solc/soljson.js");

/** What a reader's project needs for one major of Hardhat. */
export interface Major {
  /** Folder with the packages that a reader would get from the registry. */
  readonly modules: string;
  readonly manifest: object;
  readonly compilerOptions: object;
  /** A configuration around the reader's: adds the compiler and the port of a node on this machine. */
  readonly wrapper: string;
}

const COMPILER_OPTIONS = {
  target: "es2023",
  lib: ["es2023"],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node", "mocha"],
};

export const HARDHAT_3: Major = {
  modules: path.join(ROOT, "node_modules"),
  manifest: { name: "reader", private: true, type: "module" },
  compilerOptions: {
    ...COMPILER_OPTIONS,
    module: "node16",
    moduleResolution: "node16",
  },
  wrapper: `import config from "./hardhat.config.ts";
const { solidity = "0.8.30", networks } = config;
const url = process.env.DOCS_NODE_URL;
export default {
  ...config,
  solidity: {
    ...(typeof solidity === "string" ? { version: solidity } : solidity),
    path: ${JSON.stringify(SOLC)},
  },
  networks: url ? { ...networks, localhost: { type: "http", url } } : networks,
};
`,
};

export const HARDHAT_2: Major = {
  modules: path.join(ROOT, "fixtures/hardhat2-toolbox/node_modules"),
  manifest: { name: "reader", private: true },
  compilerOptions: {
    ...COMPILER_OPTIONS,
    module: "commonjs",
    moduleResolution: "node",
    esModuleInterop: true,
  },
  wrapper: `import { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } from "hardhat/builtin-tasks/task-names";
import { subtask } from "hardhat/config";
import config from "./hardhat.config";
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async ({ solcVersion }: { solcVersion: string }) => ({
  compilerPath: ${JSON.stringify(SOLC)},
  isSolcJs: true,
  version: solcVersion,
  longVersion: solcVersion,
}));
const url = process.env.DOCS_NODE_URL;
export default url ? { ...config, networks: { ...config.networks, localhost: { url } } } : config;
`,
};

const WRAPPER = "with-compiler.config.ts";
/** A module that makes a process take its output for a terminal. */
const ON_A_TERMINAL = "data:text/javascript,process.stdout.isTTY=true";
/** Types what a reader would when a command asks for it. */
function answer(output: string, stdin: Writable): void {
  if (/password: $/.test(output)) {
    stdin.write("a long password\n");
  } else if (/Enter secret [^\n]*: $/.test(output)) {
    stdin.end(`${KEYS[0]}\n`);
  }
}

export interface Ran {
  readonly code: number;
  /** Standard output and errors, as a terminal shows them. */
  readonly output: string;
}

/** Stands in for npm's, which would fetch a package that the reader has not installed. */
const NPX = `#!/bin/sh
bin="$1"; shift
exec "$(dirname "$0")/../node_modules/.bin/$bin" "$@"
`;

/** A reader's project, in a folder of its own. */
export class Project implements AsyncDisposable {
  readonly folder: string;
  readonly #major: Major;
  readonly #tarball: string;
  readonly #env: Record<string, string>;
  readonly #started: ChildProcess[] = [];

  private constructor(folder: string, major: Major, tarball: string) {
    this.folder = folder;
    this.#major = major;
    this.#tarball = tarball;
    this.#env = {
      PATH: `${path.join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
      HOME: path.join(folder, "home"),
      NO_COLOR: "1",
      HARDHAT_CONFIG: WRAPPER,
      HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
    };
  }

  static async create(major: Major, tarball: string): Promise<Project> {
    const project = new Project(await temporary(), major, tarball);
    await project.write("package.json", JSON.stringify(major.manifest));
    const { compilerOptions } = major;
    await project.write(
      "tsconfig.json",
      JSON.stringify({ compilerOptions, include: ["pages"] }),
    );
    await project.write(WRAPPER, major.wrapper);
    await project.write("bin/npx", NPX, 0o755);
    await project.write("home/.keep", "");
    await project.write("node_modules/.bin/.keep", "");
    return project;
  }

  async write(file: string, text: string, mode = 0o644): Promise<void> {
    const target = path.join(this.folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text, { mode });
  }

  /** Installs these packages and the peers that they must have, as `npm install` does. */
  async install(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const target = path.join(this.folder, "node_modules", name);
      if (existsSync(target)) {
        continue;
      }
      await (name === NAME
        ? unpack(this.#tarball, this.folder, [])
        : link(
            name,
            path.join(this.folder, "node_modules"),
            this.#major.modules,
          ));
      const {
        bin,
        peerDependencies = {},
        peerDependenciesMeta = {},
      } = JSON.parse(await readFile(path.join(target, "package.json"), "utf8"));
      if (name === "hardhat") {
        await symlink(
          path.join(target, bin.hardhat ?? bin),
          path.join(this.folder, "node_modules/.bin/hardhat"),
        );
      }
      await this.install(
        Object.keys(peerDependencies).filter(
          (peer) => peerDependenciesMeta[peer]?.optional !== true,
        ),
      );
    }
  }

  /** Sets variables for what runs from now on. */
  export(variables: Readonly<Record<string, string>>): void {
    Object.assign(this.#env, variables);
  }

  /** Runs a line of shell, and answers what it asks. */
  async run(command: string): Promise<Ran> {
    return await ranBy(
      this.#spawn(`set -o pipefail; { ${command}\n} 2>&1`),
      (output, child) => answer(output, child.stdin),
    );
  }

  /** Runs a command that never ends as on a terminal, and presses Ctrl-C after some lines. */
  async runUntil(lines: number, command: string): Promise<Ran> {
    const first = (output: string) => output.split("\n").slice(0, lines);
    let isOver = false;
    const { code, output } = await ranBy(
      this.#spawn(`exec ${command} 2>&1`, {
        NODE_OPTIONS: `--import ${ON_A_TERMINAL}`,
      }),
      (printed, child) => {
        if (!isOver && printed.split("\n").length > lines) {
          isOver = child.kill("SIGINT");
        }
      },
    );
    return { code, output: code === 0 ? first(output).join("\n") : output };
  }

  /** Starts `npx hardhat node` and waits until it listens; `localhost` leads to it. */
  async startNode(command: string): Promise<void> {
    const port = await freePort();
    const node = this.#spawn(
      `exec ${command} --hostname 127.0.0.1 --port ${port} 2>&1`,
    );
    this.#started.push(node);
    let printed = "";
    await new Promise<void>((resolve, reject) => {
      node.stdout.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes("Started HTTP")) {
          resolve();
        }
      });
      node.on("exit", () => reject(new Error(`${command} ended: ${printed}`)));
    });
    this.export({ DOCS_NODE_URL: `http://127.0.0.1:${port}` });
  }

  #spawn(line: string, variables: Readonly<Record<string, string>> = {}) {
    return spawn("bash", ["-c", line], {
      cwd: this.folder,
      env: { ...cleanEnvironment(), ...this.#env, ...variables },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#started) {
      if (child.exitCode === null) {
        child.kill();
        await once(child, "exit");
      }
    }
    await remove(this.folder);
  }
}

/** Waits until a process ends; stops it after two minutes. */
async function ranBy(
  child: ChildProcessWithoutNullStreams,
  onOutput: (output: string, child: ChildProcessWithoutNullStreams) => void,
): Promise<Ran> {
  const timer = setTimeout(() => child.kill(), 120_000);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    onOutput(output, child);
  });
  const [code] = await once(child, "close");
  clearTimeout(timer);
  return { code: code ?? -1, output };
}

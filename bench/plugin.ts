import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatPlugin } from "hardhat/types/plugins";

import { EvmNode } from "../test/servers/evm-node.js";
import { type Figure, sideBySide, timed } from "./ratio.js";

const root = path.resolve(import.meta.dirname, "..");

// hardhat-ethers is on both sides: the plugin needs it, and so do its users.
const config = (plugins: readonly string[]) =>
  `${["@nomicfoundation/hardhat-ethers", ...plugins].map((name, i) => `import p${i} from ${JSON.stringify(name)};`).join("\n")}
export default { plugins: [${["ethers", ...plugins].map((_, i) => `p${i}`).join(", ")}] };
`;

interface Usage {
  readonly seconds: number;
  readonly peakKib: number;
}

/** A run of Hardhat's command line: wall time and peak memory of the process. */
export async function hardhat(cwd: string, ...args: string[]): Promise<Usage> {
  const cli = path.join(root, "node_modules/hardhat/dist/src/cli.js");
  const report = path.join(cwd, "report.mjs");
  const start = performance.now();
  const child = spawn(process.execPath, ["--import", report, cli, ...args], {
    cwd,
    env: { ...process.env, NODE_COMPILE_CACHE: "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) =>
    child.on("close", resolve),
  );
  const peakKib = Number(/peak=(\d+)/.exec(stderr)?.[1]);
  if (code !== 0 || Number.isNaN(peakKib)) {
    throw new Error(`hardhat ${args.join(" ")} failed: ${stderr}`);
  }
  return { seconds: (performance.now() - start) / 1000, peakKib };
}

/** A project with these plugins, besides Hardhat and hardhat-ethers; the caller removes it. */
export async function project(plugins: readonly string[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "dualstack-bench-"));
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(path.join(folder, "hardhat.config.js"), config(plugins));
  await writeFile(
    path.join(folder, "report.mjs"),
    'process.on("exit", () => process.stderr.write(`peak=${process.resourceUsage().maxRSS}\\n`));',
  );
  await mkdir(path.join(folder, "node_modules/@nomicfoundation"), {
    recursive: true,
  });
  for (const name of ["hardhat", "@nomicfoundation/hardhat-ethers"]) {
    await symlink(
      path.join(root, "node_modules", name),
      path.join(folder, "node_modules", name),
    );
  }
  await symlink(root, path.join(folder, "node_modules/hardhat-dualstack"));
  return folder;
}

/** `hardhat --help` with the plugin, divided by that without. */
export async function benchHelp(rounds = 25): Promise<Figure[]> {
  const [without, withPlugin] = [
    await project([]),
    await project(["hardhat-dualstack"]),
  ];
  try {
    const time = await sideBySide(
      rounds,
      async () => (await hardhat(withPlugin, "--help")).seconds,
      async () => (await hardhat(without, "--help")).seconds,
    );
    const memory = await sideBySide(
      Math.ceil(rounds / 2),
      async () => (await hardhat(withPlugin, "--help")).peakKib,
      async () => (await hardhat(without, "--help")).peakKib,
    );
    return [
      {
        name: "hardhat --help, wall time",
        value: time,
        limit: { atMost: 1.05 },
        of: `${rounds} pairs`,
      },
      {
        name: "hardhat --help, peak memory",
        value: memory,
        limit: { atMost: 1.05 },
        of: `${Math.ceil(rounds / 2)} pairs`,
      },
    ];
  } finally {
    await rm(without, { recursive: true, force: true });
    await rm(withPlugin, { recursive: true, force: true });
  }
}

async function environment(withPlugin: boolean, networks = {}) {
  const { default: ethers } = await import("@nomicfoundation/hardhat-ethers");
  const plugins: HardhatPlugin[] = [ethers];
  if (withPlugin) {
    plugins.push((await import("../src/index.js")).default);
  }
  return await createHardhatRuntimeEnvironment({ plugins, networks });
}

/** A call on a simulated network with the plugin, divided by that without. */
export async function benchCall(rounds = 15, calls = 2_000): Promise<Figure[]> {
  const to = "0x00000000000000000000000000000000000000aa";
  const runner = async (withPlugin: boolean) => {
    const { provider } = await (
      await environment(withPlugin)
    ).network.create("default");
    // Returns the number 1 to every caller.
    await provider.request({
      method: "hardhat_setCode",
      params: [to, "0x600160005260206000f3"],
    });
    return () =>
      timed(async () => {
        for (let i = 0; i < calls; i++) {
          await provider.request({
            method: "eth_call",
            params: [{ to }, "latest"],
          });
        }
      });
  };
  const value = await sideBySide(
    rounds,
    await runner(true),
    await runner(false),
  );
  return [
    {
      name: "eth_call on a simulated network",
      value,
      limit: { atMost: 1.05 },
      of: `${rounds} pairs of ${calls}`,
    },
  ];
}

/**
 * Requests that reach the node for each transaction after the first, with the
 * plugin, divided by those without.
 */
export async function benchRequests(transactions = 10): Promise<Figure[]> {
  const key =
    "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
  const count = async (withPlugin: boolean) => {
    const node = await EvmNode.start({ blockTimeMs: 50 });
    try {
      const hre = await environment(withPlugin, {
        testnet: {
          type: "http",
          url: node.evmUrl,
          chainId: 26218,
          accounts: [key],
        },
      });
      const { provider } = await hre.network.create("testnet");
      const send = async () => {
        const [from] = (await provider.request({
          method: "eth_accounts",
        })) as string[];
        const hash = await provider.request({
          method: "eth_sendTransaction",
          params: [{ from, to: from, value: "0x1", data: "0x1234" }],
        });
        await provider.request({
          method: "eth_getTransactionReceipt",
          params: [hash],
        });
      };
      await send();
      node.clear();
      for (let i = 0; i < transactions; i++) {
        await send();
      }
      return node.requests.length;
    } finally {
      await node.close();
    }
  };
  const value = (await count(true)) / (await count(false));
  return [
    {
      name: "requests for a transaction after the first",
      value,
      limit: { atMost: 1 },
      of: `${transactions} transactions`,
    },
  ];
}

// When a fork ends, and when its process does: forgets what the simulator has
// kept on disk.

import { readdirSync, rmSync } from "node:fs";
import path from "node:path";

/** Below Hardhat's folder for caches, where each major has what its simulator keeps of forks. */
const FOLDERS = ["edr-fork-cache", "hardhat-network-fork"];

/** Those that a process leaves behind when it ends. */
const open = new Set<SimulatorCache>();
let clearsAtExit = false;

/**
 * What the simulator keeps on disk of what one server has told it. It knows the
 * server by its address alone, and a port is another server's the next time.
 */
export class SimulatorCache {
  readonly #cache: string;
  readonly #host: string;

  /** `cache`: Hardhat's folder for caches. Clears what an earlier server at the address has left. */
  constructor(cache: string, host: string, port: number) {
    this.#cache = cache;
    this.#host = `${host}_${port}`;
    this.#clear();
    open.add(this);
    if (clearsAtExit) return;
    clearsAtExit = true;
    process.once("exit", () => {
      for (const one of open) one.#clear();
    });
  }

  /** Removes it. */
  close(): void {
    open.delete(this);
    this.#clear();
  }

  #clear(): void {
    for (const folder of FOLDERS) {
      const all = path.join(this.#cache, folder, "rpc_cache");
      for (const version of entriesOf(all)) {
        const kept = path.join(all, version, this.#host);
        // The simulator may still be writing.
        rmSync(kept, { recursive: true, force: true, maxRetries: 5 });
      }
    }
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

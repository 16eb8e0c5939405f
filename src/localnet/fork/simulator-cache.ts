// Clears the simulator's cache on disk when a fork is closed or the process
// exits.

import { readdirSync, rmSync } from "node:fs";
import path from "node:path";

/**
 * Folders below Hardhat's cache folder in which each major's simulator caches
 * forks.
 */
const FOLDERS = ["edr-fork-cache", "hardhat-network-fork"];

/** The caches to clear when the process exits. */
const open = new Set<SimulatorCache>();
let clearsAtExit = false;

/**
 * The simulator's cache on disk for one server. The simulator tells servers
 * apart by host and port only, and another server may listen at the same port
 * the next time.
 */
export class SimulatorCache {
  readonly #cache: string;
  readonly #host: string;

  /**
   * Clears what an earlier server at the address has left.
   *
   * @param cache Hardhat's cache folder
   */
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

  /** Clears the cache. */
  close(): void {
    open.delete(this);
    this.#clear();
  }

  #clear(): void {
    for (const folder of FOLDERS) {
      const all = path.join(this.#cache, folder, "rpc_cache");
      for (const version of entriesOf(all)) {
        const kept = path.join(all, version, this.#host);
        // Retries because the simulator may still be writing.
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

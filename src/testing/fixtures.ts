import type { RpcProvider } from "../rpc/provider.js";

type Fixture<T> = () => Promise<T>;

interface Loaded {
  readonly fixture: Fixture<unknown>;
  readonly value: unknown;
  readonly snapshot: unknown;
}

/** Fixtures on a network that takes snapshots. */
export class Fixtures {
  readonly #provider: RpcProvider;
  /** In the order of their snapshots: restoring one discards those after it. */
  #loaded: Loaded[] = [];

  constructor(provider: RpcProvider) {
    this.#provider = provider;
  }

  async load<T>(fixture: Fixture<T>): Promise<T> {
    const at = this.#loaded.findIndex((known) => known.fixture === fixture);
    const known = this.#loaded[at];
    if (known !== undefined) {
      this.#loaded = this.#loaded.slice(0, at);
      const restored = await this.#provider.request({
        method: "evm_revert",
        params: [known.snapshot],
      });
      if (restored === true) {
        return await this.#keep(fixture, known.value as T);
      }
      // Somebody else restored an earlier snapshot; all of these may be gone with it.
    }
    return await this.#keep(fixture, await fixture());
  }

  // A snapshot can be restored only once.
  async #keep<T>(fixture: Fixture<T>, value: T): Promise<T> {
    const snapshot = await this.#provider.request({
      method: "evm_snapshot",
      params: [],
    });
    this.#loaded.push({ fixture, value, snapshot });
    return value;
  }
}

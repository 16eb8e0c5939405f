import type { Called } from "../../localnet/foresight/trace.js";
import type { EdrWrapper, NativeProvider } from "./raw-trace.js";
import { sweep } from "./sweep.js";

/** As many calls of users' contracts as leave some megabytes of traces behind that nobody wants any more. */
const CALLS_PER_SWEEP = 100;

const hex = (bytes: ArrayBuffer) => `0x${Buffer.from(bytes).toString("hex")}`;

/**
 * Hears of every call that Hardhat 2's network runs, by the callback that it
 * offers to mocking libraries: of each the account whose code runs, and the
 * calldata, before it runs. This costs next to nothing, where the same from a
 * trace takes several times as long as the call itself.
 */
export class Listener {
  /** What is heard now; nothing is kept while nobody waits for it. */
  #heard: Called[] | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #count = 0;
  readonly #precompiles: ReadonlySet<string>;

  constructor(precompiles: ReadonlySet<string>) {
    this.#precompiles = precompiles;
  }

  readonly onCall = (address: ArrayBuffer, data: ArrayBuffer): void => {
    const to = hex(address);
    // A precompile's code is long: one call of it leaves that much by itself.
    this.#count += this.#precompiles.has(to) ? CALLS_PER_SWEEP : 1;
    this.#heard?.push({ to, input: hex(data) });
  };

  /**
   * What is heard while a task runs; tasks wait for each other. Others' calls
   * may be among it, and nothing at all is where another has taken the callback.
   */
  async during(task: () => Promise<unknown>): Promise<readonly Called[]> {
    const listen = async () => {
      const heard: Called[] = [];
      this.#heard = heard;
      try {
        await task();
      } finally {
        this.#heard = undefined;
      }
      return heard;
    };
    const mine = this.#turn.then(listen, listen);
    this.#turn = mine;
    return await mine;
  }

  /** Lets the traces of earlier calls go from time to time: see {@link sweep}. */
  tidy(): void {
    if (this.#count < CALLS_PER_SWEEP) {
      return;
    }
    this.#count = 0;
    sweep();
  }
}

const listeners = new WeakMap<NativeProvider, Listener>();

/** What listens to a network, from now on. */
export async function listenTo(
  edr: EdrWrapper,
  precompiles: ReadonlySet<string>,
): Promise<Listener> {
  const known = listeners.get(edr._provider);
  if (known !== undefined) {
    return known;
  }
  const listener = new Listener(precompiles);
  listeners.set(edr._provider, listener);
  await edr._provider.setCallOverrideCallback(async (address, data) => {
    listener.onCall(address, data);
    // A library for mocks may have been there first.
    return await edr._callOverrideCallback?.(
      Buffer.from(address),
      Buffer.from(data),
    );
  });
  return listener;
}

import type { Called } from "../../localnet/foresight/trace.js";
import type { EdrWrapper, NativeProvider } from "./raw-trace.js";
import { sweep } from "./sweep.js";

/** How many calls of users' contracts leave some megabytes of unused traces behind. */
const CALLS_PER_SWEEP = 100;

const hex = (bytes: ArrayBuffer) => `0x${Buffer.from(bytes).toString("hex")}`;

/**
 * Hears of every call that Hardhat 2's network runs, through the callback that
 * it offers to mocking libraries: before a call runs, the account whose code
 * runs and the calldata. This costs next to nothing, while a trace would take
 * several times as long as the call itself.
 */
export class Listener {
  /** The calls heard in the current task; `undefined` while no task wants them. */
  #heard: Called[] | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #count = 0;
  readonly #precompiles: ReadonlySet<string>;

  constructor(precompiles: ReadonlySet<string>) {
    this.#precompiles = precompiles;
  }

  readonly onCall = (address: ArrayBuffer, data: ArrayBuffer): void => {
    const to = hex(address);
    // A precompile's code is long, so a single call of it leaves that much.
    this.#count += this.#precompiles.has(to) ? CALLS_PER_SWEEP : 1;
    this.#heard?.push({ to, input: hex(data) });
  };

  /**
   * The calls heard while a task runs; tasks wait for each other. They may
   * include calls of others, and are empty if another library has taken over
   * the callback.
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

  /** Frees the traces of earlier calls from time to time: see {@link sweep}. */
  tidy(): void {
    if (this.#count < CALLS_PER_SWEEP) {
      return;
    }
    this.#count = 0;
    sweep();
  }
}

const listeners = new WeakMap<NativeProvider, Listener>();

/** Starts listening to a network. */
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
    // A mocking library may have set its callback first.
    return await edr._callOverrideCallback?.(
      Buffer.from(address),
      Buffer.from(data),
    );
  });
  return listener;
}

import type { Called } from "../../localnet/foresight/trace.js";
import type { EdrWrapper, NativeProvider } from "./raw-trace.js";
import { sweep } from "./sweep.js";

/** How many calls of users' contracts leave some ten megabytes of unused traces behind. */
const CALLS_PER_SWEEP = 400;

const hex = (bytes: ArrayBuffer) => `0x${Buffer.from(bytes).toString("hex")}`;

/** A call, whose calldata is rarely of interest. */
class Heard implements Called {
  readonly to: string;
  readonly #data: ArrayBuffer;

  constructor(to: string, data: ArrayBuffer) {
    this.to = to;
    this.#data = data;
  }

  get input(): string {
    return hex(this.#data);
  }
}

/** What the callback answers where nothing is mocked. */
const NOTHING = Promise.resolve(undefined);

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
    this.#heard?.push(new Heard(to, data));
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

  /** Whether the current task has called such an account. */
  hears(isSuch: (account: string) => boolean): boolean {
    return this.#heard?.some(({ to }) => isSuch(to)) ?? false;
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
  await edr._provider.setCallOverrideCallback((address, data) => {
    listener.onCall(address, data);
    // A mocking library may have set its callback first.
    return (
      edr._callOverrideCallback?.(Buffer.from(address), Buffer.from(data)) ??
      NOTHING
    );
  });
  return listener;
}

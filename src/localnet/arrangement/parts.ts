// Loads the emulator's code when a request first needs it, with what works on
// it: a network that never meets a module does without.

import type { Codes } from "../foresight/codes.js";
import { Observer } from "../foresight/observer.js";
import type { EmulatedAccounts } from "../modules/emulated-accounts.js";
import { type Emulator, linkEmulator } from "../modules/emulator.js";
import type { LocalNode } from "../node/node.js";
import type { LocalnetSettings } from "../settings/settings.js";
import type { Limits } from "./limits.js";
import { Patches } from "./patches.js";
import { Planner } from "./plan.js";

/** The parts of the emulation that need the emulator's code. */
export interface LoadedParts {
  readonly emulator: Emulator;
  readonly patches: Patches;
  readonly observer: Observer;
  readonly planner: Planner;
}

/** What {@link Parts} needs of the emulated chain. */
export interface PartsHost {
  readonly node: LocalNode;
  readonly codes: Codes;
  readonly accounts: EmulatedAccounts;
  readonly limits: Limits;
  readonly settings: LocalnetSettings;
  /** Returns the denomination of a forked chain, which is used instead. */
  denom(): Promise<string | undefined>;
}

/** The emulator's code and what works on it, loaded on demand. */
export class Parts {
  readonly #host: PartsHost;
  #loaded: LoadedParts | undefined;

  constructor(host: PartsHost) {
    this.#host = host;
  }

  /** What {@link load} returned; `undefined` as long as nothing needed it. */
  get loaded(): LoadedParts | undefined {
    return this.#loaded;
  }

  async load(): Promise<LoadedParts> {
    if (this.#loaded === undefined) {
      const { node, codes, accounts, limits, settings } = this.#host;
      const { emulatorCode } = await import("../generated/emulator.js");
      const denom = (await this.#host.denom()) ?? settings.denom;
      const emulator = linkEmulator(emulatorCode, { ...settings, denom });
      const patches = new Patches(node, emulator);
      const observer = new Observer(codes, patches, accounts);
      const planner = new Planner(node, patches, observer, accounts, limits);
      this.#loaded = { emulator, patches, observer, planner };
    }
    return this.#loaded;
  }

  /** Lets the next {@link load} begin anew, for a network with other facts. */
  forget(): void {
    this.#loaded = undefined;
  }
}

import type { ChainControl } from "../localnet/control/control.js";
import type { RpcProvider } from "../rpc/provider.js";
import { Fixtures } from "./fixtures.js";
import type { Localnet, TestFunction } from "./types.js";

type Does<name extends keyof ChainControl> = ChainControl[name];

/** Tests on a network with emulated precompiles. */
export class LocalTests implements Localnet {
  readonly available = true;
  readonly #control: ChainControl;
  readonly #fixtures: Fixtures;

  constructor(control: ChainControl, provider: RpcProvider) {
    this.#control = control;
    this.#fixtures = new Fixtures(provider);
  }

  readonly loadFixture = async <T>(fixture: () => Promise<T>): Promise<T> =>
    await this.#fixtures.load(fixture);

  readonly only = <T extends TestFunction>(test: T): T => test;

  readonly state: Does<"state"> = () => this.#control.state();
  readonly advance: Does<"advance"> = (...x) => this.#control.advance(...x);
  readonly advanceTo: Does<"advanceTo"> = (...x) =>
    this.#control.advanceTo(...x);
  readonly advanceToNextDue: Does<"advanceToNextDue"> = () =>
    this.#control.advanceToNextDue();
  readonly advanceToVoteEnd: Does<"advanceToVoteEnd"> = (...x) =>
    this.#control.advanceToVoteEnd(...x);
  readonly addValidator: Does<"addValidator"> = (...x) =>
    this.#control.addValidator(...x);
  readonly slash: Does<"slash"> = (...x) => this.#control.slash(...x);
  readonly jail: Does<"jail"> = (...x) => this.#control.jail(...x);
  readonly unjail: Does<"unjail"> = (...x) => this.#control.unjail(...x);
  readonly setRewardRate: Does<"setRewardRate"> = (...x) =>
    this.#control.setRewardRate(...x);
  readonly depositRewards: Does<"depositRewards"> = (...x) =>
    this.#control.depositRewards(...x);
}

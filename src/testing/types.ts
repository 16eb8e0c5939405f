import type { LocalnetControl } from "../localnet/control.js";

/** `it` or `test` of a test runner, as far as skipping goes. */
export interface TestFunction {
  (title: string, ...rest: never[]): unknown;
  readonly skip: (title: string, ...rest: never[]) => unknown;
}

/**
 * What a test does to its network: `connection.dualstack.localnet`. On a local
 * network time is set and the chain does as it is told; on a real one
 * `advance…` waits, `loadFixture` runs the fixture anew, and what else there
 * is rejects. Thus one test file serves both.
 */
export interface Localnet extends Pick<LocalnetControl, keyof LocalnetControl> {
  /** Whether the precompiles are emulated here, so that everything works. */
  readonly available: boolean;
  /**
   * A test that needs a local network, such as one that slashes a validator;
   * elsewhere it is skipped, and its title says why.
   *
   * @param test `it` or `test` of Mocha, node:test or Vitest
   * @example localnet.only(it)("shares a slash", async () => { … });
   */
  only<T extends TestFunction>(test: T, why?: string): T;
  /**
   * What a fixture makes, on the state that it leaves: set back to it on a
   * local network, made anew on a real one. May be taken out of the object.
   */
  readonly loadFixture: <T>(fixture: () => Promise<T>) => Promise<T>;
}

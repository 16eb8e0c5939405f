import type { ChainControl } from "../localnet/control/control.js";

/** `it` or `test` of a test runner, as far as skipping needs it. */
export interface TestFunction {
  (title: string, ...rest: never[]): unknown;
  readonly skip: (title: string, ...rest: never[]) => unknown;
}

/**
 * What tests do to their network: `connection.dualstack.localnet`. A local
 * network does as it is told; on a real one `advance…` waits, `loadFixture`
 * runs the fixture again, and all other members reject. So one test file serves
 * both.
 */
export interface Localnet extends ChainControl {
  /** Whether the precompiles are emulated here, so that every member works. */
  readonly available: boolean;
  /**
   * Marks a test that needs a local network, such as one that slashes a
   * validator. Elsewhere the test is skipped, and its title says why.
   *
   * @param test `it` or `test` of Mocha, node:test or Vitest
   * @example localnet.only(it)("shares a slash", async () => { … });
   */
  only<T extends TestFunction>(test: T, why?: string): T;
  /**
   * Returns what a fixture returned, on the state that it left: on a local
   * network by restoring a snapshot, on a real one by running the fixture
   * again. Needs no `this`.
   *
   * @throws whatever the fixture throws
   */
  readonly loadFixture: <T>(fixture: () => Promise<T>) => Promise<T>;
}

/** What the chain refuses, with a part of its reason. */
export class Refused extends Error {}

/**
 * A part of the chain by the rules of the framework's keepers, with nothing but
 * bigints: for comparisons with the emulation. Its fields are plain data.
 */
export abstract class Model {
  /** Of the block in which things happen. */
  height = 0n;
  time = 0n;
  /** What is rare, and should have happened in a test. */
  readonly happened = new Set<string>();

  /** What happens by itself at the end of each block. */
  abstract endBlock(): void;

  /**
   * Does all that a transaction does, or nothing.
   * @returns why it was refused
   */
  attempt(act: () => void): string | undefined {
    const before = structuredClone({ ...this });
    try {
      act();
      return undefined;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      Object.assign(this, before);
      return error.message;
    }
  }
}

// What is recorded has many shapes, which its users know.
/* eslint-disable @typescript-eslint/no-explicit-any */

/** A recorded chain, and the server of it: see archive.mjs. */
export interface Archive {
  readonly data: any;
  readonly head: number;
  /** Answers a view of a precompile. */
  call(request: { data?: string }, block: unknown): string;
  height(block: unknown): number;
  /** A balance, nonce or code of an account. */
  state(kind: string, account: string, block: unknown, none: string): string;
  rest(path: string, height: number): { status: number; body: string };
}

export interface ArchiveServer {
  readonly url: string;
  /** How often each method was called. */
  readonly counts: Map<string, number>;
  /** Requests for what is not in the archive, and how often. */
  readonly misses: Map<string, number>;
  close(): Promise<void>;
}

export function open(file: string, head?: number): Archive;

export function serve(
  archive: Archive,
  options?: { readonly port?: number; readonly host?: string },
): Promise<ArchiveServer>;

/** The value of a list of changes at a height. */
export function valueAt(
  list: readonly (readonly [number, any])[] | undefined,
  height: number,
): any;

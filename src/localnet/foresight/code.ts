// Reads from a contract's bytes what it can do, when `codes.ts` first meets it.

const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const JUMPDEST = 0x5b;
/**
 * STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT: execution resumes only at
 * the next JUMPDEST.
 */
const ENDS = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff]);

/** How far a request to an account can reach. */
export type Reach =
  /** The account has no code. */
  | "nothing"
  /** Its code calls no other account. */
  | "itself"
  /** Its code calls others by STATICCALL only: it reads and changes nothing. */
  | "reads"
  /** Its code can make any account act. */
  | "others";

/** What code could do to tell one run of it from another, by its opcodes. */
export interface CodeFacts {
  readonly reach: Reach;
  /** Reads or moves a whole balance: BALANCE, SELFBALANCE, SELFDESTRUCT. */
  readonly balances: boolean;
  /** Reads the balance of another account, such as the sender's: BALANCE. */
  readonly foreignBalances: boolean;
  /** Reads the code of an account: EXTCODEHASH, EXTCODECOPY. */
  readonly codes: boolean;
  /** Reads the length of an account's code: EXTCODESIZE. */
  readonly sizes: boolean;
  /** Reads what the transaction pays for gas: GASPRICE, BASEFEE. */
  readonly fees: boolean;
  /** Reads the block's time: TIMESTAMP. */
  readonly time: boolean;
  /**
   * Reads what may differ in a trace: other accounts' balances, fees, fields
   * and hashes of blocks, the remaining gas.
   */
  readonly varies: boolean;
  /** Creates contracts: CREATE, CREATE2. */
  readonly creates: boolean;
  /** SELFDESTRUCT. */
  readonly destroys: boolean;
}

const NO_CODE: CodeFacts = {
  reach: "nothing",
  balances: false,
  foreignBalances: false,
  codes: false,
  sizes: false,
  fees: false,
  time: false,
  varies: false,
  creates: false,
  destroys: false,
};

/** An EIP-7702 designator: the target's code decides, and may change. */
const DELEGATED: CodeFacts = { ...NO_CODE, reach: "others", varies: true };

/** Collects the opcodes that can run, without data behind the code. */
function instructionsOf(bytes: Uint8Array): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [at, op] of placesOf(bytes)) {
    // Compilers put GAS before a call to forward all gas, whatever is left.
    if (op === GAS && CALLS.has(bytes[at + 1] ?? 0)) continue;
    found.add(op);
  }
  return found;
}

const GAS = 0x5a;
/** CALL, CALLCODE, DELEGATECALL, STATICCALL. */
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa]);

/** Yields the position and opcode of each instruction that can run. */
function* placesOf(bytes: Uint8Array): Generator<readonly [number, number]> {
  let runs = true;
  for (let at = 0; at < bytes.length; at++) {
    const op = bytes[at] ?? 0;
    if (op === JUMPDEST) runs = true;
    else if (runs) yield [at, op];
    if (ENDS.has(op)) runs = false;
    if (op >= PUSH1 && op <= PUSH32) at += op - PUSH1 + 1;
  }
}

const ISZERO = 0x15;
const BLOCKHASH = 0x40;

/**
 * Replaces BLOCKHASH by ISZERO, so that code reads 0 as the hash of every block
 * but the first. `undefined` if the code reads no block hash.
 */
export function withoutBlockHashes(code: string): string | undefined {
  const bytes = Buffer.from(code.slice(2), "hex");
  const end = bytes.length - metadataLength(bytes);
  const places = [...placesOf(bytes.subarray(0, end))].filter(
    ([, op]) => op === BLOCKHASH,
  );
  for (const [at] of places) bytes[at] = ISZERO;
  return places.length === 0 ? undefined : `0x${bytes.toString("hex")}`;
}

/**
 * Returns the length of the metadata that compilers append, in bytes. It
 * contains hashes, whose bytes look like instructions.
 */
function metadataLength(bytes: Buffer): number {
  if (bytes.length < 4) return 0;
  const length = bytes.readUInt16BE(bytes.length - 2) + 2;
  const start = bytes.length - length;
  // An INVALID instruction, then a CBOR map of one to three entries whose first
  // key is a short text.
  const fits =
    start > 0 &&
    bytes[start - 1] === 0xfe &&
    /^a[1-3]6[4-6]$/.test(bytes.subarray(start, start + 2).toString("hex"));
  return fits ? length : 0;
}

const known = new Map<string, CodeFacts>();
const KNOWN_LIMIT = 2_000;

/** Returns what code can do, by its opcodes, from a cache. */
export function factsOf(code: string): CodeFacts {
  if (code.length <= 2) return NO_CODE;
  if (code.startsWith(DESIGNATOR)) return DELEGATED;
  const before = known.get(code);
  if (before !== undefined) return before;
  const bytes = Buffer.from(code.slice(2), "hex");
  const found = instructionsOf(
    bytes.subarray(0, bytes.length - metadataLength(bytes)),
  );
  const any = (...ops: readonly number[]) => ops.some((op) => found.has(op));
  const facts: CodeFacts = {
    // By CREATE, CALL, CALLCODE, DELEGATECALL and CREATE2 other code can act.
    reach: any(0xf0, 0xf1, 0xf2, 0xf4, 0xf5)
      ? "others"
      : any(0xfa)
        ? "reads"
        : "itself",
    balances: any(0x31, 0x47, 0xff),
    foreignBalances: any(0x31),
    codes: any(0x3c, 0x3f),
    sizes: any(0x3b),
    fees: any(0x3a, 0x48),
    time: any(0x42),
    // Besides those: BLOCKHASH, COINBASE, TIMESTAMP, NUMBER, PREVRANDAO,
    // GASLIMIT, BLOBHASH, BLOBBASEFEE.
    varies: any(
      ...[0x31, 0x3a, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45],
      ...[0x48, 0x49, 0x4a, GAS],
    ),
    creates: any(0xf0, 0xf5),
    destroys: any(0xff),
  };
  if (known.size >= KNOWN_LIMIT) known.clear();
  known.set(code, facts);
  return facts;
}

/**
 * First bytes of the code of an account that delegates to another's (EIP-7702);
 * the target's 20 bytes of address follow.
 */
export const DESIGNATOR = "0xef0100";

/** Returns the code of an account that delegates to `target` (EIP-7702). */
export const designatorTo = (target: string) =>
  `${DESIGNATOR}${target.slice(2).toLowerCase()}`;

/** Returns the account that code delegates to (EIP-7702), if it does. */
export const delegateOf = (code: string): string | undefined =>
  code.length === DESIGNATOR.length + 40 && code.startsWith(DESIGNATOR)
    ? `0x${code.slice(DESIGNATOR.length)}`
    : undefined;

/** Minimal proxy (EIP-1167). */
const PROXY_BEGIN = "0x363d3d373d3d3d363d73";
const PROXY_END = "5af43d82803e903d91602b57fd5bf3";
const PROXY_LENGTH = PROXY_BEGIN.length + 40 + PROXY_END.length;

/**
 * Returns a minimal proxy to `target`, padded to the length of the code `as`;
 * it is longer than code that is too short for a proxy.
 */
export const proxyTo = (target: string, as: string) =>
  `${PROXY_BEGIN}${target.slice(2).toLowerCase()}${PROXY_END}`.padEnd(
    as.length,
    "0",
  );

/** Whether code is long enough for a minimal proxy to take its place. */
export const hidesProxy = (code: string) => code.length >= PROXY_LENGTH;

/** Returns the account whose code a minimal proxy runs, if it is one. */
export const targetOf = (code: string): string | undefined =>
  code.startsWith(PROXY_BEGIN) &&
  code.startsWith(PROXY_END, PROXY_BEGIN.length + 40)
    ? `0x${code.slice(PROXY_BEGIN.length, PROXY_BEGIN.length + 40)}`
    : undefined;

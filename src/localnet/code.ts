const PUSH1 = 0x60;
const PUSH32 = 0x7f;
/** CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2: what can make another code act. STATICCALL cannot. */
const REACHING = new Set([0xf0, 0xf1, 0xf2, 0xf4, 0xf5]);

/** What a request to an account can lead to. */
export type Reach =
  /** No code. */
  | "nothing"
  /** Code that calls nobody. */
  | "itself"
  /** Any other account. */
  | "others";

const JUMPDEST = 0x5b;
/** STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT: what follows runs only from a JUMPDEST on. */
const ENDS = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff]);

/** Whether an instruction that reaches others can run: read as the EVM reads code, data behind it left out. */
function reaches(bytes: Uint8Array): boolean {
  let runs = true;
  for (let at = 0; at < bytes.length; at++) {
    const op = bytes[at] ?? 0;
    if (op === JUMPDEST) runs = true;
    else if (runs && REACHING.has(op)) return true;
    else if (ENDS.has(op)) runs = false;
    if (op >= PUSH1 && op <= PUSH32) at += op - PUSH1 + 1;
  }
  return false;
}

/** Length of the metadata that compilers write behind the code: hashes, which look like any instruction. */
function metadataLength(bytes: Buffer): number {
  if (bytes.length < 4) return 0;
  const length = bytes.readUInt16BE(bytes.length - 2) + 2;
  const start = bytes.length - length;
  // An INVALID instruction, then a CBOR map of one to three entries whose first key is a short text.
  const fits =
    start > 0 &&
    bytes[start - 1] === 0xfe &&
    /^a[1-3]6[4-6]$/.test(bytes.subarray(start, start + 2).toString("hex"));
  return fits ? length : 0;
}

const known = new Map<string, Reach>();
const KNOWN_LIMIT = 2_000;

/** What code can lead to, by its opcodes; remembered for the codes seen last. */
export function reachOf(code: string): Reach {
  if (code.length <= 2) return "nothing";
  // A designator of EIP-7702: its target's code decides, which may change.
  if (code.startsWith(DESIGNATOR)) return "others";
  const before = known.get(code);
  if (before !== undefined) return before;
  const bytes = Buffer.from(code.slice(2), "hex");
  const reach = reaches(bytes.subarray(0, bytes.length - metadataLength(bytes)))
    ? "others"
    : "itself";
  if (known.size >= KNOWN_LIMIT) known.clear();
  known.set(code, reach);
  return reach;
}

/** Begin of the code of an account that delegates to another's code (EIP-7702); 20 bytes of address follow. */
export const DESIGNATOR = "0xef0100";

export const designatorTo = (target: string) =>
  `${DESIGNATOR}${target.slice(2).toLowerCase()}`;

/** Whose code an account runs by EIP-7702, if it does. */
export const delegateOf = (code: string): string | undefined =>
  code.length === DESIGNATOR.length + 40 && code.startsWith(DESIGNATOR)
    ? `0x${code.slice(DESIGNATOR.length)}`
    : undefined;

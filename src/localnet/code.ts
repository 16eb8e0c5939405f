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
  let reach: Reach = "itself";
  for (let at = 0; at < bytes.length; at++) {
    const op = bytes[at] ?? 0;
    if (REACHING.has(op)) {
      reach = "others";
      break;
    }
    if (op >= PUSH1 && op <= PUSH32) at += op - PUSH1 + 1;
  }
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

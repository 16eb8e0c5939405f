import { DualstackError } from "../support/errors.js";
import type { CallRequest, LocalNode } from "./node.js";
import { addressAt, type Step } from "./struct-logs.js";
import type { Frame } from "./trace.js";

const CREATES = new Set(["CREATE", "CREATE2"]);
/** BALANCE, SELFBALANCE. */
const READS = new Set([0x31, 0x47]);

/** Who pays later in a request, how it was found, and all accounts of the emulation. */
interface Payment {
  readonly call: CallRequest;
  readonly block: unknown;
  readonly root: Frame;
  readonly actors: ReadonlySet<string>;
  readonly modules: ReadonlySet<string>;
  readonly accounts: ReadonlySet<string>;
}

/**
 * Refuses a request in which a contract that the request itself creates gives
 * tokens to a module, and the request could see that they leave only when it
 * ends: it reads the balance, or spends more than would be left.
 *
 * @throws DualstackError
 */
export async function refuseVisible(
  node: LocalNode,
  payment: Payment,
): Promise<void> {
  await refuseOverspending(node, payment);
  if (!(await mayReadBalances(node, payment))) return;
  const logs = await node.steps(payment.call, payment.block);
  const reader = readerOf(logs, payment);
  if (reader !== undefined) refuse(reader, "reads its balance after that");
}

function refuse(address: string, what: string): never {
  throw new DualstackError(
    `a contract gives tokens to a precompile in the transaction that creates it, and ${what}: on a simulated network they leave only when the transaction ends`,
    {
      address,
      fix: "Let the contract act in a transaction of its own, after its creation.",
    },
  );
}

async function refuseOverspending(
  node: LocalNode,
  { root, actors, modules }: Payment,
): Promise<void> {
  const balances = new Map<string, bigint>();
  for (const actor of actors) balances.set(actor, await node.balance(actor));
  const owed = new Map<string, bigint>();
  const add = (
    map: Map<string, bigint>,
    account: string | undefined,
    amount: bigint,
  ) => {
    if (account !== undefined && actors.has(account))
      map.set(account, (map.get(account) ?? 0n) + amount);
  };
  const visit = (frame: Frame) => {
    if (frame.error !== undefined) return;
    const value =
      frame.type === "DELEGATECALL" || frame.type === "CALLCODE"
        ? 0n
        : BigInt(frame.value ?? "0x0");
    if (
      frame.type === "CALL" &&
      modules.has(frame.from) &&
      frame.input.length === 202 &&
      modules.has(frame.to ?? "")
    ) {
      // defer(address,address,uint256)
      add(
        owed,
        `0x${frame.input.slice(34, 74)}`,
        BigInt(`0x${frame.input.slice(138, 202)}`),
      );
    }
    add(balances, frame.from, -value);
    add(balances, frame.to, value);
    const left = balances.get(frame.from);
    if (
      value > 0n &&
      left !== undefined &&
      left < (owed.get(frame.from) ?? 0n)
    ) {
      refuse(frame.from, "spends more than would be left");
    }
    frame.calls?.forEach(visit);
  };
  visit(root);
}

/** Whether any code of the request, but the modules', has an opcode that reads balances. */
async function mayReadBalances(
  node: LocalNode,
  { root, accounts, block }: Payment,
): Promise<boolean> {
  const codes = new Set<string>();
  const addresses = new Set<string>();
  const visit = (frame: Frame) => {
    if (CREATES.has(frame.type)) {
      codes.add(frame.input);
      codes.add(frame.output ?? "0x");
    } else if (frame.to !== undefined && !accounts.has(frame.to)) {
      addresses.add(frame.to);
    }
    frame.calls?.forEach(visit);
  };
  visit(root);
  for (const address of addresses) codes.add(await node.code(address, block));
  return [...codes].some((code) => hasOpcode(code, READS));
}

function hasOpcode(code: string, wanted: ReadonlySet<number>): boolean {
  const bytes = Buffer.from(code.slice(2), "hex");
  for (let at = 0; at < bytes.length; at++) {
    const op = bytes[at] ?? 0;
    if (wanted.has(op)) return true;
    if (op >= 0x60 && op <= 0x7f) at += op - 0x5f;
  }
  return false;
}

/** The first actor whose balance is read after it has called a module. */
function readerOf(
  steps: readonly Step[],
  { root, actors, modules, accounts }: Payment,
): string | undefined {
  const created: string[] = [];
  const collect = (frame: Frame) => {
    if (CREATES.has(frame.type) && frame !== root) created.push(frame.to ?? "");
    frame.calls?.forEach(collect);
  };
  collect(root);
  const contexts: string[] = [root.to ?? ""];
  const acted = new Set<string>();
  for (const step of steps) {
    contexts.length = step.depth;
    const here = contexts[step.depth - 1] ?? "";
    switch (step.op) {
      case "CALL":
      case "STATICCALL": {
        const target = addressAt(step, 1);
        contexts[step.depth] = target;
        if (modules.has(target) && actors.has(here)) acted.add(here);
        break;
      }
      case "DELEGATECALL":
      case "CALLCODE":
        contexts[step.depth] = here;
        break;
      case "CREATE":
      case "CREATE2":
        contexts[step.depth] = created.shift() ?? "";
        break;
      case "SELFBALANCE":
        if (acted.has(here)) return here;
        break;
      case "BALANCE":
        if (!accounts.has(here) && acted.has(addressAt(step, 0)))
          return addressAt(step, 0);
        break;
    }
  }
  return undefined;
}

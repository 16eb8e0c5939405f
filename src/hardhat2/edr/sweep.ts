import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { type: "minor"; execution: "sync" }) => void;

let collect: Collect | undefined;

/**
 * Collects young garbage. Hardhat 2's network answers with objects of a few
 * bytes that hold on to the native trace of everything that ran, some hundred
 * bytes per instruction. JavaScript only counts the few bytes, so thousands of
 * them would wait for a collection, which takes a fraction of a millisecond
 * while they are young.
 */
export function sweep(): void {
  collect ??= findCollect();
  collect({ type: "minor", execution: "sync" });
}

function findCollect(): Collect {
  // Only contexts created between these two lines have it.
  setFlagsFromString("--expose-gc");
  const found = runInNewContext("globalThis.gc") as Collect;
  setFlagsFromString("--no-expose-gc");
  return found;
}

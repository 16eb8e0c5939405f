import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { type: "minor"; execution: "sync" }) => void;

let collect: Collect | undefined;

/**
 * Collects what is young and dead. Hardhat 2's network answers with objects of
 * a few bytes on which the native trace of all that ran hangs, some hundred
 * bytes for every instruction. JavaScript weighs only the few bytes, so that
 * thousands of them would wait for a collection, which takes a fraction of a
 * millisecond while they are young.
 */
export function sweep(): void {
  collect ??= findCollect();
  collect({ type: "minor", execution: "sync" });
}

function findCollect(): Collect {
  // Only contexts made between the two lines have it.
  setFlagsFromString("--expose-gc");
  const found = runInNewContext("globalThis.gc") as Collect;
  setFlagsFromString("--no-expose-gc");
  return found;
}

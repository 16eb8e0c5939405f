import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

import { artifactOf, COUNTER } from "../helpers/contracts.js";

/** A folder of artifacts as a project's build leaves it: one contract, Counter. */
export async function artifactsFolder(): Promise<
  AsyncDisposable & { readonly folder: string }
> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "dualstack-artifacts-"));
  const source = path.join(folder, "contracts", "Test.sol");
  await mkdir(source, { recursive: true });
  await writeFile(
    path.join(source, "Counter.json"),
    JSON.stringify({
      ...artifactOf("Counter", COUNTER),
      sourceName: "contracts/Test.sol",
    }),
  );
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}

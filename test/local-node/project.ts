import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

import { artifactOf, COUNTER } from "../helpers/contracts.js";

/** A project's folder of artifacts, empty at first. */
export interface ArtifactsFolder extends AsyncDisposable {
  readonly folder: string;
  /** Writes what a build leaves: one contract, Counter. */
  build(): Promise<void>;
}

export async function artifactsFolder(): Promise<ArtifactsFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "dualstack-artifacts-"));
  return {
    folder,
    build: async () => {
      const source = path.join(folder, "contracts", "Test.sol");
      await mkdir(source, { recursive: true });
      await writeFile(
        path.join(source, "Counter.json"),
        JSON.stringify({
          ...artifactOf("Counter", COUNTER),
          sourceName: "contracts/Test.sol",
        }),
      );
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}

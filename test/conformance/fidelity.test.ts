import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";

import { withFidelity } from "./fidelity.js";

it("the README's fidelity table is what the recordings say", async () => {
  const readme = await readFile(
    new URL("../../README.md", import.meta.url),
    "utf8",
  );
  const squeezed = (text: string) => text.replace(/[ -]+/g, " ");
  assert.equal(squeezed(readme), squeezed(await withFidelity(readme)));
});

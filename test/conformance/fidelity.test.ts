import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";

import { PAGE, withFidelity } from "./fidelity.js";

it("the table on the fidelity page follows from the recordings (npm run docs writes it)", async () => {
  const page = await readFile(PAGE, "utf8");
  const squeezed = (text: string) => text.replace(/[ -]+/g, " ");
  assert.equal(squeezed(page), squeezed(await withFidelity(page)));
});

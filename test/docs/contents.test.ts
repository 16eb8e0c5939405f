import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, it } from "node:test";

import { ENDPOINT_NAMES } from "../../src/chain/endpoints.js";
import { PRESETS } from "../../src/faucet/presets/index.js";
import { TASKS } from "../../src/tasks/table.js";
import { ROOT } from "../package/package.js";

const read = async (page: string) =>
  await readFile(path.join(ROOT, "docs", page), "utf8");

describe("what can be added is on its page", () => {
  it("tasks have a section, or their group has one", async () => {
    const headings = [...(await read("tasks.md")).matchAll(/^## (.+)$/gm)];
    const sections = headings.flatMap(([, heading = ""]) =>
      heading.split(", "),
    );
    const missing = TASKS.map(({ path: [name] }) => name).filter(
      (name) => !sections.includes(name),
    );
    assert.deepEqual([...new Set(missing)], []);
  });

  it("endpoints and faucet protocols are named", async () => {
    const page = await read("networks.md");
    const missing = [
      ...ENDPOINT_NAMES.filter((name) => !page.includes(`.${name}\``)),
      ...Object.keys(PRESETS).filter((name) => !page.includes(`\`${name}\``)),
    ];
    assert.deepEqual(missing, []);
  });
});

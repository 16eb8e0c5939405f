import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, describe, it } from "node:test";

import {
  CONTROL_METHODS,
  controlMethod,
} from "../../src/localnet/control/methods.js";
import type { LocalnetControl } from "../../src/localnet/control/control.js";
import { DualstackError } from "../../src/support/errors.js";
import { listedIn, memberLists, PAGE, withMembers } from "./api.js";

/** Returns the usage that a method's error names. */
async function usageOf(name: string): Promise<string> {
  const call = controlMethod({} as LocalnetControl, name);
  const error = await call?.(Array(9).fill("x")).catch((reason) => reason);
  assert.ok(error instanceof DualstackError, name);
  return error.message.replace(/^.*Call (.*)\.$/s, "$1");
}

describe("the page about the API", () => {
  let page: string;
  let lists: ReturnType<typeof memberLists>;
  before(async () => {
    lists = memberLists();
    page = await readFile(PAGE, "utf8");
  });

  it("lists every public member as the types declare it (npm run docs writes it)", () => {
    assert.deepEqual(listedIn(page).sort(), [...lists.keys()].sort());
    for (const [name, members] of lists) {
      assert.ok(members.length > 0, name);
    }
    assert.equal(page, withMembers(page, lists));
  });

  it("describes each of them", () => {
    const silent = [...lists].flatMap(([list, members]) =>
      members
        .filter(({ text }) => text === "")
        .map(({ name }) => `${list}: ${name} has no docstring`),
    );
    assert.deepEqual(silent, []);
  });

  it("says what everything that asks a node throws", () => {
    const silent = [...lists].flatMap(([list, members]) => {
      const section = page.slice(0, page.indexOf(`<!-- members of ${list} `));
      const prose = section.slice(section.lastIndexOf("\n#"));
      return /\ball throw a\b|All of them throw a/.test(prose)
        ? []
        : members
            .filter(
              ({ isAsync, name, text }) =>
                isAsync === true && name !== "close" && !/Throws/.test(text),
            )
            .map(({ name }) => `${list}: ${name}`);
    });
    assert.deepEqual(silent, []);
  });

  it("lists every JSON-RPC method with the usage that its error names", async () => {
    const named = [...page.matchAll(/^\| `(dualstack_[^`]*)`/gm)];
    assert.deepEqual(
      named.map(([, usage]) => usage).sort(),
      (await Promise.all(CONTROL_METHODS.map(usageOf))).sort(),
    );
  });
});

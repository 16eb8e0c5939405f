import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";

import {
  EventFragment,
  FunctionFragment,
  Interface,
  type InterfaceAbi,
} from "ethers";

import { stakingAbiWithStringDescription } from "../../src/precompiles/staking/abi-v04.js";
import {
  PRECOMPILE_ADDRESSES,
  PRECOMPILE_NAMES,
  PRECOMPILES,
} from "../../src/precompiles/index.js";
import {
  canonicalSignature,
  selectorOf,
  topicOf,
} from "../../src/precompiles/selector.js";
import { PAGE, withTable } from "./page.js";
import { EVENTS, METHODS } from "./tables.js";

const NAMES = PRECOMPILE_NAMES;

describe("ABIs against the chain's own", () => {
  for (const name of NAMES) {
    const { abi } = PRECOMPILES[name];

    it(`${name}: every method, with its selector and mutability, and no other`, () => {
      const ours = abi.flatMap((entry) =>
        entry.type === "function"
          ? [
              [
                selectorOf(entry),
                entry.stateMutability,
                canonicalSignature(entry),
              ],
            ]
          : [],
      );
      assert.deepEqual(sorted(ours), sorted(METHODS[name]));
    });

    it(`${name}: every event, with its topic and the names of its parameters, and no other`, () => {
      const ours = abi.flatMap((entry) => {
        if (entry.type !== "event") {
          return [];
        }
        const fragment = EventFragment.from(entry);
        const parameters = fragment.inputs.map(
          (input) =>
            `${input.format("sighash")}${input.indexed ? " indexed" : ""} ${input.name}`,
        );
        return [[topicOf(entry), `${entry.name}(${parameters.join(", ")})`]];
      });
      assert.deepEqual(sorted(ours), sorted(EVENTS[name]));
    });

    it(`${name}: every parameter and every result has a name`, () => {
      const nameless: string[] = [];
      const look = (where: string, parameters: readonly any[]) => {
        for (const parameter of parameters) {
          if (!parameter.name) {
            nameless.push(where);
          }
          look(`${where}.${parameter.name}`, parameter.components ?? []);
        }
      };
      for (const entry of abi) {
        look(entry.name, entry.inputs);
        look(entry.name, "outputs" in entry ? entry.outputs : []);
      }
      assert.deepEqual(nameless, []);
    });
  }

  it("governance is at this chain's address, not at upstream's", () => {
    assert.deepEqual(PRECOMPILE_ADDRESSES, {
      staking: "0x0000000000000000000000000000000000000800",
      distribution: "0x0000000000000000000000000000000000000801",
      governance: "0x0000000000000000000000000000000000000900",
      bech32: "0x0000000000000000000000000000000000000400",
      bank: "0x0000000000000000000000000000000000000804",
      slashing: "0x0000000000000000000000000000000000000806",
    });
    assert.equal(
      PRECOMPILES.governance.address,
      PRECOMPILE_ADDRESSES.governance,
    );
  });
});

it("the page lists every precompile", async () => {
  const page = await readFile(PAGE, "utf8");
  const squeezed = (text: string) => text.replace(/[ -]+/g, " ");
  assert.equal(squeezed(page), squeezed(withTable(page)));
});

describe("selectors and topics", () => {
  it("agree with ethers, for tuples and lists of tuples too", () => {
    for (const name of NAMES) {
      for (const entry of PRECOMPILES[name].abi) {
        if (entry.type === "function") {
          const fragment = FunctionFragment.from(entry);
          assert.equal(canonicalSignature(entry), fragment.format("sighash"));
          assert.equal(selectorOf(entry), fragment.selector);
        } else {
          assert.equal(topicOf(entry), EventFragment.from(entry).topicHash);
        }
      }
    }
  });
});

describe("the staking ABI with a description as text", () => {
  const current = new Interface(
    PRECOMPILES.staking.abi as unknown as InterfaceAbi,
  );
  const old = new Interface(
    stakingAbiWithStringDescription as unknown as InterfaceAbi,
  );
  const validator = (description: unknown) => ({
    operatorAddress: "0x00000000000000000000000000000000000000AA",
    consensusPubkey: "key",
    jailed: true,
    status: 3,
    tokens: 5n,
    delegatorShares: 6n,
    description,
    unbondingHeight: 7,
    unbondingTime: 8,
    commission: 9n,
    minSelfDelegation: 10n,
  });

  it("differs from the current one only in what two methods return", () => {
    const changed: string[] = [];
    for (const [i, entry] of PRECOMPILES.staking.abi.entries()) {
      const other = stakingAbiWithStringDescription[i];
      if (JSON.stringify(entry) !== JSON.stringify(other)) {
        changed.push(entry.name);
        assert.deepEqual(other?.inputs, entry.inputs);
      }
    }
    assert.deepEqual(changed.sort(), ["validator", "validators"]);
    for (const fragment of current.fragments.filter(
      (f) => f instanceof FunctionFragment,
    )) {
      assert.equal(old.getFunction(fragment.name)?.selector, fragment.selector);
    }
  });

  it("decodes what an older chain answers, which the current one does not", () => {
    const page = { nextKey: "0x1234", total: 1 };
    const answer = old.encodeFunctionResult("validators", [
      [validator("just a text")],
      page,
    ]);
    const [validators] = old
      .decodeFunctionResult("validators", answer)
      .toArray();
    assert.equal(validators[0].description, "just a text");
    assert.equal(
      validators[0].operatorAddress,
      "0x00000000000000000000000000000000000000AA",
    );
    assert.equal(validators[0].minSelfDelegation, 10n);
    assert.notEqual(read(current, answer), "just a text");

    const single = old.encodeFunctionResult("validator", [validator("one")]);
    assert.equal(
      old.decodeFunctionResult("validator", single)[0].description,
      "one",
    );
  });

  it("does not decode what a current chain answers", () => {
    const description = {
      moniker: "m",
      identity: "i",
      website: "w",
      securityContact: "s",
      details: "d",
    };
    const answer = current.encodeFunctionResult("validators", [
      [validator(description)],
      { nextKey: "0x", total: 0 },
    ]);
    assert.equal(
      current.decodeFunctionResult("validators", answer)[0][0].description
        .details,
      "d",
    );
    assert.notEqual(read(old, answer), "m");
  });

  // Decoding the wrong shape throws or gives nonsense.
  function read(contract: Interface, answer: string): unknown {
    try {
      return contract.decodeFunctionResult("validators", answer)[0][0]
        .description;
    } catch {
      return undefined;
    }
  }
});

const sorted = (rows: readonly (readonly string[])[]) =>
  rows
    .map((row) => [...row])
    .sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));

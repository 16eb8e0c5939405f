import type { Abi } from "abitype";

import { variableName } from "../../chain/index.js";
import {
  DEFINITIONS,
  PRECOMPILE_NAMES,
  type PrecompileName,
} from "../../precompiles/addresses.js";
import { rpcErrorOf } from "../../rpc/provider.js";
import { capitalize, cleanText } from "../../support/text.js";
import { type Check, type Finding, green, red, skipped } from "./check.js";
import { activePrecompiles } from "./settings.js";
import type { Subject } from "./subject.js";

/** Calls a cheap view of each precompile, and compares its answer with the configured ABI. */
export const precompileChecks: readonly Check[] = PRECOMPILE_NAMES.map(
  (name) => ({
    id: `precompile-${name}`,
    title: `${capitalize(name)} precompile`,
    needs: ["evmUrl"],
    run: async (subject) => await check(subject, name),
  }),
);

async function check(subject: Subject, name: PrecompileName): Promise<Finding> {
  const { evm, network, options } = subject;
  const { probeOf } = await import("../../precompiles/ethers/probe.js");
  const to = network.precompiles[name];
  const data = probeOf(name);
  let answer: unknown;
  try {
    answer = await evm.request({
      method: "eth_call",
      params: [{ to, data }, "latest"],
    });
  } catch (error) {
    const refusal = rpcErrorOf(error);
    if (refusal === undefined) {
      throw error;
    }
    return await notThere(
      subject,
      name,
      `rejects a view call: ${cleanText(refusal.message, 160)}`,
    );
  }
  if (typeof answer !== "string" || answer === "0x") {
    return await notThere(subject, name, "answers without data");
  }
  switch (await shape(options.abis[name], data, answer)) {
    case "same":
      return green(
        network.activePrecompiles.includes(name)
          ? "its answer fits the configured ABI"
          : `active here; set dualstack.precompiles.${name}.active to have it on local networks`,
      );
    case "untold":
      return green("answers; without validators its ABI cannot be checked");
    case "absent":
      return red(
        `the configured ABI lacks the view with selector ${data.slice(0, 10)}`,
        `Remove dualstack.precompiles.${name}.abi, or give the whole ABI.`,
      );
    case "other":
      return await otherShape(name, data, answer);
  }
}

async function notThere(
  subject: Subject,
  name: PrecompileName,
  what: string,
): Promise<Finding> {
  const to = subject.network.precompiles[name];
  const { presence } = DEFINITIONS[name];
  const isExpected =
    presence === "documented" ||
    (presence === "optional" &&
      subject.network.activePrecompiles.includes(name));
  if (!isExpected) {
    return skipped(`not active at ${to}; it is optional`);
  }
  const active = subject.has("restUrl")
    ? await activePrecompiles(subject).catch(() => undefined)
    : undefined;
  if (active?.has(to.toLowerCase()) === false) {
    return skipped(
      "not active on the chain: see Active precompiles",
      "active-precompiles",
    );
  }
  // The address that most chains of the family use, if that is not the one that
  // was tried.
  const elsewhere =
    name === "governance" && !to.endsWith("0805")
      ? " Other chains of this family have it at 0x…0805."
      : "";
  return red(
    `the address ${to} ${what}`,
    `Check that the precompile is active there, and set ${variableName(`${name}Address`)} if it is elsewhere.${elsewhere}`,
  );
}

async function otherShape(
  name: PrecompileName,
  data: string,
  answer: string,
): Promise<Finding> {
  const { configuredAbi } = await import("../../precompiles/configured.js");
  const fits = async (abi: "string-description" | undefined) =>
    (await shape(configuredAbi(name, abi), data, answer)) === "same";
  if (name === "staking" && (await fits("string-description"))) {
    return red(
      "the chain gives a validator's description as one string, the configured ABI has a struct",
      'Set dualstack.precompiles.staking.abi: "string-description" in the Hardhat configuration.',
    );
  }
  return red(
    "the answer does not fit the configured ABI",
    (await fits(undefined))
      ? `It has the shape of the default: remove dualstack.precompiles.${name}.abi.`
      : `Give the ABI of the chain's version in dualstack.precompiles.${name}.abi.`,
  );
}

/** Whether an ABI explains an answer: decoded and encoded again, it must give the same bytes. */
async function shape(
  abi: Abi,
  data: string,
  answer: string,
): Promise<"same" | "other" | "absent" | "untold"> {
  const { Interface } = await import("ethers");
  const codec = new Interface(JSON.stringify(abi));
  const view = codec.getFunction(data.slice(0, 10));
  if (view === null) {
    return "absent";
  }
  try {
    const values = codec.decodeFunctionResult(view, answer);
    if (
      codec.encodeFunctionResult(view, values).toLowerCase() !==
      answer.toLowerCase()
    ) {
      return "other";
    }
    const [list] = values.toArray() as unknown[];
    return view.name === "validators" &&
      Array.isArray(list) &&
      list.length === 0
      ? "untold"
      : "same";
  } catch {
    return "other";
  }
}

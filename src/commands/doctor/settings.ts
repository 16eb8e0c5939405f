import { variableName } from "../../chain/index.js";
import {
  DEFINITIONS,
  PRECOMPILE_NAMES,
  type PrecompileAddresses,
  type PrecompileName,
} from "../../precompiles/addresses.js";
import { formatUnits } from "../../support/units.js";
import { cleanText } from "../../support/text.js";
import { type Check, green, red } from "./check.js";
import type { Subject } from "./subject.js";

/** The precompiles that the chain's interface document names. */
const DOCUMENTED = PRECOMPILE_NAMES.filter(
  (name) => DEFINITIONS[name].presence === "documented",
);

const ONE = 10n ** 18n;
const shown = (text: string) => cleanText(text, 60);

const prefix: Check = {
  id: "prefix",
  title: "Address prefix",
  needs: ["restUrl"],
  run: async ({ clients, network, timeoutMs }) => {
    const found = await clients.rest.bech32Prefix({ timeoutMs });
    const { bech32Prefix: configured } = network.facts;
    return found === configured
      ? green(found)
      : red(
          `the chain's addresses begin with "${shown(found)}", the configured prefix is "${configured}"`,
          `Set ${variableName("bech32Prefix")} or dualstack.bech32Prefix to "${shown(found)}".`,
        );
  },
};

const denomination: Check = {
  id: "denomination",
  title: "Base denomination",
  needs: ["restUrl"],
  run: async (subject) => {
    const { evmDenom } = await subject.evmParams();
    const { baseDenom } = subject.network.facts;
    return evmDenom === baseDenom
      ? green(evmDenom)
      : red(
          `the chain's base denomination is "${shown(evmDenom)}", the configured one is "${baseDenom}"`,
          `Set ${variableName("baseDenom")} or dualstack.baseDenom to "${shown(evmDenom)}".`,
        );
  },
};

/** More precompiles than any chain of the family has. */
const MAX_SHOWN = 40;

/** The chain's own list of active precompiles, in lower case. */
export async function activePrecompiles(
  subject: Subject,
): Promise<ReadonlySet<string>> {
  const { activeStaticPrecompiles } = await subject.evmParams();
  return new Set(
    activeStaticPrecompiles
      .map((address) => address.toLowerCase())
      .filter((address) => /^0x[0-9a-f]{40}$/.test(address)),
  );
}

const precompiles: Check = {
  id: "active-precompiles",
  title: "Active precompiles",
  needs: ["restUrl"],
  run: async (subject) => {
    const active = await activePrecompiles(subject);
    const absent = DOCUMENTED.filter(
      (name) => !active.has(subject.network.precompiles[name].toLowerCase()),
    );
    return absent.length === 0
      ? green(`${DOCUMENTED.join(", ")} among ${active.size}`)
      : red(
          `not active on the chain: ${absent.map((name) => `${name} at ${subject.network.precompiles[name]}`).join(", ")}`,
          fixOf(absent, [...active], subject.network.precompiles),
        );
  },
};

// Static precompiles have small addresses: the last digits identify one.
function fixOf(
  absent: readonly PrecompileName[],
  active: readonly string[],
  configured: PrecompileAddresses,
): string {
  const nameOf = (address: string) =>
    PRECOMPILE_NAMES.find((name) => configured[name].toLowerCase() === address);
  const shown = active.slice(0, MAX_SHOWN).map((address) => {
    const name = nameOf(address);
    const short = address.replace(/^0x0{32,36}/, "0x…");
    return name === undefined ? short : `${short} (${name})`;
  });
  const more = active.length - shown.length;
  const list = `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const variables = absent
    .map((name) => variableName(`${name}Address`))
    .join(", ");
  return active.length === 0
    ? "No precompile is active on this chain; ask its operators."
    : `Active are ${list}. If the precompile is one of these, set ${variables}; if not, the chain does not have it.`;
}

const gasMultiplier: Check = {
  id: "gas-multiplier",
  title: "Gas multiplier",
  needs: ["restUrl"],
  run: async ({ clients, options, timeoutMs }) => {
    const { minGasMultiplier } = await clients.rest.feeMarketParams({
      timeoutMs,
    });
    const { gasMultiplier: ours } = options;
    const charged = formatUnits(minGasMultiplier, 18);
    const scaled = BigInt(Math.round(ours * 1e6)) * 10n ** 12n;
    if ((scaled * minGasMultiplier) / ONE <= ONE) {
      return green(`${ours}; at least ${charged} of a limit is charged`);
    }
    return red(
      `the chain charges at least ${charged} of every gas limit, and the multiplier is ${ours}: you pay for gas that is not used`,
      `Set ${variableName("gasMultiplier")} or dualstack.gas.multiplier to ${formatUnits((ONE * ONE) / minGasMultiplier, 18).slice(0, 6)} or less.`,
    );
  },
};

export const settingsChecks: readonly Check[] = [
  prefix,
  denomination,
  precompiles,
  gasMultiplier,
];

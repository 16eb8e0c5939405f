import { variableName } from "../../chain/index.js";
import type { PrecompileName } from "../../precompiles/index.js";
import { formatUnits } from "../../support/units.js";
import { cleanText } from "../../support/text.js";
import { type Check, green, red } from "./check.js";

/** The precompiles of the network's interface document. */
export const DOCUMENTED: readonly PrecompileName[] = [
  "staking",
  "distribution",
  "governance",
];

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
          `the chain counts in "${shown(evmDenom)}", the configured base denomination is "${baseDenom}"`,
          `Set ${variableName("baseDenom")} or dualstack.baseDenom to "${shown(evmDenom)}".`,
        );
  },
};

const precompiles: Check = {
  id: "active-precompiles",
  title: "Active precompiles",
  needs: ["restUrl"],
  run: async (subject) => {
    const { activeStaticPrecompiles } = await subject.evmParams();
    const active = new Set(
      activeStaticPrecompiles.map((address) => address.toLowerCase()),
    );
    const absent = DOCUMENTED.filter(
      (name) => !active.has(subject.network.precompiles[name].toLowerCase()),
    );
    return absent.length === 0
      ? green(`${DOCUMENTED.join(", ")} among ${active.size}`)
      : red(
          `not active on the chain: ${absent.map((name) => `${name} at ${subject.network.precompiles[name]}`).join(", ")}`,
          `Active are ${shown([...active].map((address) => `0x…${address.slice(-4)}`).join(", "))}. If one of them is it, set ${absent.map((name) => variableName(`${name}Address`)).join(", ")}.`,
        );
  },
};

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
      `the chain charges at least ${charged} of every gas limit, and the multiplier is ${ours}: gas that is not used is paid`,
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

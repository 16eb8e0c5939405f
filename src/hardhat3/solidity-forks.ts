import type { ResolvedConfigurationVariable } from "hardhat/types/config";
import type { HookContext } from "hardhat/types/hooks";
import type { SolidityTestForkingConfig } from "hardhat/types/test";

import { PUBLIC_NETWORK_KINDS } from "../chain/facts.js";
import { HttpClient } from "../rpc/http-client.js";
import { PLUGIN_ID } from "./constants.js";

/** Where the versions of Hardhat keep what Solidity tests fork. */
interface Forking {
  readonly forking?: SolidityTestForkingConfig;
  readonly profiles?: {
    readonly default?: { readonly forking?: SolidityTestForkingConfig };
  };
}

/** Milliseconds; an endpoint that takes longer is not mentioned. */
const PATIENCE_MS = 3_000;

/**
 * Warns that Solidity tests which fork one of the chain's networks do not have
 * its staking state: they run in a simulator of their own, into which it cannot
 * be read.
 */
export async function tellOfForks({
  config,
  interruptions,
}: Pick<HookContext, "config" | "interruptions">): Promise<void> {
  const { profiles, forking }: Forking = config.test.solidity;
  const { url, rpcEndpoints = {} } =
    profiles?.default?.forking ?? forking ?? {};
  const forked = [
    ...(url === undefined ? [] : [["fork", url] as const]),
    ...Object.entries(rpcEndpoints).map(
      ([name, endpoint]) => [`may fork "${name}",`, endpoint] as const,
    ),
  ];
  const { networks } = config.dualstack;
  const ours = new Map<number, string>(
    PUBLIC_NETWORK_KINDS.map((kind) => [
      networks[kind].chainId,
      networks[kind].name,
    ]),
  );
  const told = await Promise.all(
    forked.map(async ([how, endpoint]) => {
      const name = ours.get((await chainIdOf(endpoint)) ?? 0);
      return name === undefined ? [] : [`${how} ${name}`];
    }),
  );
  const [first] = told.flat();
  if (first === undefined) return;
  await interruptions.displayMessage(
    PLUGIN_ID,
    `Solidity tests ${told.flat().join(", and ")}, but its validators, delegations and proposals are not there: calls of the precompiles fail until Dualstack.install(), which starts a chain of its own. To test with the chain's own state, write the test in TypeScript, on a network that forks it.`,
  );
}

async function chainIdOf(
  endpoint: ResolvedConfigurationVariable,
): Promise<number | undefined> {
  try {
    const client = new HttpClient({
      url: await endpoint.getUrl(),
      retries: 0,
      timeoutMs: PATIENCE_MS,
    });
    return Number(await client.request({ method: "eth_chainId" }));
  } catch {
    return undefined;
  }
}

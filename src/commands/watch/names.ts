import { validators } from "../../framework/query/staking.js";
import { PRECOMPILE_NAMES } from "../../precompiles/index.js";
import type { RpcProvider } from "../../rpc/provider.js";
import type { NetworkDescription } from "../../config/network-description.js";
import { ModuleReader } from "../modules/reader.js";
import { nameOf } from "../modules/values.js";

/** Milliseconds to wait for names, which are optional. */
const PATIENCE_MS = 3_000;

/** Names of addresses (0x… in lower case): the precompiles, and validators by their monikers. */
export async function namesOf(
  network: NetworkDescription,
  provider: RpcProvider,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>(
    PRECOMPILE_NAMES.map((name) => [
      network.precompiles[name].toLowerCase(),
      name,
    ]),
  );
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  const monikers = async () => {
    const reader = new ModuleReader({ network, provider });
    for (const { operator, description } of await reader.all(validators, {})) {
      const { moniker } = nameOf(operator, description);
      if (moniker !== "") {
        names.set(operator.hex.toLowerCase(), moniker);
      }
    }
  };
  await Promise.race([monikers().catch(() => undefined), patience]);
  clearTimeout(timer);
  return names;
}

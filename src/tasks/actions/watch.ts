import { watch } from "../../commands/watch/index.js";
import { precompileAbis } from "../abis.js";
import { action } from "../host.js";
import { untilInterrupted } from "../until-interrupted.js";

interface WatchArguments {
  readonly what: string | undefined;
  readonly of: string | undefined;
}

export default action<WatchArguments>(async ({ what = "blocks", of }, host) => {
  const { network, headers, allowInsecure } = await host.openNetwork();
  await untilInterrupted(async (signal) => {
    await watch(
      {
        network,
        what,
        of,
        headers,
        allowInsecure,
        abis: precompileAbis(host.config),
        contracts: async () => await host.knownContracts(),
        signal,
      },
      // In a pipe it is JSON in any case.
      { ...host.ui, json: host.ui.json || process.stdout.isTTY !== true },
    );
  });
});

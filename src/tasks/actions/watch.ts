import { IN_THIS_PROCESS } from "../../commands/watch/messages.js";
import { watch } from "../../commands/watch/index.js";
import { precompileAbis } from "../abis.js";
import { action } from "../host.js";
import { untilInterrupted } from "../until-interrupted.js";

interface WatchArguments {
  readonly what: string | undefined;
  readonly of: string | undefined;
}

export default action(async ({ what = "blocks", of }: WatchArguments, host) => {
  const { network, provider, headers } = await host.openNetwork();
  if (provider !== undefined) {
    host.ui.note(IN_THIS_PROCESS);
  }
  await untilInterrupted(async (signal) => {
    await watch(
      {
        network,
        what,
        of,
        provider,
        headers,
        abis: precompileAbis(host.config),
        contracts: async () => await host.knownContracts(),
        signal,
      },
      // A pipe always gets JSON.
      { ...host.ui, json: host.ui.json || process.stdout.isTTY !== true },
    );
  });
});

import { snapshotLines } from "../../commands/snapshot/messages.js";
import {
  readSnapshotArguments,
  type SnapshotArguments,
  writeSnapshot,
} from "../../commands/snapshot/index.js";
import { printResult } from "../../commands/shared/output.js";
import { requireEndpoint } from "../../chain/endpoints.js";
import { isNetworkKind } from "../../chain/facts.js";
import { DualstackError } from "../../support/errors.js";
import { action } from "../host.js";

export default action(async (args: SnapshotArguments, host) => {
  const request = readSnapshotArguments(
    args,
    host.projectRoot,
    host.config.facts,
  );
  const { network, headers } = await host.openNetwork();
  const { name, kind, chainId, endpoints, precompiles } = network;
  if (!isNetworkKind(kind)) {
    throw new DualstackError(
      "only the chain's own networks can be written to a snapshot",
      {
        network: name,
        fix: "Choose one with --network.",
      },
    );
  }
  const { provider } = await host.connectForReading();
  const report = await writeSnapshot(
    request,
    {
      network: name,
      chainId,
      url: requireEndpoint(endpoints, "evmUrl", { network: name, kind }),
      headers,
      addresses: precompiles,
      provider,
      openFork: async (fork) => await host.openFork(fork),
    },
    host.ui,
  );
  return printResult(host.ui, report, snapshotLines(report));
});

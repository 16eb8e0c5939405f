import {
  type NodeArguments,
  readNodeArguments,
  runNode,
} from "../../commands/node/index.js";
import { action } from "../host.js";
import { untilInterrupted } from "../until-interrupted.js";

export default action(async (args: NodeArguments, host) => {
  const options = readNodeArguments(args);
  await untilInterrupted(async (signal) => {
    await runNode(
      options,
      {
        facts: host.config.facts,
        start: async (given) => await host.startLocalNode(given),
        signal,
      },
      host.ui,
    );
  });
});

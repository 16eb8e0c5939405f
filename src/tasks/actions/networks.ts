import { networksText } from "../../commands/messages/networks.js";
import { listNetworks } from "../../commands/networks.js";
import { printResult } from "../../commands/output.js";
import { action } from "../host.js";

export default action(async (_, host) => {
  const described = host.networkGiven
    ? [await host.describeNetwork()]
    : await host.describeNetworks();
  const records = listNetworks(described);
  printResult(host.ui, { networks: records }, networksText(records));
});

import { networksText } from "../../commands/messages/networks.js";
import { listNetworks } from "../../commands/networks.js";
import { printResult } from "../../commands/output.js";
import { action } from "../host.js";

export default action(async (_: object, host) => {
  const described = host.networkGiven
    ? [await host.describeNetwork()]
    : await host.describeNetworks();
  const networks = listNetworks(described);
  return printResult(host.ui, { networks }, networksText(networks));
});

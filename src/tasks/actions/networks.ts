import { networksText } from "../../commands/networks/messages.js";
import { listNetworks } from "../../commands/networks/index.js";
import { printResult } from "../../commands/shared/output.js";
import { action } from "../host.js";

export default action(async (_: object, host) => {
  const described = host.networkGiven
    ? [await host.describeNetwork()]
    : await host.describeNetworks();
  const networks = listNetworks(described);
  return printResult(host.ui, { networks }, networksText(networks));
});

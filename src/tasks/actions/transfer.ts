import { transferText } from "../../commands/messages/transfer.js";
import { printResult } from "../../commands/output.js";
import { transfer } from "../../commands/transfer.js";
import { action } from "../host.js";

export default action(async (options: Parameters<typeof transfer>[2], host) => {
  const sender = await host.connectForSending();
  const report = await transfer(sender, host.ui, options);
  return printResult(host.ui, report, transferText(report));
});

import { transferText } from "../../commands/transfer/messages.js";
import { transfer } from "../../commands/transfer/index.js";
import { sendingAction } from "../module-action.js";

export default sendingAction(transfer, transferText);

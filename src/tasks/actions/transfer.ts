import { transferText } from "../../commands/messages/transfer.js";
import { transfer } from "../../commands/transfer.js";
import { sendingAction } from "../module-action.js";

export default sendingAction(transfer, transferText);

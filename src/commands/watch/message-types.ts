import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";

import { cleanText } from "../../support/text.js";

/** Types of a framework transaction's messages; empty if the bytes are something else. */
export function messageTypes(bytes: Uint8Array): string[] {
  try {
    const { messages } = TxBody.decode(TxRaw.decode(bytes).bodyBytes);
    return messages.map(({ typeUrl }) => cleanText(typeUrl, 100));
  } catch {
    return [];
  }
}

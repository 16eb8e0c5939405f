import { tokens } from "../shared/money.js";
import type { TransferReport } from "./index.js";
import { labelled, onNetwork } from "../shared/layout.js";
import {
  NOTHING_SENT,
  transactionEntries,
} from "../shared/transaction-messages.js";

export function transferText(report: TransferReport): string[] {
  const { dryRun, amount, block } = report;
  const done = block === undefined ? "sent" : "transferred";
  return [
    onNetwork(
      `${tokens(amount)} ${dryRun ? "would be transferred" : done}`,
      report,
    ),
    "",
    ...labelled([
      ["From", report.from],
      ["To", report.to],
      ["", report.toAccount],
      ["Amount", `${amount.baseUnits} base units`],
      ...transactionEntries(report),
      ["Explorer", report.explorer],
    ]),
    ...(dryRun
      ? NOTHING_SENT
      : block === undefined
        ? ["", "The transaction is sent, but not in a block yet."]
        : []),
  ];
}

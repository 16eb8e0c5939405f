import { tokens } from "../money.js";
import type { TransferReport } from "../transfer.js";
import { labelled, onNetwork } from "./layout.js";
import { NOTHING_SENT, transactionEntries } from "./transaction.js";

/** A transfer, as text. */
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

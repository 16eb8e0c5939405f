import type { TransferReport } from "../transfer.js";
import { gasText } from "./gas.js";
import { labelled, onNetwork, tokens } from "./layout.js";

/** A transfer, as text. */
export function transferText(report: TransferReport): string[] {
  const { dryRun, amount, block, transaction } = report;
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
      ["Transaction", transaction],
      ["Block", block?.toString()],
      ["Gas", gasText(report.gas)],
      ["At most", dryRun ? tokens(report.atMost) : undefined],
      ["Balance", dryRun ? tokens(report.balance) : undefined],
      ["Paid", report.paid === undefined ? undefined : tokens(report.paid)],
      ["Explorer", report.explorer],
    ]),
    ...(dryRun
      ? ["", "Nothing was sent."]
      : block === undefined
        ? ["", "It was not waited for; --wait does."]
        : []),
  ];
}

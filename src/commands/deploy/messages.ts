import type { DeployReport } from "./index.js";
import { tokens } from "../shared/money.js";
import { labelled, onNetwork } from "../shared/layout.js";
import {
  NOTHING_SENT,
  transactionEntries,
} from "../shared/transaction-messages.js";

/** A deployment, or what it would cost. */
export function deployText(report: DeployReport): string[] {
  const name = report.contract.slice(report.contract.lastIndexOf(":") + 1);
  return [
    onNetwork(
      report.dryRun ? `${name} would be deployed` : `${name} is deployed`,
      report,
    ),
    "",
    ...labelled([
      ["Contract", report.contract],
      ["Address", report.address],
      ["From", report.from],
      [
        "Value",
        report.value.baseUnits === 0n ? undefined : tokens(report.value),
      ],
      ...transactionEntries(report),
      ["Explorer", report.explorer?.address],
      ["Source", report.verified === true ? "verified" : undefined],
    ]),
    ...(report.dryRun ? NOTHING_SENT : []),
  ];
}

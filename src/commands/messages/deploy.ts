import type { DeployReport } from "../deploy.js";
import { tokens } from "../money.js";
import { labelled, onNetwork } from "./layout.js";
import { NOTHING_SENT, transactionEntries } from "./transaction.js";

/** A deployment, or what it would cost, as text. */
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

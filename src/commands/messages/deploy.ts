import type { DeployReport } from "../deploy.js";
import { labelled, onNetwork, tokens } from "./layout.js";
import { gasText } from "./gas.js";

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
      ["Transaction", report.transaction],
      ["Block", report.block?.toString()],
      ["From", report.from],
      [
        "Value",
        report.value.baseUnits === 0n ? undefined : tokens(report.value),
      ],
      ["Gas", gasText(report.gas)],
      ["At most", report.dryRun ? tokens(report.atMost) : undefined],
      ["Balance", report.dryRun ? tokens(report.balance) : undefined],
      ["Paid", report.paid === undefined ? undefined : tokens(report.paid)],
      ["Explorer", report.explorer?.address],
    ]),
    ...(report.dryRun ? ["", "Nothing was sent."] : []),
  ];
}

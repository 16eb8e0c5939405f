import type { NetworkDescription } from "../../config/network-description.js";
import type { CheckResult } from "./check.js";
import type { DoctorReport } from "./report.js";
import type { Ui } from "../shared/ui.js";
import { onNetwork } from "../shared/layout.js";

type Paint = Ui["paint"];

const COLOURS = { green: "green", red: "red", skipped: "dim" } as const;
const STATUS_WIDTH = "skipped".length;

const painted = (
  paint: Paint,
  status: CheckResult["status"],
  text: string,
): string => paint?.(COLOURS[status], text) ?? text;

export const doctorHeading = ({ name, chainId }: NetworkDescription): string =>
  onNetwork("Checks", { network: name, chainId });

/** One line for a check; a red one also has its cause and its fix. */
export function doctorLines(
  result: CheckResult,
  titleWidth: number,
  paint: Paint,
): string[] {
  const status = painted(
    paint,
    result.status,
    result.status.padEnd(STATUS_WIDTH),
  );
  const time = result.status === "skipped" ? "" : `${result.ms.toString()} ms`;
  const head = `  ${status}  ${result.title.padEnd(titleWidth)}  ${time.padStart(8)}`;
  switch (result.status) {
    case "green":
      return [`${head}  ${result.found}`];
    case "skipped":
      return [`${head}  ${result.why}`];
    case "red":
      return [
        `${head}  ${result.cause}`,
        `${" ".repeat(STATUS_WIDTH + titleWidth + 16)}Fix: ${result.fix}`,
      ];
  }
}

/** The last line: how many checks had each outcome. */
export function doctorSummary(
  { checks, ms }: DoctorReport,
  paint: Paint,
): string[] {
  const count = (status: CheckResult["status"]) =>
    checks.filter((check) => check.status === status).length;
  const parts = (["green", "red", "skipped"] as const)
    .filter((status) => count(status) > 0)
    .map((status) => painted(paint, status, `${count(status)} ${status}`));
  return ["", `${parts.join(", ")} in ${ms} ms`];
}

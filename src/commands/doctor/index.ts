import { DualstackError } from "../../support/errors.js";
import { doctorHeading, doctorLines, doctorSummary } from "./messages.js";
import { ReportedError, toJson } from "../shared/output.js";
import type { Ui } from "../shared/ui.js";
import {
  causeOf,
  type Check,
  type CheckResult,
  red,
  skipped,
} from "./check.js";
import { Consequences, type Examined } from "./consequences.js";
import { evmChecks } from "./evm.js";
import { nodeChecks } from "./nodes.js";
import { precompileChecks } from "./precompiles.js";
import type { DoctorReport } from "./report.js";
import { settingsChecks } from "./settings.js";
import { type DoctorOptions, Subject } from "./subject.js";
import { surroundingsChecks } from "./surroundings.js";

export type { CheckResult } from "./check.js";
export type { DoctorReport } from "./report.js";
export type { DoctorOptions } from "./subject.js";

/** All checks, in the order in which they are printed. */
export const CHECKS: readonly Check[] = [
  ...evmChecks,
  ...nodeChecks,
  ...settingsChecks,
  ...precompileChecks,
  ...surroundingsChecks,
];

/**
 * Runs checks side by side, each within the time limit.
 *
 * @param onResult called for each check, in the order of the list
 */
export async function diagnose(
  options: DoctorOptions,
  onResult: (result: CheckResult, done: number) => void = () => undefined,
  checks = CHECKS,
): Promise<DoctorReport> {
  const { name, chainId } = options.network;
  const subject = new Subject(options);
  const start = performance.now();
  try {
    const running = checks.map(async (check) => await examine(subject, check));
    const consequences = new Consequences(subject, running);
    const results: CheckResult[] = [];
    for (const one of running) {
      const { check, finding, ms } = await consequences.apart(await one);
      const result = { id: check.id, title: check.title, ...finding, ms };
      results.push(result);
      onResult(result, results.length);
    }
    return {
      network: name,
      chainId,
      healthy: results.every(({ status }) => status !== "red"),
      checks: results,
      ms: Math.round(performance.now() - start),
    };
  } finally {
    await subject.close();
  }
}

/**
 * Checks a network and prints one line per check.
 *
 * @throws ReportedError if any check is red
 */
export async function doctor(
  options: DoctorOptions,
  ui: Ui,
): Promise<DoctorReport> {
  const width = Math.max(...CHECKS.map(({ title }) => title.length));
  if (!ui.json) {
    ui.line(doctorHeading(options.network));
    ui.line("");
  }
  ui.progress(`${CHECKS.length} checks`);
  const report = await diagnose(options, (result, done) => {
    if (!ui.json) {
      doctorLines(result, width, ui.paint).forEach((line) => ui.line(line));
      ui.progress(`${done} of ${CHECKS.length} checks`);
    }
  });
  ui.progress(undefined);
  if (ui.json) {
    ui.line(toJson(report, 2));
  } else {
    doctorSummary(report, ui.paint).forEach((line) => ui.line(line));
  }
  if (!report.healthy) {
    throw new ReportedError(
      new DualstackError("the network has faults", { network: report.network }),
      report,
    );
  }
  return report;
}

async function examine(subject: Subject, check: Check): Promise<Examined> {
  const start = performance.now();
  const found = await findingOf(subject, check);
  return { check, ...found, ms: Math.round(performance.now() - start) };
}

async function findingOf(
  subject: Subject,
  check: Check,
): Promise<Pick<Examined, "finding" | "unanswered">> {
  const missing = check.needs.find((name) => !subject.has(name));
  if (missing !== undefined) {
    const { why, set } = subject.missing(missing);
    const isNeeded = check.speaksFor === "evmUrl" && set !== undefined;
    return {
      // Without JSON-RPC nothing works.
      finding: isNeeded
        ? red(why, `Set ${set}.`)
        : skipped(set === undefined ? why : `${why}: set ${set}`),
      unanswered: false,
    };
  }
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<"too late">((resolve) => {
    timer = setTimeout(() => {
      resolve("too late");
    }, subject.timeoutMs);
  });
  try {
    const finding = await Promise.race([check.run(subject), tooLate]);
    return finding === "too late"
      ? {
          finding: red(
            `no answer within ${subject.timeoutMs / 1000} s`,
            "Check that the endpoint is up, or allow more time with --timeout.",
          ),
          unanswered: true,
        }
      : { finding, unanswered: false };
  } catch (error) {
    return { finding: red(causeOf(error), fixOf(error)), unanswered: true };
  } finally {
    clearTimeout(timer);
  }
}

const fixOf = (error: unknown) =>
  (DualstackError.is(error) ? error.fix : undefined) ??
  "Check that the node is up and the address is right.";

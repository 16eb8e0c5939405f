import { taskCommand } from "../../support/major.js";
import type {
  AdvanceReport,
  LocalReport,
  LocalStateReport,
  LocalValidatorReport,
  RewardRateReport,
  SnapshotReport,
} from "./control.js";
import { validatorText } from "../modules/values.js";
import { tokens } from "../shared/money.js";
import { labelled, onNetwork, timeText } from "../shared/layout.js";

const now = ({ height, time }: LocalReport) =>
  [
    ["Block", height.toString()],
    ["Time", timeText(time)],
  ] as const;

export const localStateText = (report: LocalStateReport): string[] => [
  onNetwork("The chain's state", report),
  "",
  ...labelled([
    ...now(report),
    ["Next due", timeText(report.nextDue, "nothing")],
    ["Validators", report.validators.toString()],
    ["Proposals", report.proposals.toString()],
    ["Bonded", tokens(report.bonded)],
    ["Not bonded", tokens(report.notBonded)],
    ["Unbonding", tokens(report.unbonding)],
    ["Rewards due", tokens(report.outstandingRewards)],
    ["Rewards so far", tokens(report.accrued)],
    ["Reward rate", `${report.rewardRate} % a year`],
    ["Community pool", tokens(report.communityPool)],
    ["Deposits", tokens(report.deposits)],
    ["Burnt", tokens(report.burnt)],
  ]),
];

export const advanceText = (report: AdvanceReport): string[] => [
  onNetwork(
    report.moved
      ? "Time moved forward"
      : "Nothing is due, so no block was mined",
    report,
  ),
  "",
  ...labelled([
    ...now(report),
    ["Before", report.moved ? timeText(report.before) : undefined],
  ]),
];

/** @param participle what was done to the validator, such as "jailed" */
export const localValidatorText =
  (participle: string) =>
  (report: LocalValidatorReport): string[] => [
    onNetwork(`${validatorText(report.validator)} is ${participle}`, report),
    "",
    ...labelled([
      ["Status", report.jailed ? `${report.status}, jailed` : report.status],
      ["Tokens", tokens(report.tokens)],
      [
        "Before",
        report.tokens.baseUnits === report.tokensBefore.baseUnits
          ? undefined
          : tokens(report.tokensBefore),
      ],
      ...now(report),
    ]),
  ];

export const rewardRateText = (report: RewardRateReport): string[] => [
  onNetwork("The reward rate is set", report),
  "",
  ...labelled([
    ["Reward rate", `${report.rewardRate} % a year`],
    ["Before", `${report.before} % a year`],
    ...now(report),
  ]),
];

export const snapshotText =
  (what: string) =>
  (report: SnapshotReport): string[] => [
    onNetwork(what, report),
    "",
    ...labelled([["Snapshot", report.snapshot], ...now(report)]),
    "",
    `Go back to it with ${taskCommand("local restore", report.network, report.snapshot)}.`,
  ];

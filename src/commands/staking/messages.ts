import { capitalize } from "../../support/text.js";
import { tokens } from "../shared/money.js";
import { validatorText } from "../modules/values.js";
import type {
  CancelReport,
  RedelegateReport,
  StakingReport,
  UndelegateReport,
} from "./delegate.js";
import type { DelegationsReport, UnbondingReport } from "./delegations.js";
import type { Change, CreateReport, EditReport } from "./operate.js";
import type {
  ValidatorReport,
  ValidatorRow,
  ValidatorsReport,
} from "./validators.js";
import {
  labelled,
  onNetwork,
  sums,
  table,
  timeText,
} from "../shared/layout.js";
import { moduleText } from "../shared/transaction-messages.js";

export function validatorsText(
  report: ValidatorsReport,
  width?: number,
): string[] {
  const { validators } = report;
  return [
    onNetwork(
      validators.length === 1
        ? "1 validator"
        : `${validators.length} validators`,
      report,
    ),
    ...(validators.length === 0
      ? []
      : [
          "",
          ...table(
            [
              ["Validator"],
              ["Operator"],
              [validators[0]?.tokens.symbol ?? "", "right"],
              ["Share", "right"],
              ["Commission", "right"],
              ["Status"],
            ],
            validators.map((row) => [
              row.moniker,
              row.valoper,
              row.tokens.tokens,
              row.share === undefined ? "" : `${row.share} %`,
              `${row.commission} %`,
              statusText(row),
            ]),
            width,
          ),
        ]),
  ];
}

export function validatorDetailText(report: ValidatorReport): string[] {
  const given = (text: string) => (text === "" ? undefined : text);
  return [
    onNetwork(report.moniker === "" ? "Validator" : report.moniker, report),
    "",
    ...labelled([
      ["Operator", report.valoper],
      ["", report.operator],
      ["Status", statusText(report)],
      [
        "Unbonding",
        report.unbondingTime === undefined
          ? undefined
          : `since block ${report.unbondingSince}, until ${timeText(report.unbondingTime)}`,
      ],
      ["Tokens", tokens(report.tokens)],
      ["Commission", `${report.commission} %`],
      ["Minimum self-delegation", tokens(report.minSelfDelegation)],
      ["Rewards due", sums(report.rewardsDue)],
      ["Commission due", sums(report.commissionDue)],
      ["Website", given(report.website)],
      ["Identity", given(report.identity)],
      ["Security contact", given(report.securityContact)],
      ["Details", given(report.details)],
      ["Consensus key", report.consensusKey],
    ]),
  ];
}

export function delegationsText(
  report: DelegationsReport,
  width?: number,
): string[] {
  const { delegations } = report;
  return [
    onNetwork("Delegations", report),
    "",
    ...labelled([
      ["Account", report.address],
      ["", report.account],
      ["Delegated", tokens(report.total)],
      ["Rewards", sums(report.rewards)],
    ]),
    ...(delegations.length === 0
      ? []
      : [
          "",
          ...table(
            [
              ["Validator"],
              ["Operator"],
              ["Delegated", "right"],
              ["Rewards", "right"],
              ["Status"],
            ],
            delegations.map((row) => [
              row.moniker,
              row.valoper,
              tokens(row.delegated),
              sums(row.rewards),
              statusText(row),
            ]),
            width,
          ),
        ]),
  ];
}

export function unbondingText(
  report: UnbondingReport,
  width?: number,
): string[] {
  const { unbonding, redelegations } = report;
  return [
    onNetwork("Unbonding", report),
    "",
    ...labelled([
      ["Account", report.address],
      ["", report.account],
      ["Unbonding", tokens(report.total)],
    ]),
    ...(unbonding.length === 0
      ? []
      : [
          "",
          ...table(
            [
              ["Validator"],
              ["Operator"],
              ["Amount", "right"],
              ["Since block", "right"],
              ["Paid out"],
            ],
            unbonding.map((row) => [
              row.moniker,
              row.valoper,
              tokens(row.balance),
              row.creationHeight.toString(),
              timeText(row.completionTime),
            ]),
            width,
          ),
        ]),
    ...(redelegations.length === 0
      ? []
      : [
          "",
          "Redelegations, whose tokens cannot be redelegated again yet",
          "",
          ...table(
            [
              ["From"],
              ["To"],
              ["Amount", "right"],
              ["Since block", "right"],
              ["Until"],
            ],
            redelegations.map((row) => [
              row.from.moniker === "" ? row.from.valoper : row.from.moniker,
              row.to.moniker === "" ? row.to.valoper : row.to.moniker,
              tokens(row.balance),
              row.creationHeight.toString(),
              timeText(row.completionTime),
            ]),
            width,
          ),
        ]),
  ];
}

export const delegateText = (report: StakingReport): string[] =>
  moduleText(
    report,
    [tokens(report.amount), "delegated"],
    [["Validator", validatorText(report.validator)]],
  );

export const undelegateText = (report: UndelegateReport): string[] =>
  moduleText(
    report,
    [tokens(report.amount), "undelegated"],
    [
      ["Validator", validatorText(report.validator)],
      [
        "Paid out",
        report.dryRun ? undefined : timeText(report.completionTime, "at once"),
      ],
    ],
  );

export const redelegateText = (report: RedelegateReport): string[] =>
  moduleText(
    report,
    [tokens(report.amount), "redelegated"],
    [
      ["Validator", validatorText(report.validator)],
      ["Now at", validatorText(report.to)],
      [
        "Locked until",
        report.dryRun
          ? undefined
          : timeText(report.completionTime, "not locked"),
      ],
    ],
  );

export const cancelText = (report: CancelReport): string[] =>
  moduleText(
    report,
    [tokens(report.amount), "delegated again"],
    [
      ["Validator", validatorText(report.validator)],
      ["Entry", `of block ${report.creationHeight}`],
    ],
  );

export const createText = (report: CreateReport): string[] =>
  moduleText(
    report,
    [`Validator ${report.validator.moniker}`, "created"],
    [
      ["Validator", validatorText(report.validator)],
      [
        "Self-delegation",
        `${tokens(report.amount)}, never below ${tokens(report.minSelfDelegation)}`,
      ],
      [
        "Commission",
        `${report.commission} %, at most ${report.maxCommission} %, changed by at most ${report.maxCommissionChange} % a day`,
      ],
      ["Consensus key", report.consensusKey],
    ],
  );

/** A validator that was changed, as text. */
export const editText = (report: EditReport): string[] =>
  moduleText(
    report,
    [`Validator ${report.validator.moniker}`, "changed"],
    [
      ["Validator", validatorText(report.validator)],
      ...report.changes.map(changeText),
    ],
  );

const changeText = ({ what, from, to }: Change): [string, string] => [
  capitalize(what),
  `${to === "" ? "none" : to}, was ${from === "" ? "none" : from}`,
];

const statusText = ({
  status,
  jailed,
}: Pick<ValidatorRow, "status" | "jailed">): string =>
  jailed ? `${status}, jailed` : status;

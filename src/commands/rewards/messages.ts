import { validatorText } from "../modules/values.js";
import { tokens } from "../shared/money.js";
import type {
  ClaimReport,
  RewardsReport,
  SetWithdrawAddressReport,
  WithdrawAddressReport,
  WithdrawFromReport,
  WithdrawReport,
} from "./rewards.js";
import { labelled, onNetwork, sums, table } from "../shared/layout.js";
import { moduleText } from "../shared/transaction-messages.js";

export function rewardsText(report: RewardsReport, width?: number): string[] {
  const { rewards, commission } = report;
  return [
    onNetwork("Rewards", report),
    "",
    ...labelled([
      ["Account", report.address],
      ["", report.account],
      ["Due", sums(report.total)],
      [
        "Commission due",
        commission === undefined ? undefined : sums(commission),
      ],
      ["Paid to", paidTo(report)],
    ]),
    ...(rewards.length === 0
      ? []
      : [
          "",
          ...table(
            [["Validator"], ["Operator"], ["Due", "right"]],
            rewards.map((row) => [row.moniker, row.valoper, sums(row.due)]),
            width,
          ),
        ]),
  ];
}

export const withdrawText =
  (what: "Rewards" | "Commission") =>
  (report: WithdrawFromReport): string[] =>
    moduleText(
      report,
      [what, "withdrawn"],
      [["Validator", validatorText(report.validator)], ...amounts(report)],
    );

export const claimText = (report: ClaimReport): string[] =>
  moduleText(
    report,
    ["Rewards", "claimed"],
    [
      ["Validators", String(report.validators)],
      ["Further", further(report)],
      ...amounts(report),
    ],
  );

const further = ({ further }: ClaimReport) =>
  further === undefined
    ? undefined
    : `${further.transactions.length === 1 ? "1 transaction" : `${further.transactions.length} transactions`} for ${tokens(further.paid)} of fees, the last ${further.transactions.at(-1)}`;

export const withdrawAddressText = (
  report: WithdrawAddressReport,
): string[] => [
  onNetwork("Withdraw address", report),
  "",
  ...labelled([
    ["Account", report.address],
    ["", report.account],
    ["Paid to", paidTo(report)],
    [
      "",
      report.withdrawAddress === report.address
        ? undefined
        : report.withdrawAccount,
    ],
  ]),
];

export const setWithdrawAddressText = (
  report: SetWithdrawAddressReport,
): string[] =>
  moduleText(
    report,
    ["Withdraw address", "set"],
    [
      ["Paid to", report.withdrawAddress],
      ["", report.withdrawAccount],
      ["Before", report.before],
    ],
  );

const amounts = ({ due, received, paidTo }: WithdrawReport) =>
  [
    ["Due", sums(due)],
    ["Received", received === undefined ? undefined : tokens(received)],
    ["Paid to", paidTo],
  ] as const;

const paidTo = ({
  address,
  withdrawAddress,
}: Pick<WithdrawAddressReport, "address" | "withdrawAddress">) =>
  withdrawAddress === address ? "the account itself" : withdrawAddress;

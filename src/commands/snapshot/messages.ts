import type { SnapshotReport } from "./index.js";

const plural = (count: number, one: string) =>
  `${count} ${one}${count === 1 ? "" : "s"}`;

export const snapshotLines = ({
  file,
  network,
  block,
  validators,
  accounts,
  answers,
  bytes,
}: SnapshotReport): string[] => [
  `Wrote ${network} at block ${block} to ${file}: ${plural(validators, "validator")}, ${plural(accounts, "account")}, ${plural(answers, "answer")}, ${Math.ceil(bytes / 1024)} KB.`,
  "Set dualstack.localnet.state to this file to start local networks with it.",
];

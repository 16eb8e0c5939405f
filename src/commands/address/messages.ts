import type { AddressForm } from "../../address/index.js";
import type { AddressReport } from "./index.js";
import { labelled } from "../shared/layout.js";

const TITLES: Readonly<Record<AddressForm, string>> = {
  hex: "Hex",
  account: "Account",
  valoper: "Operator",
};

export function addressText(report: AddressReport): string[] {
  return labelled([
    ...(["hex", "account", "valoper"] as const).map(
      (form) => [TITLES[form], report[form]] as const,
    ),
    ["Known as", report.known],
  ]);
}

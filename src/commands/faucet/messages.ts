import type { Agreement, FaucetReport } from "./index.js";
import { labelled, onNetwork } from "../shared/layout.js";
import { tokens } from "../shared/money.js";

export function faucetText(report: FaucetReport): string[] {
  const { source, protocol, address, account, received, before, after } =
    report;
  return [
    onNetwork(`Received ${tokens(received)}`, report),
    "",
    ...labelled([
      ["Address", address],
      ["", account],
      [
        "From",
        source === "node"
          ? `the development node itself (${protocol})`
          : `the faucet (${protocol})`,
      ],
      ["Balance", `${tokens(after)}, up from ${tokens(before)}`],
      ["Documented", agreementText(report)],
      ["Transaction", report.transaction],
      ["Explorer", report.explorer],
    ]),
  ];
}

function agreementText({ agreement, documented, token }: FaucetReport): string {
  const figure = `${tokens(documented)} per request`;
  const texts: Readonly<Record<Agreement, string>> = {
    documented: `${figure}, as received`,
    "quick-start": `${figure}; this is the other documented figure, from the quick start`,
    different: `${figure}${token === "native" ? " (10 in the quick start)" : ""}; this is a different amount`,
  };
  return texts[agreement];
}

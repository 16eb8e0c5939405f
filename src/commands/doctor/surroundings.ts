import {
  HttpError,
  httpExchange,
  type HttpAnswer,
} from "../../support/http.js";
import { fromQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import { parseAddress } from "../../address/index.js";
import { nativeMoney } from "../shared/money.js";
import { type Check, type Finding, green, red, skipped } from "./check.js";
import type { Subject } from "./subject.js";

const PAGE_BYTES = 4 * 1024 * 1024;

async function page(
  { network, timeoutMs }: Subject,
  url: string,
  name: string,
  wrong: (status: number) => boolean,
): Promise<Finding> {
  let answer: HttpAnswer;
  try {
    answer = await httpExchange({
      url,
      name,
      network: network.name,
      headers: { accept: "*/*" },
      timeoutMs,
      maxBytes: PAGE_BYTES,
    });
  } catch (error) {
    // The answer may be a large page or a redirect; any answer is enough here.
    if (
      error instanceof HttpError &&
      (error.fault === "too-large" || error.fault === "redirect")
    ) {
      return green("answers");
    }
    throw error;
  }
  return wrong(answer.status)
    ? red(
        `${name} answers with HTTP ${answer.status}`,
        "Check its address, or try again later.",
      )
    : green(`answers with HTTP ${answer.status}`);
}

const explorer: Check = {
  id: "explorer",
  title: "Explorer",
  needs: ["explorerUrl"],
  speaksFor: "explorerUrl",
  run: async (subject) =>
    await page(
      subject,
      subject.network.endpoints.explorerUrl ?? "",
      "the explorer",
      (status) => status >= 400,
    ),
};

const faucet: Check = {
  id: "faucet",
  title: "Faucet",
  needs: ["faucetUrl"],
  speaksFor: "faucetUrl",
  // Many faucets accept only POST, and answer everything else with 4xx.
  run: async (subject) =>
    await page(
      subject,
      subject.network.endpoints.faucetUrl ?? "",
      "the faucet",
      (status) => status >= 500,
    ),
};

const account: Check = {
  id: "account",
  title: "Account",
  needs: ["evmUrl"],
  run: async ({ evm, network, options }) => {
    const { bech32Prefix: prefix, currency } = network.facts;
    let forms: ReturnType<typeof parseAddress>;
    try {
      const given = await options.account();
      if (given === undefined) {
        return skipped("no account: give an address");
      }
      forms = parseAddress(given, { prefix });
    } catch (error) {
      // A malformed key, recovery phrase or address is a matter of the
      // configuration, not of the node.
      const told = DualstackError.is(error) ? error : undefined;
      return red(
        told?.reason ?? errorText(error),
        told?.fix ?? "Correct the account in the configuration or environment.",
      );
    }
    const { hex, account } = forms;
    const ask = async (method: string, tag: string) =>
      fromQuantity(
        await evm.request({ method, params: [hex, tag] }),
        `the answer to ${method}`,
      );
    const [balance, nonce, pending] = await Promise.all([
      ask("eth_getBalance", "latest"),
      ask("eth_getTransactionCount", "latest"),
      ask("eth_getTransactionCount", "pending"),
    ]);
    const who = `${hex} (${account})`;
    if (balance === 0n) {
      return red(
        `${who} has no ${currency.symbol}, so it cannot send anything`,
        network.kind !== "mainnet"
          ? 'Get some with "npx hardhat dualstack faucet".'
          : "Send it some.",
      );
    }
    const waiting =
      pending > nonce ? `, ${pending - nonce} waiting (next ${pending})` : "";
    return green(
      `${who}: ${nativeMoney(balance, network.facts).tokens} ${currency.symbol}, nonce ${nonce}, pending nonce ${pending}${waiting}`,
    );
  },
};

/** Seconds by which the clocks may differ; servers report whole seconds only. */
const MAX_SKEW = 5;

const clock: Check = {
  id: "clock",
  title: "Clock",
  needs: [],
  run: async (subject) => {
    const { endpoints } = subject.network;
    const sources: (Parameters<typeof httpExchange>[0] | undefined)[] = [
      endpoints.evmUrl === undefined
        ? undefined
        : {
            url: endpoints.evmUrl,
            method: "POST",
            headers: {
              "content-type": "application/json",
              ...subject.options.headers,
            },
            body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
          },
      endpoints.nodeRpcUrl === undefined
        ? undefined
        : {
            url: `${endpoints.nodeRpcUrl}/health`,
            headers: subject.options.headers,
          },
      endpoints.restUrl === undefined
        ? undefined
        : { url: endpoints.restUrl, headers: subject.options.headers },
    ];
    let asked = false;
    for (const source of sources) {
      if (source === undefined) {
        continue;
      }
      asked = true;
      const before = Date.now();
      const answer = await httpExchange({
        timeoutMs: subject.timeoutMs,
        ...source,
      }).catch(() => undefined);
      const after = Date.now();
      const told = answer === undefined ? undefined : timeOf(answer.headers);
      if (told !== undefined) {
        // The server's time is cut to whole seconds: half a second too early on average.
        return judge(
          (told + 500 - (before + after) / 2) / 1000,
          (after - before) / 2000,
        );
      }
    }
    return skipped(
      asked ? "no endpoint reports its time" : "no HTTP endpoint is configured",
    );
  },
};

function timeOf(headers: Headers): number | undefined {
  const seconds = headers.get("x-server-time");
  if (seconds !== null && /^\d{9,11}$/.test(seconds)) {
    return Number(seconds) * 1000;
  }
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? undefined : date;
}

function judge(skew: number, uncertainty: number): Finding {
  const seconds = Math.abs(skew).toFixed(1);
  return Math.abs(skew) <= MAX_SKEW + uncertainty
    ? green(`differs by ${seconds} s`)
    : red(
        `this machine's clock is ${seconds} s ${skew > 0 ? "behind" : "ahead of"} the server's`,
        "Set this machine's clock, for instance with NTP; if it is right, the server's is wrong.",
      );
}

export const surroundingsChecks: readonly Check[] = [
  explorer,
  faucet,
  account,
  clock,
];

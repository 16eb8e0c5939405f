import { escapeHtml as escape } from "../../support/page/html.js";
import type { EndpointExample } from "../examples.js";
import { PAGE } from "./texts.js";

/** The parts of the page that do not change. */
export interface PageFacts {
  readonly chainId: number;
  readonly frameworkChainId: string;
  /** The bech32 prefix of account addresses. */
  readonly prefix: string;
  readonly symbol: string;
  readonly stableSymbol: string;
  /** Whether a timer mines blocks, which can be paused. */
  readonly canPause: boolean;
  /** The default of a slash in percent of the stake. */
  readonly slashPercent: string;
  readonly examples: readonly EndpointExample[];
}

interface Section {
  readonly id: string;
  readonly heading: string;
  /** HTML beside the heading. */
  readonly aside?: string;
  readonly body: string;
}

const section = ({ id, heading, aside = "", body }: Section) =>
  `<section id="${id}" aria-labelledby="${id}-heading">
<div class="bar"><h2 id="${id}-heading">${escape(heading)}</h2>${aside}</div>
${body}
</section>`;

interface Column {
  readonly heading: string;
  readonly isNumber?: boolean;
}

/**
 * A table that scrolls by itself, and whose rows the script fills in. Its roles
 * are explicit because narrow windows turn rows into cards, which drops the
 * implied ones.
 */
const table = (id: string, caption: string, columns: readonly Column[]) =>
  `<div class="scroll" id="${id}-scroll" role="group" aria-label="${escape(caption)}" tabindex="0">
<table role="table" class="${id}-table">
<caption class="hidden">${escape(caption)}</caption>
<thead role="rowgroup"><tr role="row">${columns
    .map(
      ({ heading, isNumber = false }) =>
        `<th role="columnheader" scope="col"${isNumber ? ' class="number"' : ""}>${escape(heading)}</th>`,
    )
    .join("")}</tr></thead>
<tbody role="rowgroup" id="${id}-rows"></tbody>
</table>
</div>`;

const empty = (id: string, text: string) =>
  `<p class="empty" id="${id}-empty" hidden>${escape(text)}</p>`;

const fact = (id: string, label: string) =>
  `<div><dt>${escape(label)}</dt><dd id="${id}">–</dd></div>`;

const button = (act: string, label: string, attributes = "") =>
  `<button type="button" data-act="${act}"${attributes}>${escape(label)}</button>`;

const control = ({ canPause }: PageFacts) =>
  section({
    id: "control",
    heading: PAGE.control,
    body: `<dl class="facts">
${fact("height", PAGE.height)}
${fact("time", PAGE.time)}
${fact("pace", PAGE.pace)}
${fact("waiting", PAGE.waiting)}
${fact("next", PAGE.next)}
</dl>
<div class="buttons">
${button("mine", PAGE.mine)}
${canPause ? button("pause", PAGE.pause, ' id="pause"') : ""}
${button("day", PAGE.day)}
${button("maturity", PAGE.maturity, ' id="maturity"')}
</div>
<p id="said" role="status"></p>`,
  });

const transactions = () =>
  section({
    id: "transactions",
    heading: PAGE.transactions,
    aside: '<span id="held"></span>',
    body: `<div class="two">
<div class="list">
${empty("transactions", PAGE.noTransactions)}
<ol id="transaction-list" aria-labelledby="transactions-heading"></ol>
</div>
<div class="scroll detail" id="detail" role="region" aria-label="${escape(PAGE.chosen)}" tabindex="0"><p class="empty">${escape(PAGE.choose)}</p></div>
</div>`,
  });

const accounts = ({ symbol, stableSymbol, prefix }: PageFacts) =>
  section({
    id: "accounts",
    heading: PAGE.accounts,
    aside: '<span id="more-accounts"></span>',
    body: `${table("accounts", PAGE.accounts, [
      { heading: PAGE.account },
      { heading: PAGE.addresses },
      { heading: symbol, isNumber: true },
      { heading: stableSymbol, isNumber: true },
      { heading: PAGE.action },
    ])}
<form id="grant">
<label for="grant-address">${escape(PAGE.grantTo)}</label>
<input id="grant-address" name="address" autocomplete="off" spellcheck="false" required maxlength="100" placeholder="${escape(PAGE.grantHint(prefix))}">
<button type="submit">${escape(PAGE.grant)}</button>
</form>`,
  });

const endpoint = ({ title, address, kind, example }: EndpointExample) =>
  `<li><h3>${escape(title)}</h3>
<div class="copied" data-copy="${escape(address)}" data-what="${escape(`the address of ${title}`)}"><code>${escape(address)}</code></div>
<p>${escape(kind === "shell" ? PAGE.shell : PAGE.message)}</p>
<div class="copied example" data-copy="${escape(example)}" data-what="${escape(`the example for ${title}`)}"><code>${escape(example)}</code></div></li>`;

const slashDialog = ({ slashPercent }: PageFacts) =>
  `<dialog id="slash" aria-labelledby="slash-heading">
<form method="dialog" id="slash-form">
<h2 id="slash-heading">${escape(PAGE.slashTitle)}</h2>
<p id="slash-name"></p>
<label for="slash-percent">${escape(PAGE.fraction)}</label>
<input id="slash-percent" name="percent" type="text" inputmode="decimal" required pattern="[0-9]{1,3}([.][0-9]{1,16})?" value="${escape(slashPercent)}">
<label class="check"><input type="checkbox" id="slash-jail" checked> ${escape(PAGE.jail)}</label>
<div class="buttons"><button type="submit" class="first danger" value="slash">${escape(PAGE.slash)}</button><button type="button" id="slash-cancel">${escape(PAGE.cancel)}</button></div>
</form>
</dialog>`;

const NAVIGATION = [
  ["transactions", PAGE.transactions],
  ["validators", PAGE.validators],
  ["delegations", PAGE.delegations],
  ["time-line", PAGE.timeLine],
  ["proposals", PAGE.proposals],
  ["accounts", PAGE.accounts],
  ["endpoints", PAGE.endpoints],
] as const;

/**
 * Returns the page of a local network; its script fills in whatever changes.
 */
export function pageHtml(facts: PageFacts): string {
  const { chainId, frameworkChainId, symbol, examples } = facts;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(PAGE.title)} ${chainId}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page/page.css">
<script type="module" blocking="render" src="/page/page.js"></script>
</head>
<body data-symbol="${escape(symbol)}">
<a class="skip" href="#transactions-heading">${escape(PAGE.skip)}</a>
<header>
<div>
<h1>${escape(PAGE.title)}</h1>
<p>${escape(PAGE.chainIds(chainId, frameworkChainId))}</p>
</div>
<nav aria-label="${escape(PAGE.nav)}">${NAVIGATION.map(
    ([id, title]) => `<a href="#${id}">${escape(title)}</a>`,
  ).join("")}</nav>
<p id="life" data-state="asking"><span class="dot" aria-hidden="true"></span><span id="life-text"></span></p>
</header>
<p id="news" class="hidden" role="status"></p>
<main>
<noscript><p class="problem">${escape(PAGE.noScript)}</p></noscript>
${control(facts)}
${section({ id: "blocks", heading: PAGE.blocks, body: '<ol id="block-list" aria-labelledby="blocks-heading"></ol>' })}
${transactions()}
<div class="pair">
${section({
  id: "validators",
  heading: PAGE.validators,
  body: table("validators", PAGE.validators, [
    { heading: PAGE.validator },
    { heading: `${PAGE.stake} (${symbol})`, isNumber: true },
    { heading: PAGE.commission, isNumber: true },
    { heading: PAGE.status },
    { heading: PAGE.action },
  ]),
})}
${section({
  id: "delegations",
  heading: PAGE.delegations,
  body:
    empty("delegations", PAGE.noDelegations) +
    table("delegations", PAGE.delegations, [
      { heading: PAGE.delegator },
      { heading: PAGE.validator },
      { heading: `${PAGE.amount} (${symbol})`, isNumber: true },
      { heading: PAGE.rewards, isNumber: true },
    ]),
})}
${section({
  id: "time-line",
  heading: PAGE.timeLine,
  body: `${empty("due", PAGE.nothingDue)}<div class="scroll" role="group" aria-label="${escape(PAGE.timeLine)}" tabindex="0"><ol id="due-list"></ol></div>`,
})}
${section({
  id: "proposals",
  heading: PAGE.proposals,
  body: `${empty("proposals", PAGE.noProposals)}<div class="scroll" role="group" aria-label="${escape(PAGE.proposals)}" tabindex="0"><ol id="proposal-list"></ol></div>`,
})}
</div>
${accounts(facts)}
${section({
  id: "endpoints",
  heading: PAGE.endpoints,
  body: `<ul id="endpoint-list">${examples.map(endpoint).join("\n")}</ul>`,
})}
</main>
${slashDialog(facts)}
</body>
</html>
`;
}

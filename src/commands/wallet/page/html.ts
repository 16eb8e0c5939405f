import { escapeHtml as escape } from "../../../support/page/html.js";

/** Facts known before the page asks for anything, so that nothing moves when the answers come. */
export interface PageFacts {
  readonly title: string;
  readonly chainId: number;
  readonly symbol: string;
  readonly stableSymbol: string | undefined;
  /**
   * The prefix of framework addresses; `undefined` if the network has no
   * framework endpoints for wallets.
   */
  readonly frameworkPrefix: string | undefined;
  readonly hasFaucet: boolean;
}

interface Side {
  readonly id: "evm" | "framework";
  readonly heading: string;
  readonly about: string;
  /** Rows of the account: the value's name and its label. */
  readonly rows: readonly (readonly [name: string, label: string])[];
}

const step = (id: string, inner: string) =>
  `<li id="${id}"><span class="mark" aria-hidden="true"></span>${inner}<span class="hidden done-text"></span></li>`;

function side({ id, heading, about, rows }: Side, hasFaucet: boolean): string {
  const accountRows = rows
    .map(
      ([name, label]) =>
        `<dt>${escape(label)}</dt><dd id="${id}-${name}" class="${name}">—</dd>`,
    )
    .join("\n");
  const faucet = hasFaucet
    ? step(
        `${id}-step-faucet`,
        `<button type="button" id="${id}-faucet" disabled>Get test tokens</button>`,
      )
    : "";
  return `<section class="wallet" id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading}</h2>
<p class="about">${about}</p>
<ol class="steps">
${step(`${id}-step-choose`, `<fieldset><legend>Choose a wallet</legend><div id="${id}-wallets" class="choices"><p>Looking for wallets …</p></div></fieldset>`)}
${step(`${id}-step-add`, `<button type="button" class="first" id="${id}-add" disabled>Add the network</button>`)}
${step(`${id}-step-connect`, `<button type="button" id="${id}-connect" disabled>Connect</button>`)}
${faucet}
</ol>
<p id="${id}-status" class="status" role="status"></p>
<h3 id="${id}-account-heading">Account</h3>
<dl class="account" aria-labelledby="${id}-account-heading">
${accountRows}
</dl>
<p class="actions"><button type="button" id="${id}-refresh" disabled>Read the balance again</button></p>
</section>`;
}

/**
 * The page of one network; its script fills in what has to be asked for. It is
 * painted once the script has run, so that wallets that answer at once are
 * there from the start.
 */
export function pageHtml(facts: PageFacts): string {
  const { title, chainId, symbol, stableSymbol, frameworkPrefix, hasFaucet } =
    facts;
  const balances: Side["rows"] = [
    ["native", "Balance"],
    ...(stableSymbol === undefined
      ? []
      : ([["stable", "Stable token"]] as const)),
  ];
  const evm: Side = {
    id: "evm",
    heading: "Browser wallet",
    about: "For contracts and tokens. Addresses begin with 0x.",
    rows: [
      ["address", "Address"],
      ["other", "In framework wallets"],
      ...balances,
    ],
  };
  const framework: Side | undefined =
    frameworkPrefix === undefined
      ? undefined
      : {
          id: "framework",
          heading: "Framework wallet",
          about: `For staking and governance. Addresses begin with ${escape(frameworkPrefix)}1.`,
          rows: [
            ["address", "Address"],
            ["other", "In browser wallets"],
            ...balances,
          ],
        };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Add ${escape(title)} to your wallet</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script type="module" blocking="render" src="/page.js"></script>
</head>
<body>
<header>
<div>
<h1>${escape(title)}</h1>
<p>Chain ID ${chainId} · ${escape(symbol)}</p>
</div>
<p id="life" data-state="asking"><span class="dot" aria-hidden="true"></span><span id="life-text">Asking the network …</span></p>
</header>
<p id="life-news" class="hidden" role="status"></p>
<main>
<p id="problem" role="alert"></p>
<div class="wallets">
${side(evm, hasFaucet)}
${framework === undefined ? "" : side(framework, hasFaucet)}
</div>
<p id="keys" role="status"></p>
<section aria-labelledby="facts-heading">
<h2 id="facts-heading">The network</h2>
<dl id="facts"></dl>
<details id="precompiles" hidden>
<summary>Precompiled contracts</summary>
<dl id="precompile-list"></dl>
</details>
</section>
</main>
<noscript><p>This page needs JavaScript to talk to wallets.</p></noscript>
</body>
</html>
`;
}

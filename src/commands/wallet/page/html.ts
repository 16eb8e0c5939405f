/** The page: everything that changes is filled in by its script. */
export const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Add the network to a wallet</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<header>
<h1 id="title">Network</h1>
<p id="subtitle">Reading the network’s facts …</p>
</header>
<main>
<p id="problem" role="alert" hidden></p>
<div class="wallets">
<section aria-labelledby="evm-heading">
<h2 id="evm-heading">Browser wallet</h2>
<p>For the EVM side: contracts, tokens, addresses as 0x…</p>
<p id="evm-choice" hidden><label for="evm-wallet">Wallet</label> <select id="evm-wallet"></select></p>
<p class="actions">
<button type="button" class="first" id="evm-add" disabled>Add network</button>
<button type="button" id="evm-connect" disabled>Connect</button>
</p>
<p id="evm-status" class="status" role="status"></p>
</section>
<section aria-labelledby="framework-heading">
<h2 id="framework-heading">Framework wallet</h2>
<p>For the other side: staking, governance, addresses as <span id="prefix">…</span></p>
<p class="actions">
<button type="button" class="first" id="framework-add" disabled>Add network</button>
<button type="button" id="framework-connect" disabled>Connect</button>
</p>
<p id="framework-status" class="status" role="status"></p>
</section>
</div>
<section id="account" aria-labelledby="account-heading" aria-live="polite" hidden>
<h2 id="account-heading" tabindex="-1">Account</h2>
<p>One key, one balance; each side writes the address in its own way.</p>
<dl id="account-facts"></dl>
<p class="actions"><button type="button" id="refresh">Read the balance again</button></p>
</section>
<section aria-labelledby="facts-heading">
<h2 id="facts-heading">The network</h2>
<dl id="facts"></dl>
</section>
</main>
<noscript><p>This page needs its script to talk to wallets.</p></noscript>
</body>
</html>
`;

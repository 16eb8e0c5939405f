/** The page's look; follows the browser's choice of light or dark. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9;
  --card: #ffffff;
  --text: #16191f;
  --quiet: #525b69;
  --line: #d5dae2;
  --accent: #1f5fbf;
  --on-accent: #ffffff;
  --bad: #a81e1e;
  --good: #14683a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12151b;
    --card: #1b2028;
    --text: #e9edf3;
    --quiet: #a7b1c0;
    --line: #333b48;
    --accent: #8ab8ff;
    --on-accent: #0b1626;
    --bad: #ff9c93;
    --good: #7fd6a2;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  padding: 1.5rem 1rem 3rem;
  max-width: 56rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 0 0 0.25rem; font-size: 1.1rem; }
header p { margin: 0.25rem 0 1.5rem; color: var(--quiet); }
section {
  margin-bottom: 1rem;
  padding: 1rem 1.25rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.6rem;
}
section > p { margin: 0.25rem 0 0.75rem; color: var(--quiet); }
.wallets { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); }
.wallets section { margin-bottom: 0; }
.wallets { margin-bottom: 1rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
button, select {
  min-height: 2.75rem;
  padding: 0.4rem 1rem;
  border: 1px solid var(--accent);
  border-radius: 0.4rem;
  background: transparent;
  color: var(--accent);
  font: inherit;
}
button { cursor: pointer; }
button.first { background: var(--accent); color: var(--on-accent); }
button.first:disabled, button:disabled { background: transparent; border-color: var(--line); color: var(--quiet); cursor: not-allowed; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl + .actions { margin: 1rem 0 0; }
.status { min-height: 1.5em; margin-bottom: 0; }
.status.good { color: var(--good); }
.status.bad, #problem { color: var(--bad); }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: 0.35rem 1.25rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
dd.code { font-family: ui-monospace, monospace; font-size: 0.92em; }
@media (max-width: 30rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 0.6rem; }
}
`;

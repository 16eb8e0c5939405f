import { PAGE_THEME } from "../../../support/page/theme.js";

/**
 * The page's look, light or dark as the browser chooses. What comes late has
 * its place from the start, so that nothing moves under a finger.
 */
export const PAGE_STYLE = `${PAGE_THEME}body {
  margin: 0 auto;
  padding: 2rem 1rem 3rem;
  max-width: 60rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 0 0 0.25rem; font-size: 1.15rem; }
h3 { margin: 1rem 0 0.4rem; font-size: 0.95rem; }
p { margin: 0; }
a { color: var(--accent); }

header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.75rem 2rem; margin-bottom: 1.5rem; }
header p { color: var(--quiet); }
#life { display: flex; align-items: center; gap: 0.6rem; padding: 0.35rem 0.9rem; border: 1px solid var(--line); border-radius: 2rem; background: var(--card); font-variant-numeric: tabular-nums; }
#life-text { width: 18rem; }
.dot { flex: none; width: 0.65rem; height: 0.65rem; border-radius: 50%; background: var(--quiet); }
#life[data-state=alive] .dot { background: var(--good); }
#life[data-state=still] .dot { background: var(--warm); }
#life[data-state=down] .dot { background: var(--bad); }

section { padding: 1.25rem 1.4rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; }
.wallets { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
.about { margin-bottom: 0.9rem; color: var(--quiet); }
#keys { min-height: 3.5em; padding: 0.75rem 0.2rem; color: var(--quiet); }
#keys.different { color: var(--warm); font-weight: 600; }
#problem { color: var(--bad); }
#problem:not(:empty) { margin-bottom: 1rem; }

.steps { margin: 0; padding: 0; list-style: none; counter-reset: step; }
.steps > li { position: relative; padding: 0 0 0.9rem 2.6rem; counter-increment: step; }
.steps > li::before { content: ""; position: absolute; left: 0.83rem; top: 1.9rem; bottom: 0; width: 2px; background: var(--line); }
.steps > li:last-child { padding-bottom: 0; }
.steps > li:last-child::before { display: none; }
.mark { position: absolute; left: 0; top: 0.55rem; display: grid; place-items: center; width: 1.75rem; height: 1.75rem; border: 2px solid var(--line); border-radius: 50%; background: var(--card); color: var(--quiet); font-size: 0.85rem; font-weight: 600; }
.mark::before { content: counter(step); }
[data-state=done] > .mark { border-color: var(--good); background: var(--good); color: var(--card); }
[data-state=done] > .mark::before { content: "✓"; }
[data-state=busy] > .mark { border-color: var(--accent); color: var(--accent); }
[data-state=failed] > .mark { border-color: var(--bad); color: var(--bad); }
[data-state=failed] > .mark::before { content: "!"; }

fieldset { margin: 0; padding: 0.55rem 0 0; border: 0; min-width: 0; }
legend { padding: 0; float: left; width: 100%; margin-bottom: 0.4rem; }
.choices { clear: both; display: flex; flex-wrap: wrap; gap: 0.5rem; min-height: 2.9rem; align-items: center; }
.choices p { color: var(--quiet); }
.choices label { display: flex; align-items: center; gap: 0.6rem; min-height: 2.75rem; max-width: 100%; padding: 0.35rem 0.9rem 0.35rem 0.7rem; border: 1px solid var(--line); border-radius: 0.5rem; cursor: pointer; overflow-wrap: anywhere; }
.choices label:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choices img, .letter { flex: none; width: 28px; height: 28px; border-radius: 0.4rem; }
.letter { display: grid; place-items: center; background: var(--soft); color: var(--text); font-weight: 600; }
input[type=radio] { flex: none; width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--accent); }

button {
  min-height: 2.75rem;
  padding: 0.4rem 1.1rem;
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  background: transparent;
  color: var(--accent);
  font: inherit;
  cursor: pointer;
}
button.first { background: var(--accent); color: var(--on-accent); }
button:disabled { background: transparent; border-color: var(--line); color: var(--quiet); cursor: not-allowed; }
button.copy { flex: none; min-width: 5.4rem; min-height: 1.75rem; padding: 0.05rem 0.6rem; border-color: var(--line); color: var(--text); font-size: 0.85rem; }
.actions { margin-top: 0.9rem; }

.status { min-height: 3em; margin-top: 0.8rem; }
.status.good { color: var(--good); }
.status.bad { color: var(--bad); }

dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: 0.45rem 1.25rem; align-items: baseline; margin: 0; }
dt { color: var(--quiet); }
dd { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.75rem; min-width: 0; margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
code { min-width: 0; font: 0.86rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
dl.account { display: block; }
dl.account dt { font-size: 0.88rem; }
dl.account dd { min-height: 1.75rem; margin-bottom: 0.4rem; }
dl.account .address, dl.account .other { min-height: 3.4rem; align-content: flex-start; }
dl.account code { flex-basis: 100%; }
details { margin-top: 1rem; border-top: 1px solid var(--line); padding-top: 0.75rem; }
summary { min-height: 1.75rem; cursor: pointer; }
details dl { margin-top: 0.6rem; }
@media (max-width: 34rem) {
  body { padding-top: 1.25rem; }
  section { padding: 1rem; }
  header { flex-direction: column; align-items: flex-start; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 0.7rem; }
  #life { width: 100%; align-items: baseline; border-radius: 0.75rem; }
  #life-text { width: auto; min-height: 3em; }
  dl.account .address, dl.account .other { min-height: 4.8rem; }
  dl.account .native, dl.account .stable { min-height: 3.1rem; align-content: flex-start; }
}
`;

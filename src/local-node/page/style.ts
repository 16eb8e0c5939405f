import { PAGE_THEME } from "../../support/page/theme.js";

/**
 * The page's style sheet: calm and dense. Whatever changes with the blocks has
 * a fixed place and size; growing lists scroll by themselves.
 */
export const PAGE_STYLE = `${PAGE_THEME}
:root { --evm: #6b3fa0; --framework: #0b6b78; --bar: #3b78d8; --row: 2.5rem; }
@media (prefers-color-scheme: dark) {
  :root { --evm: #c9a6ff; --framework: #6fd0de; --bar: #5d93e6; }
}
html { scroll-padding-top: 5rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 0.9rem/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1, h2, h3, h4, h5, p, ol, ul, dl, dd, table { margin: 0; }
ol, ul { padding: 0; list-style: none; }
h1 { font-size: 1.15rem; line-height: 1.2; }
h2 { font-size: 0.95rem; }
h3 { font-size: 0.95rem; overflow-wrap: anywhere; }
h4 { font-size: 0.85rem; }
h5 { font: 600 0.82rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
a { color: var(--accent); }
code { font: 0.78rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; min-width: 0; }
.quiet { color: var(--quiet); }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 3; padding: 0.4rem 0.8rem; background: var(--card); }

header { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 0.5rem 1.5rem; padding: 0.6rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--card); }
header p { color: var(--quiet); font-size: 0.8rem; }
nav { display: flex; flex: 1; flex-wrap: wrap; gap: 0 0.25rem; justify-content: center; }
nav a { padding: 0.25rem 0.55rem; border-radius: 0.4rem; color: var(--quiet); font-size: 0.82rem; text-decoration: none; }
nav a:hover { background: var(--soft); color: var(--text); }
#life { display: flex; align-items: center; gap: 0.55rem; min-width: 13.5rem; padding: 0.3rem 0.8rem; border: 1px solid var(--line); border-radius: 2rem; color: var(--text); font-size: 0.85rem; white-space: nowrap; }
.dot { flex: none; width: 0.6rem; height: 0.6rem; border-radius: 50%; background: var(--quiet); }
#life[data-state=alive] .dot { background: var(--good); }
#life[data-state=paused] .dot { background: var(--warm); }
#life[data-state=down] { border-color: var(--bad); color: var(--bad); }
#life[data-state=down] .dot { background: var(--bad); }

main { display: grid; gap: 0.9rem; max-width: 92rem; margin: 0 auto; padding: 0.9rem 1.25rem 3rem; }
main > *, .pair > * { min-width: 0; }
section { padding: 0.8rem 1rem 1rem; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--card); }
.bar { display: flex; align-items: baseline; gap: 0.75rem; min-height: 1.6rem; margin-bottom: 0.4rem; }
.bar > span { color: var(--quiet); font-size: 0.82rem; }
#held { color: var(--warm); font-weight: 600; }
.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.9rem; }
.pair > section { display: flex; flex-direction: column; min-height: 16rem; }
.pair .scroll { max-height: 21rem; }
.scroll { overflow: auto; border-radius: 0.4rem; }
.empty { padding: 1.5rem 0.5rem; color: var(--quiet); }
.empty:not([hidden]) + .scroll { display: none; }

button { min-height: 2.25rem; padding: 0.3rem 0.9rem; border: 1px solid var(--line); border-radius: 0.45rem; background: var(--soft); color: var(--text); font: inherit; font-size: 0.86rem; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--accent); color: var(--accent); }
button:disabled { color: var(--quiet); opacity: 0.75; cursor: not-allowed; }
button[aria-busy=true] { cursor: progress; color: var(--quiet); }
button.small, button.copy { min-height: 1.75rem; padding: 0.1rem 0.65rem; font-size: 0.8rem; }
button.copy { flex: none; min-width: 4.6rem; background: transparent; color: var(--quiet); }
button.danger { border-color: var(--bad); color: var(--bad); }
input { min-height: 2.25rem; min-width: 0; padding: 0.3rem 0.6rem; border: 1px solid var(--quiet); border-radius: 0.45rem; background: var(--card); color: var(--text); font: inherit; }
input::placeholder { color: var(--quiet); opacity: 1; }
input[type=checkbox] { min-height: 0; width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--accent); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.badge { display: inline-block; padding: 0.05rem 0.5rem; border: 1px solid; border-radius: 1rem; font-size: 0.76rem; line-height: 1.4; white-space: nowrap; }
.good { color: var(--good); }
.warm { color: var(--warm); }
.bad { color: var(--bad); }

#control { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.6rem 2rem; align-items: center; }
#control .bar { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.facts { display: grid; grid-template-columns: 4.5rem 13.2rem 8.2rem 4rem 8.2rem; gap: 0.4rem 1.25rem; }
.facts dt { color: var(--quiet); font-size: 0.76rem; }
.facts dd { font-size: 1rem; font-weight: 600; white-space: nowrap; }
#said { grid-column: 1 / -1; min-height: 1.45em; }
#pause { min-width: 5.2rem; }

#block-list { display: grid; grid-template-columns: repeat(12, minmax(0, 1fr)); gap: 0.4rem; }
#block-list li { display: grid; height: 4.2rem; padding: 0.35rem 0.55rem; border: 1px solid var(--line); border-radius: 0.45rem; background: var(--soft); font-size: 0.78rem; overflow: hidden; white-space: nowrap; }
#block-list .height { font-weight: 600; font-size: 0.9rem; }
#block-list .time, #block-list .count { color: var(--quiet); }
#block-list .busy { border-color: var(--bar); background: var(--card); box-shadow: inset 0 3px 0 var(--bar); }
#block-list .busy .count { color: var(--accent); font-weight: 600; }
#block-list .vacant { visibility: hidden; }

.two { display: grid; grid-template-columns: minmax(0, 26rem) minmax(0, 1fr); gap: 0.9rem; }
.two .list, .detail { height: 30rem; overflow: auto; }
.detail { padding: 0.2rem 0.4rem 0.2rem 1rem; border-left: 1px solid var(--line); border-radius: 0; }
#transaction-list button { display: grid; grid-template-columns: minmax(0, 1fr) auto; grid-template-areas: "title tag" "from height"; gap: 0 0.75rem; width: 100%; height: 3.2rem; padding: 0.3rem 0.7rem; border: 0; border-radius: 0.4rem; border-bottom: 1px solid var(--line); background: transparent; color: var(--text); text-align: left; }
#transaction-list button:hover { background: var(--soft); }
#transaction-list [aria-current] { background: var(--soft); box-shadow: inset 3px 0 0 var(--bar); }
#transaction-list .title { grid-area: title; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#transaction-list .from { grid-area: from; color: var(--quiet); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 0.8rem; }
#transaction-list .height { grid-area: height; color: var(--quiet); font-size: 0.8rem; text-align: right; }
#transaction-list .tag { grid-area: tag; align-self: center; font-size: 0.76rem; text-align: right; }
#transaction-list .vacant { display: none; }
.tag.evm, .stack.evm h4 { color: var(--evm); }
.tag.framework, .stack.framework h4 { color: var(--framework); }
.tag.bad { color: var(--bad); }

.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.3rem 0.75rem; }
.failure { margin: 0.4rem 0; padding: 0.4rem 0.7rem; border-left: 3px solid var(--bad); background: var(--soft); color: var(--bad); overflow-wrap: anywhere; }
.copied { display: flex; align-items: center; gap: 0.5rem; min-width: 0; }
.fields { display: grid; grid-template-columns: minmax(5rem, max-content) minmax(0, 1fr); gap: 0.1rem 0.9rem; margin: 0.3rem 0 0.5rem; font-size: 0.82rem; }
.fields dt { color: var(--quiet); overflow-wrap: anywhere; max-width: 11rem; }
.fields dd { overflow-wrap: anywhere; }
.stacks { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.25rem; margin-top: 0.5rem; padding-top: 0.6rem; border-top: 1px solid var(--line); }
.stack h4 { margin-bottom: 0.3rem; text-transform: uppercase; letter-spacing: 0.05em; }
.stack .fields { grid-template-columns: minmax(0, 7.5rem) minmax(0, 1fr); }
.note { margin-bottom: 0.4rem; color: var(--quiet); font-size: 0.82rem; }
.part { margin: 0.35rem 0; padding: 0.35rem 0.6rem; border-radius: 0.4rem; background: var(--soft); }
.part .fields { margin: 0.2rem 0 0; }
summary { min-height: 1.6rem; cursor: pointer; color: var(--quiet); font-size: 0.84rem; }

table { width: 100%; border-collapse: collapse; }
th { padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); color: var(--quiet); font-size: 0.76rem; font-weight: 500; text-align: left; white-space: nowrap; }
thead { position: sticky; top: 0; background: var(--card); }
td { padding: 0.45rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
tbody tr:last-child td { border-bottom: 0; }
.number { text-align: right; white-space: nowrap; }
td.number { font-variant-numeric: tabular-nums; }
.name { font-weight: 600; }
.address { display: block; color: var(--quiet); font: 0.74rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
td .quiet { font-size: 0.78rem; }
.bar-line { display: block; height: 0.35rem; margin: 0.25rem 0; border-radius: 1rem; background: linear-gradient(90deg, var(--bar) var(--part, 0%), var(--line) var(--part, 0%)); }
.validators-table { table-layout: fixed; min-width: 34rem; }
.validators-table th:nth-child(2) { width: 8.5rem; }
.validators-table th:nth-child(3) { width: 5.6rem; }
.validators-table th:nth-child(n + 4) { width: 5.9rem; }
.delegations-table { table-layout: fixed; }
.delegations-table th:nth-child(4) { width: 9.5rem; }
.accounts-table td { vertical-align: middle; }
.accounts-table td:nth-child(2) { width: 32rem; }
.accounts-table .copied code { flex: 1; }
.accounts-table .copied { min-height: 1.7rem; }
.accounts-table button.copy { min-height: 1.5rem; padding: 0 0.5rem; }
#accounts-scroll { max-height: 34rem; }
#grant { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; margin-top: 0.8rem; }
#grant input { flex: 1 1 12rem; max-width: 30rem; }

#due-list li { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
#due-list li:last-child, #proposal-list > li:last-child { border-bottom: 0; }
.row { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 0.75rem; }
.row .amount, .row .when { margin-left: auto; white-space: nowrap; }
.row .what { overflow-wrap: anywhere; min-width: 0; }
.left { font-size: 0.82rem; }
.when { color: var(--quiet); font-size: 0.8rem; }
.track { position: relative; display: block; height: 0.6rem; margin: 0.35rem 0; border-radius: 1rem; background: var(--soft); overflow: hidden; }
.track .run { position: absolute; inset: 0 auto 0 var(--begins, 0%); width: calc(var(--ends, 0%) - var(--begins, 0%)); min-width: 3px; border-radius: 1rem; background: var(--bar); }
.track .now { position: absolute; inset: 0 auto 0 0; width: var(--now, 0%); border-right: 2px solid var(--text); background: color-mix(in srgb, var(--card) 55%, transparent); }

#proposal-list > li { padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
#proposal-list .about { color: var(--quiet); font-size: 0.82rem; overflow-wrap: anywhere; }
.tally { margin: 0.5rem 0; }
.tally li { display: grid; grid-template-columns: 6rem minmax(3rem, 1fr) 9rem 3.6rem; gap: 0.6rem; align-items: center; font-size: 0.82rem; }
.tally .amount, .tally .quiet { text-align: right; white-space: nowrap; }
.votes li { display: flex; gap: 0.75rem; font-size: 0.82rem; }
details { margin: 0.3rem 0; }

#endpoint-list { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 0.9rem 1.5rem; }
#endpoint-list p { margin: 0.3rem 0 0.15rem; color: var(--quiet); font-size: 0.78rem; }
.example { padding: 0.35rem 0.35rem 0.35rem 0.6rem; border-radius: 0.4rem; background: var(--soft); }
.copied code { flex: 0 1 auto; }
.example code { flex: 1; }

dialog { width: min(26rem, calc(100vw - 2rem)); padding: 1.2rem; border: 1px solid var(--line); border-radius: 0.7rem; background: var(--card); color: var(--text); }
dialog::backdrop { background: rgb(0 0 0 / 0.45); }
dialog form { display: grid; gap: 0.6rem; }
dialog .check { display: flex; align-items: center; gap: 0.5rem; }
#slash-name { font-weight: 600; overflow-wrap: anywhere; }

@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}
@media (max-width: 89rem) {
  #control { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 80rem) {
  .pair { grid-template-columns: minmax(0, 1fr); }
  .pair > section { min-height: 12rem; }
  nav { display: none; }
  header { justify-content: space-between; }
}
@media (max-width: 62rem) {
  .two, .stacks { grid-template-columns: minmax(0, 1fr); }
  .two .list { height: 19.5rem; }
  .detail { padding: 0.8rem 0 0; border-left: 0; border-top: 1px solid var(--line); }
  .facts { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); }
  #block-list { grid-template-columns: repeat(6, minmax(0, 1fr)); }
  #block-list li:nth-child(n + 7) { display: none; }
}
@media (max-width: 40rem) {
  header { padding: 0.6rem 0.75rem; flex-wrap: wrap; }
  header p { font-size: 0.76rem; }
  #life { min-width: 0; width: 100%; }
  main { padding: 0.6rem 0.6rem 2rem; gap: 0.6rem; }
  section { padding: 0.7rem 0.75rem; }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .facts div:nth-child(2) { grid-column: 1 / -1; order: -1; }
  .buttons button { flex: 1 1 auto; }
  #said { min-height: 2.9em; }
  #block-list { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  #block-list li:nth-child(n + 4) { display: none; }
  table, tbody, tr, td { display: block; }
  table.validators-table { min-width: 0; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  tbody tr:last-child { border-bottom: 0; }
  td, td.number { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0.1rem 0.6rem; padding: 0.15rem 0; border: 0; text-align: left; white-space: normal; }
  td::before { content: attr(data-label); grid-row: 1 / span 3; color: var(--quiet); font-size: 0.78rem; }
  td > * { grid-column: 2; justify-self: start; min-width: 0; }
  td .bar-line { justify-self: stretch; }
  td:first-child, .accounts-table td:nth-child(2) { grid-template-columns: minmax(0, 1fr); width: auto; }
  td:first-child::before { display: none; }
  .accounts-table td:nth-child(2)::before { grid-row: auto; }
  td:first-child > *, .accounts-table td:nth-child(2) > * { grid-column: 1; }
  .accounts-table td:nth-child(2) .copied { justify-self: stretch; }
  .stack .fields { grid-template-columns: minmax(0, 1fr); }
  .stack dd { margin-bottom: 0.25rem; }
  #endpoint-list .copied { flex-direction: column; align-items: flex-start; gap: 0.3rem; }
  .example { padding: 0.5rem 0.6rem; }
  .tally li { grid-template-columns: 5.2rem minmax(2rem, 1fr) 3.4rem; }
  .tally .amount { display: none; }
  .pair .scroll, #accounts-scroll { max-height: 28rem; }
}
`;

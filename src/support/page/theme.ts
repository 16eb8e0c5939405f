/** The pages' colours, light or dark as the browser chooses, and how they hide elements. */
export const PAGE_THEME = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f8;
  --card: #ffffff;
  --text: #16191f;
  --quiet: #525b69;
  --line: #d5dae2;
  --soft: #eef1f6;
  --accent: #1f5fbf;
  --on-accent: #ffffff;
  --bad: #a81e1e;
  --good: #14683a;
  --warm: #7a4b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12151b;
    --card: #1b2028;
    --text: #e9edf3;
    --quiet: #a7b1c0;
    --line: #333b48;
    --soft: #232a35;
    --accent: #8ab8ff;
    --on-accent: #0b1626;
    --bad: #ff9c93;
    --good: #7fd6a2;
    --warm: #f0c070;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

import type { InitReport } from "./index.js";

/** @param shown the folder as the user would write it */
export const initText = (
  { files }: InitReport,
  shown: string,
): readonly string[] => [
  `Your starter is in ${shown}:`,
  "",
  ...files.map((file) => `  ${file}`),
  "",
  "Now run:",
  "",
  ...(shown === "." ? [] : [`  cd ${shown}`]),
  "  npm install",
  "  npx hardhat test",
];

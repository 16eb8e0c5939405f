import { ACTIONS_SCRIPT } from "./actions.js";
import { LIVE_SCRIPT } from "./live.js";
import { SHOW_SCRIPT } from "./show.js";
import { STAKING_SCRIPT } from "./staking.js";
import { TRANSACTIONS_SCRIPT } from "./transactions.js";

/** The page's modules, by the names that they import each other by. */
export const PAGE_SCRIPTS = {
  "page.js": LIVE_SCRIPT,
  "show.js": SHOW_SCRIPT,
  "transactions.js": TRANSACTIONS_SCRIPT,
  "staking.js": STAKING_SCRIPT,
  "actions.js": ACTIONS_SCRIPT,
} as const;

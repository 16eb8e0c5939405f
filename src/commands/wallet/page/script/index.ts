import { ELEMENTS_SCRIPT } from "../../../../support/page/elements.js";
import { ACCOUNT_SCRIPT } from "./account.js";
import { DOM_SCRIPT } from "./dom.js";
import { LIFE_SCRIPT } from "./life.js";
import { MAIN_SCRIPT } from "./main.js";
import { WALLETS_SCRIPT } from "./wallets.js";

/** The page's modules, by the names under which they import each other. */
export const PAGE_SCRIPTS = {
  "page.js": MAIN_SCRIPT,
  "elements.js": ELEMENTS_SCRIPT,
  "dom.js": DOM_SCRIPT,
  "wallets.js": WALLETS_SCRIPT,
  "account.js": ACCOUNT_SCRIPT,
  "life.js": LIFE_SCRIPT,
} as const;

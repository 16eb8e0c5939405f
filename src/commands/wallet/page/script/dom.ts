/** What the page's other scripts share. */
export const DOM_SCRIPT = `
import { at, make } from "./elements.js";

/** Says something below a wallet's steps, also to screen readers. */
export const say = (side, text, mood = "") => {
  const place = at(side + "-status");
  place.textContent = text;
  place.className = ("status " + mood).trim();
};

const STATES = { done: "Done", failed: "Not done" };

/** Marks a step: "", "busy", "done" or "failed". */
export const mark = (id, state) => {
  const step = at(id);
  if (step === null) return;
  step.dataset.state = state;
  step.querySelector(".done-text").textContent = STATES[state] ?? "";
};

/** An error's text for people; wallets report a rejection by its code. */
export const reason = (error) => {
  if (error && error.code === 4001) return "You rejected the request in the wallet.";
  if (error && error.code === -32002) return "The wallet is waiting for your answer. Open it to continue.";
  const text = error && error.message ? String(error.message) : String(error);
  return /reject|refus(?:ed|al) by|denied/i.test(text) ? "You rejected the request in the wallet." : text.slice(0, 300);
};

/** A link to another page, only for http and https addresses. */
export const link = (url, text) =>
  /^https?:[/][/]/.test(url ?? "") ? make("a", { href: url, target: "_blank", rel: "noreferrer", textContent: text }) : undefined;

/** Fills a list of facts, each a label and its value. */
export const list = (place, entries) => {
  place.replaceChildren(...entries.flatMap(([label, ...parts]) => {
    const shown = parts.filter((part) => part !== undefined && part !== null && part !== "");
    return shown.length === 0 ? [] : [make("dt", { textContent: label }), make("dd", {}, ...shown)];
  }));
};
`;

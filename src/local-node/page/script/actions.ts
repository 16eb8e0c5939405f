/** The buttons: what they request, and what they report. */
export const ACTIONS_SCRIPT = `
import { ask, at } from "./elements.js";
import { put, text } from "./show.js";

let run;
let refresh = () => {};

/** @param token shows the network that the page belongs to its current run */
export const useRun = (token, after) => {
  run = token;
  refresh = after;
};

const say = (words, mood = "") => {
  const place = at("said");
  put(place, words);
  place.className = mood;
};

const busy = new Set();

/** Requests an action; each button has one request at a time. */
export const act = async (body, button) => {
  const key = button ?? body.act;
  if (busy.has(key)) return false;
  busy.add(key);
  button?.setAttribute("aria-busy", "true");
  say(text("working"));
  try {
    const { said } = await ask("/page/act", body, { "x-page-token": run });
    say(said, "good");
    return true;
  } catch (error) {
    say(error instanceof TypeError ? text("lost") : error.message, "bad");
    return false;
  } finally {
    busy.delete(key);
    button?.removeAttribute("aria-busy");
    refresh();
  }
};

for (const button of document.querySelectorAll("[data-act]")) {
  button.addEventListener("click", () => act({ act: button.dataset.act }, button));
}

// --- slash ---

const dialog = at("slash");
let target;
let opener;

/** Asks for the fraction before it slashes. */
export const askSlash = (validator, from) => {
  target = validator;
  opener = from;
  put(at("slash-name"), validator.moniker);
  dialog.showModal();
  at("slash-percent").focus();
};

at("slash-cancel").addEventListener("click", () => dialog.close());
at("slash-form").addEventListener("submit", () => {
  act({
    act: "slash",
    operator: target.operator,
    name: target.moniker,
    percent: at("slash-percent").value,
    jail: at("slash-jail").checked,
  }, opener);
});
dialog.addEventListener("close", () => {
  // The slash button is hidden once the validator is jailed.
  if (opener?.hidden) at("said").focus();
});

// --- grant ---

at("grant").addEventListener("submit", async (event) => {
  event.preventDefault();
  const input = at("grant-address");
  if (await act({ act: "grant", address: input.value }, event.submitter)) input.value = "";
});
`;

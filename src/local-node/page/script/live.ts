/** Starts the page: the socket announces each new block, and then the state is read once. */
export const LIVE_SCRIPT = `
import { ask, at, copyable } from "./elements.js";
import { useRun } from "./actions.js";
import { put, text } from "./show.js";
import { showBooks } from "./staking.js";
import { showActivity } from "./transactions.js";

/** Least milliseconds between two readings of the state, however fast blocks come. */
const BREATH = 150;
const NEWS_EVERY = 4000;
const [FIRST_WAIT, LONGEST_WAIT] = [500, 5000];

let run;
let height = "";
let paused = false;
let life = "connecting";

const showLife = () => {
  // Nothing is known before the first answer.
  const state = life !== "alive" ? life : height === "" ? "connecting" : paused ? "paused" : life;
  at("life").dataset.state = state;
  put(at("life-text"), text(state, { height }));
};

// --- announcements for screen readers ---

let told = 0;
let waiting = [];
let known;

const tell = (words) => put(at("news"), words);

const tellNew = () => {
  if (waiting.length === 0 || Date.now() - told < NEWS_EVERY) return;
  const [one] = waiting;
  tell(waiting.length === 1
    ? text("newTransactions", { height: one.height, title: one.title, outcome: text(one.succeeded ? "succeeded" : "failed") })
    : text("manyTransactions", { count: waiting.length }));
  told = Date.now();
  waiting = [];
};

const hear = (transactions) => {
  const hashes = new Set(transactions.map(({ hash }) => hash));
  if (known !== undefined) waiting.push(...transactions.filter(({ hash }) => !known.has(hash)));
  known = hashes;
  tellNew();
};

// --- the state ---

const show = (state) => {
  const { chain } = state;
  ({ height, paused } = chain);
  for (const name of ["height", "time", "pace", "waiting"]) put(at(name), chain[name]);
  put(at("next"), chain.next === "" ? text("none") : text("due", { left: chain.next }));
  at("maturity").disabled = chain.next === "";
  const pause = at("pause");
  if (pause !== null) {
    put(pause, text(paused ? "resume" : "pause"));
    pause.dataset.act = paused ? "resume" : "pause";
  }
  showActivity(state);
  showBooks(state);
  hear(state.transactions);
  showLife();
};

let reading = false;
let again = false;

const refresh = async () => {
  if (reading || document.hidden) {
    again = true;
    return;
  }
  reading = true;
  again = false;
  try {
    const state = await ask("/page/state.json");
    // The network was restarted: everything on the page is out of date.
    if (run !== undefined && run !== state.run) location.reload();
    if (run === undefined) useRun(state.run, refresh);
    run = state.run;
    show(state);
  } catch {
    // The socket shows whether the network is up.
  }
  setTimeout(() => {
    reading = false;
    if (again) refresh();
  }, BREATH);
};

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && again) refresh();
});

// --- the socket ---

let wait = FIRST_WAIT;

const connect = () => {
  const socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/page/socket");
  socket.addEventListener("open", () => {
    if (life === "down") tell(text("backNews"));
    life = "alive";
    wait = FIRST_WAIT;
    showLife();
    refresh();
  });
  socket.addEventListener("message", refresh);
  socket.addEventListener("close", () => {
    if (life !== "down") tell(text("downNews"));
    life = "down";
    showLife();
    setTimeout(connect, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  });
};

for (const place of document.querySelectorAll("[data-copy]")) {
  place.replaceChildren(...copyable(place.dataset.copy, place.dataset.what));
}
showLife();
connect();
`;

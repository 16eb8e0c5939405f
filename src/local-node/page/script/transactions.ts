/** Blocks, transactions, and the selected one on both stacks. */
export const TRANSACTIONS_SCRIPT = `
import { ask, at, copyable, make } from "./elements.js";
import { put, slots, span, text } from "./show.js";

const BLOCKS = 12;
const ROWS = 40;

// --- blocks ---

const blocks = slots(at("block-list"), BLOCKS, () => {
  const [height, count, time] = [span("height"), span("count"), span("time")];
  const element = make("li", {}, height, count, time);
  return {
    element,
    update: (block) => {
      put(height, block?.height ?? "");
      put(time, block?.time ?? "");
      const n = block?.transactions ?? 0;
      put(count, block === undefined ? "" : n === 0 ? text("noneIn") : n === 1 ? text("oneIn") : text("transactionsIn", { count: n }));
      element.classList.toggle("busy", n > 0);
    },
  };
});

// --- the selected transaction ---

const detail = at("detail");
let chosen;

const fields = (list) => make("dl", { className: "fields" }, ...list.flatMap(([name, value]) => [
  make("dt", { textContent: name }), make("dd", { textContent: value }),
]));

const part = ({ title, fields: list }) =>
  make("div", { className: "part" }, make("h5", { textContent: title }), ...(list.length === 0 ? [] : [fields(list)]));

const stack = (name, { note, facts, acts, events }) => make("div", { className: "stack " + name },
  make("h4", { textContent: text(name) }),
  ...(note === "" ? [] : [make("p", { className: "note", textContent: note })]),
  ...acts.map(part),
  ...(facts.length === 0 ? [] : [fields(facts)]),
  ...(events.length === 0 ? [] : [make("details", { open: name === "evm" },
    make("summary", { textContent: text("events", { count: events.length }) }), ...events.map(part))]),
);

const outcome = (ok) => make("span", { className: "badge " + (ok ? "good" : "bad"), textContent: text(ok ? "succeeded" : "failed") });

const showDetail = (tx) => {
  detail.scrollTop = 0;
  const hash = tx.evm.facts[0]?.[1] ?? tx.hash;
  detail.replaceChildren(
    make("div", { className: "head" }, make("h3", { textContent: tx.title }), outcome(tx.succeeded)),
    ...(tx.failure === "" ? [] : [make("p", { className: "failure", textContent: tx.failure })]),
    make("p", { className: "copied" }, ...copyable(hash, "the hash")),
    fields(tx.facts),
    make("div", { className: "stacks" }, stack("evm", tx.evm), stack("framework", tx.framework)),
  );
};

const choose = async (hash) => {
  chosen = hash;
  mark();
  try {
    const found = await ask("/page/transaction.json?hash=" + encodeURIComponent(hash));
    if (chosen === hash) showDetail(found);
  } catch (error) {
    if (chosen === hash) detail.replaceChildren(make("p", { className: "empty", textContent: error.message }));
  }
};

// --- the list: it does not move while the user is in it ---

const list = at("transaction-list");
const shown = [];
let latest = [];
let held = false;

const tx = slots(list, ROWS, () => {
  const [tag, title, from, height] = [span("tag"), span("title"), span("from"), span("height")];
  const button = make("button", { type: "button" }, title, tag, from, height);
  const element = make("li", {}, button);
  const own = { button, hash: undefined };
  shown.push(own);
  button.addEventListener("click", () => {
    if (own.hash !== undefined) choose(own.hash);
  });
  return {
    element,
    update: (one) => {
      own.hash = one?.hash;
      if (one === undefined) return;
      put(tag, one.succeeded ? text(one.stack) : text(one.stack) + " · " + text("failed"));
      tag.className = "tag " + one.stack + (one.succeeded ? "" : " bad");
      put(title, one.title);
      put(from, text("from") + " " + one.from);
      put(height, text("inBlock", { height: one.height }));
    },
  };
});

const mark = () => {
  for (const { button, hash } of shown) {
    if (hash !== undefined && hash === chosen) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
};

const follow = () => {
  const first = latest.findIndex(({ hash }) => hash === shown[0]?.hash);
  const isHeld = held && shown[0]?.hash !== undefined && first > 0;
  put(at("held"), isHeld ? text("held", { count: first }) : "");
  if (isHeld) return;
  tx(latest);
  mark();
};

const hold = () => {
  held = list.matches(":hover") || list.querySelector(":focus-visible") !== null;
  follow();
};
for (const event of ["pointerenter", "pointerleave", "focusin"]) list.addEventListener(event, hold);
list.addEventListener("focusout", () => setTimeout(hold));

export const showActivity = (state) => {
  blocks(state.blocks);
  latest = state.transactions;
  at("transactions-empty").hidden = latest.length > 0;
  list.hidden = latest.length === 0;
  follow();
  if (chosen === undefined && latest.length > 0) choose(latest[0].hash);
};
`;

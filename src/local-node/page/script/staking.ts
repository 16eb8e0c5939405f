/** Validators, delegations, the timeline, proposals and accounts. */
export const STAKING_SCRIPT = `
import { at, copyable, make } from "./elements.js";
import { act, askSlash } from "./actions.js";
import { attribute, cell, length, put, row, rows, span, text } from "./show.js";

const { symbol } = document.body.dataset;

const headings = (id) => [...document.querySelectorAll("." + id + "-table th")].map(({ textContent }) => textContent);

const button = (label, name, click) => {
  const made = make("button", { type: "button", className: "small", textContent: label });
  made.setAttribute("aria-label", name);
  made.addEventListener("click", () => click(made));
  return made;
};

const bar = () => {
  const made = span("bar-line");
  made.setAttribute("aria-hidden", "true");
  return made;
};

const number = (label, ...children) => {
  const made = cell(label, ...children);
  made.className = "number";
  return made;
};

const VALIDATOR = headings("validators");
const validators = rows(at("validators-rows"), ({ operator }) => operator, (first) => {
  let now = first;
  const [moniker, stake, share, status, line] = [span("name"), span(), span("quiet"), span("badge"), bar()];
  const address = make("span", { className: "address", textContent: first.operator });
  const commission = span();
  const slash = button(text("slash"), "", (from) => askSlash(now, from));
  const unjail = button(text("unjail"), "", (from) => act({ act: "unjail", operator: now.operator, name: now.moniker }, from));
  const element = row(
    cell(VALIDATOR[0], moniker, address),
    number(VALIDATOR[1], stake, line, share),
    number(VALIDATOR[2], commission),
    cell(VALIDATOR[3], status),
    cell(VALIDATOR[4], slash, unjail),
  );
  return {
    element,
    update: (one) => {
      now = one;
      put(moniker, one.moniker);
      put(stake, one.stake);
      put(share, one.share);
      length(line, "--part", one.part);
      put(commission, one.commission);
      put(status, one.status);
      status.className = "badge " + one.mood;
      attribute(slash, "aria-label", text("slashName", { name: one.moniker }));
      attribute(unjail, "aria-label", text("unjailName", { name: one.moniker }));
      slash.hidden = one.jailed;
      unjail.hidden = !one.jailed;
    },
  };
});

const STAKE = headings("delegations");
const stakes = rows(at("delegations-rows"), ({ id }) => id, () => {
  const parts = [span("name"), span(), span(), span()];
  return {
    element: row(cell(STAKE[0], parts[0]), cell(STAKE[1], parts[1]), number(STAKE[2], parts[2]), number(STAKE[3], parts[3])),
    update: (one) => [one.delegator, one.validator, one.amount, one.rewards].forEach((words, i) => put(parts[i], words)),
  };
});

const due = rows(at("due-list"), ({ id }) => id, () => {
  const [kind, what, amount, left, when] = [span("badge quiet"), span("what"), span("amount"), span("left"), span("when")];
  const track = make("span", { className: "track" }, span("run"), span("now"));
  track.setAttribute("aria-hidden", "true");
  return {
    element: make("li", {}, make("div", { className: "row" }, kind, what, amount), track, make("div", { className: "row" }, left, when)),
    update: (one) => {
      put(kind, one.kind);
      put(what, one.what);
      put(amount, one.amount === "" ? "" : one.amount + " " + symbol);
      put(left, text("due", { left: one.left }));
      put(when, text("at", { at: one.at }));
      length(track, "--begins", one.begins);
      length(track, "--ends", one.ends);
      length(track, "--now", one.now);
    },
  };
});

const tallyRows = (place) => rows(place, ({ option }) => option, (first) => {
  const [amount, share, line] = [span("amount"), span("quiet"), bar()];
  return {
    element: make("li", {}, make("span", { className: "option", textContent: first.option }), line, amount, share),
    update: (one) => {
      put(amount, one.amount + " " + symbol);
      put(share, one.share);
      length(line, "--part", one.part);
    },
  };
});

const voteRows = (place) => rows(place, ([voter]) => voter, ([voter]) => {
  const option = span("option");
  return {
    element: make("li", {}, make("span", { className: "name", textContent: voter }), option),
    update: ([, words]) => put(option, words),
  };
});

const proposals = rows(at("proposal-list"), ({ id }) => id, ({ id }) => {
  const [title, status, ends, about] = [make("h3"), span("badge"), span("quiet"), make("p", { className: "about" })];
  const [tallyList, voteList, summary] = [make("ol", { className: "tally" }), make("ol", { className: "votes" }), make("summary")];
  const votes = make("details", {}, summary, voteList);
  const end = button(text("voteEnd"), text("voteEndName", { id }), (from) => act({ act: "voteEnd", proposal: id }, from));
  const [showTally, showVotes] = [tallyRows(tallyList), voteRows(voteList)];
  return {
    element: make("li", {}, make("div", { className: "head" }, title, status), make("div", { className: "row" }, about, ends), tallyList, votes, end),
    update: (one) => {
      put(title, "#" + one.id + " " + one.title);
      put(status, one.status);
      status.className = "badge " + one.mood;
      put(ends, one.ends);
      put(about, text("proposedBy", { ...one, symbol }));
      showTally(one.tally);
      showVotes(one.votes);
      put(summary, text("votes", { count: one.votes.length }));
      votes.hidden = one.votes.length === 0;
      end.hidden = !one.isVoting;
    },
  };
});

const ACCOUNT = headings("accounts");
const accounts = rows(at("accounts-rows"), ({ address }) => address, (first) => {
  const [name, native, stable] = [span("name"), span(), span()];
  const addresses = [first.address, first.account].map((address) =>
    make("span", { className: "copied" }, ...copyable(address, address)));
  const grant = button(text("grant"), "", (from) => act({ act: "grant", address: first.address }, from));
  return {
    element: row(
      cell(ACCOUNT[0], name),
      cell(ACCOUNT[1], ...addresses),
      number(ACCOUNT[2], native),
      number(ACCOUNT[3], stable),
      cell(ACCOUNT[4], grant),
    ),
    update: (one) => {
      put(name, one.name);
      put(native, one.native);
      put(stable, one.stable);
      attribute(grant, "aria-label", text("grantName", { name: one.name === first.address ? one.name : one.name + ", " + first.address.slice(0, 8) }));
    },
  };
});

const orEmpty = (id, items) => { at(id + "-empty").hidden = items.length > 0; };

export const showBooks = (state) => {
  validators(state.validators);
  stakes(state.stakes);
  orEmpty("delegations", state.stakes);
  due(state.due);
  orEmpty("due", state.due);
  proposals(state.proposals);
  orEmpty("proposals", state.proposals);
  accounts(state.accounts);
  put(at("more-accounts"), state.moreAccounts > 0 ? text("more", { count: state.moreAccounts }) : "");
};
`;

/** The accounts, one for each side, since the two wallets may hold different keys. */
export const ACCOUNT_SCRIPT = `
import { link } from "./dom.js";
import { ask, at, copyable } from "./elements.js";

const EMPTY = "—";
const shown = {};
let facts;

export const useFacts = (given) => { facts = given; };

const other = { evm: "framework", framework: "evm" };

const compare = () => {
  const [one, two] = [shown.evm, shown.framework];
  const place = at("keys");
  place.className = "";
  if (one === undefined || two === undefined) place.textContent = "";
  else if (one === two) place.textContent = "Both wallets hold the same key: one account with one balance, in two address forms.";
  else {
    place.className = "different";
    place.textContent = "The wallets hold different keys: these are two accounts, each with its own balance.";
  }
};

/** Shows an address, in either form, as the account of a side. */
export const show = async (side, address) => {
  const row = await ask("/account?address=" + encodeURIComponent(address));
  const [own, across] = side === "evm" ? [row.address, row.account] : [row.account, row.address];
  shown[side] = row.address;
  const explorer = facts.explorer === null ? undefined : link(facts.explorer + "/address/" + row.address, "Explorer");
  const place = at(side + "-address");
  place.replaceChildren(...copyable(own, "the address"), ...(explorer === undefined ? [] : [explorer]));
  at(side + "-other").replaceChildren(...copyable(across, "the other form of the address"));
  at(side + "-native").textContent = row.native.tokens + " " + row.native.symbol;
  const stable = at(side + "-stable");
  if (stable !== null) stable.textContent = row.stable ? row.stable.tokens + " " + row.stable.symbol : EMPTY;
  for (const name of ["refresh", "faucet"]) {
    const button = at(side + "-" + name);
    if (button !== null) button.disabled = false;
  }
  compare();
};

export const accountOf = (side) => shown[side];

/** Reads a side's balance again, and the other side's if it is the same account. */
export const refresh = async (side) => {
  const address = shown[side];
  if (address === undefined) return;
  await show(side, address);
  if (shown[other[side]] === address) await show(other[side], address);
};

export const forget = (side) => {
  delete shown[side];
  for (const name of ["address", "other", "native", "stable"]) {
    const place = at(side + "-" + name);
    if (place !== null) place.textContent = EMPTY;
  }
  for (const name of ["refresh", "faucet"]) {
    const button = at(side + "-" + name);
    if (button !== null) button.disabled = true;
  }
  compare();
};
`;

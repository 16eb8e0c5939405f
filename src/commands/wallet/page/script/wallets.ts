/** The steps of a side, the same for all kinds of wallets. */
export const WALLETS_SCRIPT = `
import { accountOf, forget, refresh, show } from "./account.js";
import { mark, reason, say } from "./dom.js";
import { ask, at, make } from "./elements.js";

const LOOK = "Check your wallet …";

/** The icon came with the announcement, as a data URL; nothing is loaded for it. */
const icon = (name, source) =>
  typeof source === "string" && source.startsWith("data:image/") && source.length < 200000
    ? make("img", { src: source, alt: "", width: 28, height: 28 })
    : make("span", { className: "letter", textContent: name.slice(0, 1).toUpperCase(), ariaHidden: "true" });

/**
 * A side of the page.
 *
 * @param speak what to say to its wallets: add(wallet), connect(wallet) giving an address, and after(wallet) giving a warning
 */
export const createSide = (side, { missing, none, speak }) => {
  const wallets = [];
  const id = (name) => side + "-" + name;
  const place = at(id("wallets"));
  let record;
  let busy = false;

  const chosen = () => wallets[Number(place.querySelector("input:checked")?.value ?? 0)];

  const enable = () => {
    const ready = wallets.length > 0 && !busy;
    at(id("add")).disabled = !ready || record === undefined;
    at(id("connect")).disabled = !ready || (side === "framework" && record === undefined);
    if (wallets.length > 0) mark(id("step-choose"), "done");
  };

  const reset = () => {
    for (const name of ["add", "connect", "faucet"]) mark(id("step-" + name), "");
    say(side, "");
    forget(side);
  };

  const add = (name, wallet, source) => {
    if (wallets.some((one) => one.wallet === wallet)) return false;
    if (wallets.length === 0) place.replaceChildren();
    const input = make("input", { type: "radio", name: id("wallet"), value: String(wallets.length), checked: wallets.length === 0 });
    input.addEventListener("change", reset);
    wallets.push({ name, wallet });
    place.append(make("label", {}, input, icon(name, source), make("span", { textContent: name })));
    enable();
    return true;
  };

  /** Runs one thing at a time; its outcome is shown below the steps. */
  const doing = (name, before, task) => {
    const button = at(id(name));
    if (button === null) return;
    button.addEventListener("click", async () => {
      if (busy) return;
      busy = true;
      enable();
      mark(id("step-" + name), "busy");
      say(side, before);
      try {
        say(side, ...(await task()));
        mark(id("step-" + name), "done");
      } catch (error) {
        say(side, reason(error), "bad");
        mark(id("step-" + name), "failed");
      } finally {
        busy = false;
        enable();
        button.focus();
      }
    });
  };

  doing("add", LOOK, async () => {
    await speak.add(chosen().wallet, record);
    return ["The network is in your wallet.", "good"];
  });

  doing("connect", LOOK, async () => {
    const { wallet } = chosen();
    await show(side, await speak.connect(wallet, record));
    const warning = await speak.warning?.(wallet);
    if (warning !== undefined) return [warning, "bad"];
    // A wallet that is connected to the network knows it.
    mark(id("step-add"), "done");
    return ["Connected.", "good"];
  });

  doing("faucet", "Asking the faucet. The tokens arrive within the next few blocks …", async () => {
    const { received, symbol } = await ask("/faucet", { address: accountOf(side) });
    await refresh(side);
    return [received + " " + symbol + " have arrived.", "good"];
  });

  at(id("refresh")).addEventListener("click", () => {
    refresh(side).then(() => say(side, "The balance is up to date.", "good"), (error) => say(side, reason(error), "bad"));
  });

  return {
    add,
    chosen,
    get isConnected() { return accountOf(side) !== undefined; },
    /** The connected wallet has another account now, or none. */
    change: (address) => {
      if (address === undefined) {
        reset();
        say(side, "The wallet has disconnected.");
      } else {
        show(side, address).catch((error) => say(side, reason(error), "bad"));
      }
    },
    /** The record for wallets, or why there is none. */
    tell: (told) => {
      ({ record } = told);
      if (told.missing) say(side, missing + " " + told.missing, "bad");
      enable();
    },
    /** Called once wallets have had time to appear. */
    settle: () => {
      if (wallets.length === 0) place.replaceChildren(make("p", { textContent: none }));
    },
  };
};
`;

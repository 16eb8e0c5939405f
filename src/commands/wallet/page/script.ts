/**
 * The page's script. It puts texts into the page as texts only, and asks no
 * one but the server that served it, and the wallets.
 */
export const PAGE_SCRIPT = `"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  let facts;
  let shown;

  const say = (id, text, mood) => {
    const place = at(id);
    place.textContent = text;
    place.className = "status" + (mood === undefined ? "" : " " + mood);
  };

  const list = (place, entries) => {
    place.replaceChildren();
    for (const [label, value, isCode] of entries) {
      if (value === undefined || value === null || value === "") continue;
      const term = document.createElement("dt");
      term.textContent = label;
      const detail = document.createElement("dd");
      detail.textContent = value;
      if (isCode) detail.className = "code";
      place.append(term, detail);
    }
  };

  const ask = async (path) => {
    const response = await fetch(path, { headers: { accept: "application/json" } });
    const body = await response.json();
    if (!response.ok) throw new Error(body.error || "the server answered with status " + response.status);
    return body;
  };

  const reason = (error) => {
    if (error && error.code === 4001) return "You refused it in the wallet.";
    if (error && error.code === -32002) return "The wallet is waiting for an answer; open it.";
    const text = error && error.message ? String(error.message) : String(error);
    return /reject|refus|denied/i.test(text) ? "You refused it in the wallet." : text.slice(0, 300);
  };

  // One thing at a time for each wallet; what comes of it is said below its buttons.
  const doing = (side, button, doingText, task) => {
    at(button).addEventListener("click", async () => {
      const buttons = [at(side + "-add"), at(side + "-connect")];
      const before = buttons.map((one) => one.disabled);
      buttons.forEach((one) => { one.disabled = true; });
      say(side + "-status", doingText);
      try {
        say(side + "-status", await task(), "good");
      } catch (error) {
        say(side + "-status", reason(error), "bad");
      } finally {
        buttons.forEach((one, i) => { one.disabled = before[i]; });
        at(button).focus();
      }
    });
  };

  // --- wallets of the EVM's side: announced (EIP-6963), or the one in the window ---

  const wallets = [];
  const chosen = () => wallets[Number(at("evm-wallet").value) || 0].provider;

  const addWallet = (name, provider) => {
    if (wallets.some((wallet) => wallet.provider === provider)) return;
    wallets.push({ name, provider });
    const option = document.createElement("option");
    option.value = String(wallets.length - 1);
    option.textContent = name;
    at("evm-wallet").append(option);
    at("evm-choice").hidden = wallets.length < 2;
    if (typeof provider.on === "function") {
      provider.on("accountsChanged", (accounts) => {
        if (shown === undefined || provider !== chosen()) return;
        if (accounts.length === 0) {
          shown = undefined;
          at("account").hidden = true;
          say("evm-status", "Disconnected.");
        } else {
          show(accounts[0]).catch((error) => say("evm-status", reason(error), "bad"));
        }
      });
    }
    enable();
  };

  window.addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = event.detail || {};
    if (provider && typeof provider.request === "function") {
      addWallet(String((info && info.name) || "Wallet").slice(0, 60), provider);
    }
  });

  const findWallets = () => {
    window.dispatchEvent(new Event("eip6963:requestProvider"));
    // Those that announce themselves also stand in the window.
    if (wallets.length === 0 && window.ethereum && typeof window.ethereum.request === "function") {
      addWallet("Browser wallet", window.ethereum);
    }
    enable();
  };

  const enable = () => {
    if (facts === undefined) return;
    const evm = wallets.length > 0;
    at("evm-add").disabled = !evm || facts.evm.record === undefined;
    at("evm-connect").disabled = !evm;
    if (facts.evm.missing) say("evm-status", facts.evm.missing, "bad");
    else if (!evm) say("evm-status", "No browser wallet was found.");
    else if (at("evm-status").textContent.startsWith("No browser")) say("evm-status", "");
    const framework = window.keplr && typeof window.keplr.experimentalSuggestChain === "function";
    at("framework-add").disabled = !framework || facts.framework.record === undefined;
    at("framework-connect").disabled = at("framework-add").disabled;
    if (facts.framework.missing) say("framework-status", facts.framework.missing, "bad");
    else if (!framework) say("framework-status", "No framework wallet was found.");
    else if (at("framework-status").textContent.startsWith("No framework")) say("framework-status", "");
  };

  doing("evm", "evm-add", "Look into the wallet …", async () => {
    await chosen().request({ method: "wallet_addEthereumChain", params: [facts.evm.record] });
    return "The wallet has the network.";
  });

  doing("evm", "evm-connect", "Look into the wallet …", async () => {
    const wallet = chosen();
    const [address] = await wallet.request({ method: "eth_requestAccounts" });
    if (address === undefined) throw new Error("The wallet gave no account.");
    await show(address);
    const chainId = Number(await wallet.request({ method: "eth_chainId" }));
    return chainId === facts.chainId
      ? "Connected."
      : "Connected, but the wallet is on the chain with ID " + chainId + "; add the network to change to it.";
  });

  // --- wallets of the framework's side ---

  doing("framework", "framework-add", "Look into the wallet …", async () => {
    await window.keplr.experimentalSuggestChain(facts.framework.record);
    return "The wallet has the network.";
  });

  doing("framework", "framework-connect", "Look into the wallet …", async () => {
    const { chainId } = facts.framework.record;
    await window.keplr.enable(chainId);
    const { bech32Address } = await window.keplr.getKey(chainId);
    await show(bech32Address);
    return "Connected.";
  });

  // --- the account ---

  const show = async (address) => {
    const row = await ask("/account?address=" + encodeURIComponent(address));
    shown = row.address;
    list(at("account-facts"), [
      ["EVM address", row.address, true],
      ["Framework address", row.account, true],
      ["Balance", row.native.tokens + " " + row.native.symbol],
      ["Base units", row.native.baseUnits + " " + facts.baseDenom],
      ["Stable token", row.stable && row.stable.tokens + " " + row.stable.symbol],
    ]);
    at("account").hidden = false;
  };

  at("refresh").addEventListener("click", () => {
    if (shown !== undefined) show(shown).catch((error) => say("evm-status", reason(error), "bad"));
  });

  // --- the facts ---

  const start = async () => {
    facts = await ask("/facts.json");
    document.title = "Add " + facts.title + " to a wallet";
    at("title").textContent = facts.title;
    at("subtitle").textContent = "Chain ID " + facts.chainId + ", paid in " + facts.currency.symbol;
    at("prefix").textContent = facts.bech32Prefix + "1…";
    const { record } = facts.framework;
    list(at("facts"), [
      ["Chain ID", String(facts.chainId)],
      ["Framework’s ID", record && record.chainId],
      ["Currency", facts.currency.name + " (" + facts.currency.symbol + "), " + facts.currency.decimals + " decimals"],
      ["Base unit", facts.baseDenom],
      ...facts.endpoints.filter((one) => one.address !== null).map((one) => [one.title, one.address, true]),
      ...Object.entries(facts.precompiles).map(([name, address]) => [
        name.charAt(0).toUpperCase() + name.slice(1) + " precompile", address, true,
      ]),
    ]);
    findWallets();
    // Some wallets come a moment later than the page.
    setTimeout(findWallets, 600);
    window.addEventListener("keplr_keystorechange", () => { say("framework-status", "The wallet’s account changed; connect again."); });
  };

  start().catch((error) => {
    at("problem").textContent = "The network’s facts cannot be read: " + reason(error);
    at("problem").hidden = false;
    at("subtitle").textContent = "";
  });
})();
`;

/** Starts the page: finds the wallets, and asks for the network's facts. */
export const MAIN_SCRIPT = `
import { useFacts } from "./account.js";
import { link, list, reason } from "./dom.js";
import { ask, at, copyable } from "./elements.js";
import { startLife } from "./life.js";
import { createSide } from "./wallets.js";

let facts;

// --- browser wallets: those that announce themselves (EIP-6963), or the one in the window ---

const evm = createSide("evm", {
  missing: "This network cannot be added to wallets:",
  none: "No browser wallet was found. Install one, then load this page again.",
  speak: {
    add: (wallet, record) => wallet.request({ method: "wallet_addEthereumChain", params: [record] }),
    connect: async (wallet) => {
      const [address] = await wallet.request({ method: "eth_requestAccounts" });
      if (address === undefined) throw new Error("The wallet shared no account.");
      return address;
    },
    warning: async (wallet) => {
      const chainId = Number(await wallet.request({ method: "eth_chainId" }));
      return chainId === facts.chainId ? undefined
        : "Connected, but the wallet is on the chain with ID " + chainId + ". Add the network to change to it.";
    },
  },
});

const addEvm = (name, provider, icon) => {
  if (!evm.add(name, provider, icon) || typeof provider.on !== "function") return;
  provider.on("accountsChanged", ([address]) => {
    if (evm.isConnected && evm.chosen().wallet === provider) evm.change(address);
  });
};

let announced = false;
window.addEventListener("eip6963:announceProvider", (event) => {
  const { info, provider } = event.detail || {};
  if (provider && typeof provider.request === "function") {
    announced = true;
    addEvm(String((info && info.name) || "Browser wallet").slice(0, 60), provider, info && info.icon);
  }
});

// --- framework wallets: objects of the window, all with the same functions ---

const FRAMEWORK_WALLETS = [
  ["Keplr", () => window.keplr],
  ["Leap", () => window.leap],
  ["Cosmostation", () => window.cosmostation?.providers?.keplr],
];

const framework = at("framework") === null ? undefined : createSide("framework", {
  missing: "This network cannot be added to wallets:",
  none: "No framework wallet was found. Install one, then load this page again.",
  speak: {
    add: (wallet, record) => wallet.experimentalSuggestChain(record),
    connect: async (wallet, { chainId }) => {
      await wallet.enable(chainId);
      return (await wallet.getKey(chainId)).bech32Address;
    },
  },
});

const findWallets = () => {
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  // Wallets that announce themselves are objects of the window, too.
  if (!announced && typeof window.ethereum?.request === "function") addEvm("Browser wallet", window.ethereum);
  for (const [name, find] of framework === undefined ? [] : FRAMEWORK_WALLETS) {
    const wallet = find();
    if (typeof wallet?.experimentalSuggestChain === "function") framework.add(name, wallet);
  }
};

for (const event of ["keplr_keystorechange", "leap_keystorechange"]) {
  window.addEventListener(event, async () => {
    if (!framework?.isConnected) return;
    const { chainId } = facts.framework.record;
    framework.change((await framework.chosen().wallet.getKey(chainId).catch(() => undefined))?.bech32Address);
  });
}

// --- the network ---

const showFacts = () => {
  list(at("facts"), [
    ["Currency", facts.currency.name + " (" + facts.currency.symbol + "), " + facts.currency.decimals + " decimals"],
    ["Base unit", facts.baseDenom],
    ["Explorer", link(facts.explorer, "Open the explorer")],
    ["Faucet", link(facts.faucet, "Open the faucet")],
    ...facts.endpoints.map(({ title, address }) => [title, ...copyable(address, "the address of " + title)]),
  ]);
};

const showPrecompiles = async () => {
  const found = await ask("/precompiles.json");
  list(at("precompile-list"), found.map(({ name, address }) => [
    name.charAt(0).toUpperCase() + name.slice(1), ...copyable(address, "the address of " + name),
  ]));
  at("precompiles").hidden = found.length === 0;
};

const start = async () => {
  findWallets();
  facts = await ask("/facts.json");
  useFacts(facts);
  showFacts();
  evm.tell(facts.evm);
  startLife(facts.kind === "local");
  // Some wallets load a moment later than the page.
  setTimeout(() => {
    findWallets();
    evm.settle();
    framework?.settle();
  }, 600);
  await Promise.all([
    showPrecompiles().catch(() => undefined),
    framework === undefined ? undefined : ask("/framework.json").then((told) => {
      facts.framework = told;
      framework.tell(told);
    }),
  ]);
};

start().catch((error) => {
  at("problem").textContent = "The network’s details could not be read: " + reason(error);
});
`;

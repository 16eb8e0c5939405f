// Wallets in a page's window, which record their requests. `walletSettings`,
// set before this script runs, says which ones there are.
(() => {
  const ICON = `data:image/svg+xml,${encodeURIComponent("<svg xmlns='http://www.w3.org/2000/svg' width='28' height='28'><circle cx='14' cy='14' r='13' fill='orange'/></svg>")}`;
  const { address, evm, keplr, chainId } = globalThis.walletSettings;
  const asked = [];
  const handlers = {};
  const state = { refuse: false };
  Object.assign(globalThis, {
    asked,
    walletState: state,
    walletEvents: handlers,
  });

  const provider = (name) => ({
    request: async ({ method, params }) => {
      asked.push({ name, method, params });
      if (state.refuse) {
        throw Object.assign(new Error("User rejected the request."), {
          code: 4001,
        });
      }
      return method === "eth_requestAccounts"
        ? [address]
        : method === "eth_chainId"
          ? chainId
          : null;
    },
    on: (event, handler) => {
      handlers[event] = handler;
    },
  });
  if (evm === "window") {
    globalThis.ethereum = provider("window");
  }
  if (evm === "announced") {
    const both = ["First Wallet", "Second <b>Wallet</b>"].map((name) => ({
      name,
      provider: provider(name),
      icon: ICON,
    }));
    globalThis.addEventListener("eip6963:requestProvider", () => {
      for (const one of both) {
        const detail = {
          info: { name: one.name, uuid: one.name, icon: one.icon },
          provider: one.provider,
        };
        globalThis.dispatchEvent(
          new globalThis.CustomEvent("eip6963:announceProvider", { detail }),
        );
      }
    });
  }

  const answering =
    (method, result) =>
    async (...params) => {
      asked.push({ name: "keplr", method, params });
      if (state.refuse) {
        throw new Error("Request rejected");
      }
      return result;
    };
  if (keplr) {
    globalThis.keplr = {
      experimentalSuggestChain: answering("experimentalSuggestChain"),
      enable: answering("enable"),
      // Tests may change its account.
      getKey: async (...params) =>
        await answering("getKey", {
          bech32Address: globalThis.walletSettings.account,
          name: "x",
        })(...params),
    };
  }
})();

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { before, describe, it } from "node:test";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { EthereumProvider } from "hardhat/types/providers";

import { parseAddress } from "../../src/address/index.js";
import { DEFAULT_FACTS } from "../../src/chain/index.js";
import { askFaucet, type FaucetOptions } from "../../src/faucet/client.js";
import { FaucetError } from "../../src/faucet/error.js";
import {
  balanceOfCall,
  developmentNode,
  grantErc20,
  grantNative,
} from "../../src/faucet/development.js";
import type { CustomRequest } from "../../src/faucet/settings.js";
import { FaucetServer, type FaucetServerOptions } from "../servers/faucet.js";

const RECIPIENT = "0x1234567890AbcdEF1234567890aBcdef12345678";
const HUNDRED = 100n * 10n ** 18n;

let provider: EthereumProvider;

/** Grants tokens on a simulated chain. */
async function grant(address: string): Promise<string> {
  const accounts = await provider.request({ method: "eth_accounts" });
  assert.ok(Array.isArray(accounts));
  const hash = await provider.request({
    method: "eth_sendTransaction",
    params: [
      { from: accounts[0], to: address, value: `0x${HUNDRED.toString(16)}` },
    ],
  });
  return String(hash);
}

const balanceOf = async (address: string): Promise<bigint> =>
  BigInt(
    String(
      await provider.request({
        method: "eth_getBalance",
        params: [address, "latest"],
      }),
    ),
  );

before(async () => {
  const hre = await createHardhatRuntimeEnvironment({});
  ({ provider } = await hre.network.create());
});

let lastAddress = 0x1234n << 64n;
const freshAddress = () =>
  parseAddress(`0x${(++lastAddress).toString(16).padStart(40, "0")}`);

async function withFaucet(
  options: Omit<FaucetServerOptions, "grant">,
  test: (
    faucet: FaucetServer,
    ask: (options?: Partial<FaucetOptions>) => ReturnType<typeof askFaucet>,
  ) => Promise<void>,
): Promise<void> {
  const faucet = await FaucetServer.start({ grant, ...options });
  try {
    await test(
      faucet,
      async (given) =>
        await askFaucet({
          url: `${faucet.url}/`,
          token: "native",
          address: RECIPIENT,
          facts: DEFAULT_FACTS,
          network: "testnet",
          ...given,
        }),
    );
  } finally {
    await faucet.close();
  }
}

const CUSTOM: Readonly<
  Record<"path-get" | "query-get" | "json-post", CustomRequest>
> = {
  "path-get": {
    path: "/send/testnet/{bech32}",
    transactionField: "result.tx_hash",
  },
  "query-get": {
    path: "request?address={bech32}&chain={denom}",
    success: { field: "status", equals: "success" },
  },
  "json-post": {
    path: "/fund",
    headers: { "x-api-key": "key-of-a-test" },
    body: {
      to: { wallet: "{address}" },
      what: [{ token: "{token}", amount: "{amount}" }],
    },
    transactionField: "data.txHash",
    waitField: "error.retryIn",
  },
};

describe("a faucet's tokens", () => {
  for (const speaks of ["cosmjs", "ignite", "eth-faucet"] as const) {
    for (const protocol of ["auto", speaks] as const) {
      it(`arrive from ${speaks}, asked by ${protocol}`, async () => {
        await withFaucet(
          { speaks, cooldownSeconds: 90 },
          async (faucet, ask) => {
            const { hex, account } = freshAddress();
            const settings = { protocol };
            // A recipient may have either form of address.
            const first = await ask({ address: account, settings });
            assert.equal(first.protocol, speaks);
            assert.equal(first.outcome.kind, "granted");
            assert.equal(await balanceOf(hex), HUNDRED);
            if (speaks !== "cosmjs" && first.outcome.kind === "granted") {
              assert.match(first.outcome.transaction ?? "", /^0x[0-9a-f]{64}$/);
            }
            const { outcome } = await ask({ address: hex, settings });
            assert.equal(outcome.kind, "cooldown");
            assert.ok(
              outcome.kind === "cooldown" &&
                outcome.waitMs !== undefined &&
                outcome.waitMs > 60_000 &&
                outcome.waitMs <= 90_000,
              JSON.stringify(outcome),
            );
            assert.equal(await balanceOf(hex), HUNDRED);
            assert.equal(faucet.asked, 2);
          },
        );
      });
    }

    it(`are refused by ${speaks} with a reason that is understood`, async () => {
      const settings = { protocol: speaks };
      await withFaucet({ speaks, broken: true }, async (_faucet, ask) => {
        assert.equal((await ask({ settings })).outcome.kind, "failing");
      });
      if (speaks !== "cosmjs") {
        await withFaucet({ speaks, empty: true }, async (_faucet, ask) => {
          assert.equal((await ask({ settings })).outcome.kind, "empty");
        });
      }
      // A faucet of another chain, with other prefixes and tokens.
      const facts = {
        ...DEFAULT_FACTS,
        bech32Prefix: "other",
        stableToken: { symbol: "USD", decimals: 6, denom: "uusd" },
      };
      await withFaucet({ speaks }, async (_faucet, ask) => {
        const stable = await ask({ settings, token: "stable", facts });
        assert.equal(stable.outcome.kind, "unsupported-token");
        if (speaks !== "eth-faucet") {
          const { outcome } = await ask({ settings, facts });
          assert.equal(outcome.kind, "bad-address", JSON.stringify(outcome));
        }
      });
    });
  }

  for (const speaks of ["path-get", "query-get", "json-post"] as const) {
    it(`arrive from a described faucet: ${speaks}`, async () => {
      const settings = { protocol: "custom", request: CUSTOM[speaks] } as const;
      await withFaucet(
        { speaks, cooldownSeconds: 7200 },
        async (_faucet, ask) => {
          const { hex, valoper } = freshAddress();
          const { outcome } = await ask({ address: valoper, settings });
          assert.equal(outcome.kind, "granted", JSON.stringify(outcome));
          assert.match(
            (outcome.kind === "granted" && outcome.transaction) || "",
            /^0x[0-9a-f]{64}$/,
          );
          assert.equal(await balanceOf(hex), HUNDRED);
          const second = (await ask({ address: hex, settings })).outcome;
          assert.equal(second.kind, "cooldown", JSON.stringify(second));
          assert.equal(await balanceOf(hex), HUNDRED);
          if (speaks !== "path-get") {
            // The wait is taken from a field of the answer before the header,
            // or from its text.
            assert.ok(
              second.kind === "cooldown" &&
                second.waitMs !== undefined &&
                second.waitMs > 7_000_000,
            );
          }
        },
      );
    });
  }

  it("need a browser where a captcha is asked for", async () => {
    await withFaucet(
      { speaks: "eth-faucet", captcha: true },
      async (faucet, ask) => {
        assert.equal((await ask()).outcome.kind, "captcha");
        assert.equal(faucet.asked, 0);
        const { outcome } = await ask({ settings: { protocol: "eth-faucet" } });
        assert.equal(outcome.kind, "captcha");
      },
    );
  });

  it("are not asked for twice, and not with a wrong address", async () => {
    await withFaucet(
      { speaks: "ignite", broken: true },
      async (faucet, ask) => {
        await ask({ settings: { protocol: "ignite" } });
        assert.equal(faucet.asked, 1);
        await assert.rejects(
          ask({ address: "cosmos1qqqq" }),
          /the recipient "cosmos1qqqq"/,
        );
        assert.equal(faucet.requests.length, 1);
      },
    );
  });

  it("carry denomination and amount to ignite when they are configured", async () => {
    await withFaucet(
      { speaks: "ignite", tokens: ["utest"] },
      async (faucet, ask) => {
        const { outcome } = await ask({
          address: freshAddress().hex,
          settings: {
            protocol: "ignite",
            denoms: { native: "utest" },
            amounts: { native: "2.5" },
          },
        });
        assert.equal(outcome.kind, "granted");
        assert.deepEqual(
          (JSON.parse(faucet.requests[0]?.body ?? "") as { coins: string[] })
            .coins,
          ["2500000000000000000utest"],
        );
      },
    );
  });

  it("cannot come through an unknown protocol", async () => {
    await withFaucet({ speaks: "none" }, async (_faucet, ask) => {
      await assert.rejects(
        ask(),
        /no protocol that the plugin knows.*dualstack\.testnet\.faucet\.protocol/,
      );
    });
  });

  it("cannot come where nothing listens", async () => {
    const faucet = await FaucetServer.start({ grant, speaks: "none" });
    const { url } = faucet;
    await faucet.close();
    for (const protocol of ["auto", "cosmjs"] as const) {
      const { outcome } = await askFaucet({
        url,
        token: "native",
        address: RECIPIENT,
        facts: DEFAULT_FACTS,
        settings: { protocol },
      });
      assert.ok(outcome.kind === "unreachable");
      const { message } = new FaucetError(outcome, {});
      assert.match(
        message,
        /^the faucet cannot be reached: connect ECONNREFUSED.*that the faucet is up/,
      );
      assert.doesNotMatch(message, /granted/);
    }
  });

  it("cannot come through a gateway without a faucet behind it", async () => {
    const gateway = createServer((_request, response) =>
      response.writeHead(502).end("<html><h1>502 Bad Gateway</h1></html>"),
    );
    await new Promise<void>((resolve) =>
      gateway.listen(0, "127.0.0.1", resolve),
    );
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    for (const protocol of ["auto", "cosmjs"] as const) {
      const { outcome } = await askFaucet({
        url,
        token: "native",
        address: RECIPIENT,
        facts: DEFAULT_FACTS,
        settings: { protocol },
      });
      assert.ok(outcome.kind === "failing");
      const { message } = new FaucetError(outcome, {});
      assert.match(
        message,
        /^the faucet failed: HTTP 502, so its gateway got no answer from it/,
      );
      // A faucet that was asked may have granted them.
      assert.equal(/may have been granted/.test(message), protocol !== "auto");
    }
    gateway.closeAllConnections();
    gateway.close();
  });

  it("cannot come where the connection is cut", async () => {
    const cutting = createServer((request) => request.socket.destroy());
    await new Promise<void>((resolve) =>
      cutting.listen(0, "127.0.0.1", resolve),
    );
    const url = `http://127.0.0.1:${(cutting.address() as AddressInfo).port}`;
    const { outcome } = await askFaucet({
      url,
      token: "native",
      address: RECIPIENT,
      facts: DEFAULT_FACTS,
    });
    assert.equal(outcome.kind, "unreachable");
    cutting.close();
  });
});

describe("a development node", () => {
  it("is recognised, and grants by adding to the balance", async () => {
    assert.equal(await developmentNode(provider), "hardhat");
    const { hex } = freshAddress();
    await grantNative(provider, "hardhat", hex, 0n, 5n);
    await grantNative(provider, "hardhat", hex, 5n, 7n);
    assert.equal(await balanceOf(hex), 12n);
  });

  it("is not recognised by just any answer", async () => {
    const other = (answer: unknown) => ({
      request: async () => await Promise.resolve(answer),
    });
    assert.equal(await developmentNode(other("anvil/v1.5.0")), "anvil");
    assert.equal(
      await developmentNode(other("Version dev ()\nCompiled at using Go")),
      undefined,
    );
  });

  it("finds where a token keeps its balances, and changes nothing else", async () => {
    // Hand-written balanceOf(address): sload(keccak256(address . 3)), the
    // mapping in slot 3.
    const token = "0x00000000000000000000000000000000000c0de1";
    await provider.request({
      method: "hardhat_setCode",
      params: [
        token,
        "0x6004356000526003602052604060002054600052602060 00f3".replaceAll(
          " ",
          "",
        ),
      ],
    });
    const { hex } = freshAddress();
    await grantErc20(provider, "hardhat", token, hex, 0n, 1_000n);
    const balance = await provider.request({
      method: "eth_call",
      params: [{ to: token, data: balanceOfCall(hex) }, "latest"],
    });
    assert.equal(BigInt(String(balance)), 1_000n);
    const slot0 = await provider.request({
      method: "eth_getStorageAt",
      params: [token, "0x0", "latest"],
    });
    assert.equal(BigInt(String(slot0)), 0n);
  });

  it("says so when a token does not keep them in a plain mapping", async () => {
    const token = "0x00000000000000000000000000000000000c0de2";
    await provider.request({
      method: "hardhat_setCode",
      // Returns 7 for every account.
      params: [token, "0x600760005260206000f3"],
    });
    await assert.rejects(
      grantErc20(provider, "hardhat", token, RECIPIENT, 7n, 1n),
      /does not keep its balances where they can be set/,
    );
  });
});

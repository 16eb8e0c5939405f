import assert from "node:assert/strict";
import { before, describe, it } from "node:test";

import type { EthereumProvider } from "hardhat/types/providers";

import { parseAddress } from "../../src/address/index.js";
import { DEFAULT_FACTS } from "../../src/chain/index.js";
import {
  type FaucetCommandOptions,
  requestTokens,
} from "../../src/commands/faucet/index.js";
import { faucetText } from "../../src/commands/faucet/messages.js";
import { errorToJson } from "../../src/commands/shared/output.js";
import type { NetworkDescription } from "../../src/config/network-description.js";
import { FaucetError } from "../../src/faucet/error.js";
import { FaucetServer, type FaucetServerOptions } from "../servers/faucet.js";
import { createProject, describedNetwork, RecordingUi } from "./helpers.js";

const TOKEN = 10n ** 18n;

let provider: EthereumProvider;
let stable: `0x${string}`;

before(async () => {
  const hre = await createProject();
  await hre.tasks.getTask("build").run({ quiet: true });
  const connection = await hre.network.create();
  ({ provider } = connection);
  const contract = await connection.ethers.deployContract("Stable", [
    "0x0000000000000000000000000000000000000001",
    1n,
  ]);
  stable = (await contract.getAddress()) as `0x${string}`;
});

let last = 0x77n << 100n;
const fresh = () =>
  parseAddress(`0x${(++last).toString(16).padStart(40, "0")}`);

const grant =
  (tokens: bigint, delayMs = 0) =>
  async (to: string) => {
    const accounts = (await provider.request({
      method: "eth_accounts",
    })) as string[];
    const send = async () =>
      await provider.request({
        method: "eth_sendTransaction",
        params: [
          {
            from: accounts[0],
            to,
            value: `0x${(tokens * TOKEN).toString(16)}`,
          },
        ],
      });
    if (delayMs === 0) {
      return String(await send());
    }
    setTimeout(() => void send(), delayMs);
    return `0x${"ee".repeat(32)}`;
  };

async function ask(
  server: FaucetServerOptions,
  options: Partial<FaucetCommandOptions> = {},
  network: Partial<NetworkDescription> = {},
) {
  const faucet = await FaucetServer.start(server);
  const ui = new RecordingUi();
  try {
    const report = await requestTokens(
      {
        network: describedNetwork({
          endpoints: {
            faucetUrl: faucet.url,
            explorerUrl: "https://explorer.dualstack.example",
          },
          ...network,
        }),
        provider,
      },
      ui,
      { address: fresh().hex, token: "native", pollMs: 20, ...options },
    );
    return { report, ui, text: faucetText(report).join("\n") };
  } finally {
    await faucet.close();
  }
}

describe("the faucet command", () => {
  it("waits for the tokens, and compares the amount with the documented one", async () => {
    const { report, ui, text } = await ask({
      speaks: "eth-faucet",
      grant: grant(100n, 100),
    });
    assert.equal(report.source, "faucet");
    assert.equal(report.protocol, "eth-faucet");
    assert.equal(report.before.baseUnits, 0n);
    assert.equal(report.received.baseUnits, 100n * TOKEN);
    assert.equal(report.agreement, "documented");
    assert.equal(
      report.explorer,
      `https://explorer.dualstack.example/tx/0x${"ee".repeat(32)}`,
    );
    assert.match(text, /^Received 100 NATIVE on testnet \(chain ID 26218\)$/m);
    assert.match(text, /Documented +100 NATIVE per request, as received$/m);
    assert.ok(
      ui.progressTexts.some((shown) =>
        /waiting for the tokens/.test(shown ?? ""),
      ),
    );
    assert.equal(ui.progressTexts.at(-1), undefined);
  });

  it("points out the other documented amount, and any other", async () => {
    const ten = await ask({ speaks: "ignite", grant: grant(10n) });
    assert.equal(ten.report.agreement, "quick-start");
    assert.match(ten.text, /other documented figure/);
    const three = await ask({ speaks: "ignite", grant: grant(3n) });
    assert.equal(three.report.agreement, "different");
    assert.match(
      three.text,
      /10 in the quick start\); this is a different amount/,
    );
  });

  it("fails when nothing arrives", async () => {
    await assert.rejects(
      ask(
        { speaks: "cosmjs", grant: async () => await Promise.resolve("0x") },
        { timeoutMs: 60 },
      ),
      /granted the tokens, but the balance has not risen/,
    );
  });

  it("tells scripts why it got nothing, and how long to wait", async () => {
    const address = fresh().hex;
    const faucet = await FaucetServer.start({
      speaks: "eth-faucet",
      grant: grant(100n),
      cooldownSeconds: 86_340,
    });
    const network = describedNetwork({ endpoints: { faucetUrl: faucet.url } });
    const again = async () =>
      await requestTokens({ network, provider }, new RecordingUi(), {
        address,
        token: "native",
        pollMs: 20,
      });
    try {
      await again();
      await assert.rejects(again(), (error) => {
        assert.ok(error instanceof FaucetError);
        assert.match(error.message, /asks you to wait 23 h 5\d min/);
        const json = errorToJson(error);
        assert.equal(json["kind"], "cooldown");
        assert.ok(Number(json["waitSeconds"]) > 86_000);
        assert.equal(json["network"], "testnet");
        return true;
      });
    } finally {
      await faucet.close();
    }
  });

  it("is refused on the main network, whatever it is called", async () => {
    const server = { speaks: "ignite", grant: grant(100n) } as const;
    for (const network of [
      { kind: "mainnet", name: "mainnet", chainId: 26217 },
      { kind: "other", name: "copy", chainId: 26217 },
    ] as const) {
      await assert.rejects(
        ask(server, {}, network),
        /the main network has no faucet .*--network testnet/,
      );
    }
  });

  it("grants through a development node", async () => {
    const network = describedNetwork({
      name: "localhost",
      kind: "local",
      chainId: 31337,
      facts: {
        ...DEFAULT_FACTS,
        stableToken: { symbol: "USDX", decimals: 6, address: stable },
      },
    });
    const { hex, account } = fresh();
    const from = async (token: "native" | "stable", address: string) =>
      await requestTokens({ network, provider }, new RecordingUi(), {
        address,
        token,
      });
    const first = await from("native", account);
    assert.equal(first.source, "node");
    assert.equal(first.address, hex);
    assert.equal(first.after.tokens, "100");
    const second = await from("native", hex);
    assert.equal(second.before.tokens, "100");
    assert.equal(second.after.tokens, "200");
    const third = await from("stable", hex);
    assert.equal(third.received.baseUnits, 1_000_000_000n);
    assert.equal(third.agreement, "documented");
    assert.match(faucetText(third).join(), /Received 1000 USDX on localhost/);
  });

  it("says what to set where no faucet is configured", async () => {
    const realNode = {
      request: async ({ method }: { method: string }) =>
        await Promise.resolve(
          method === "web3_clientVersion" ? "Version dev" : "0x0",
        ),
    };
    const run = async (network: NetworkDescription) =>
      await requestTokens({ network, provider: realNode }, new RecordingUi(), {
        address: fresh().hex,
        token: "native",
      });
    await assert.rejects(
      run(describedNetwork()),
      /DUALSTACK_TESTNET_FAUCET_URL/,
    );
    await assert.rejects(
      run(
        describedNetwork({ kind: "other", name: "sepolia", chainId: 11155111 }),
      ),
      /no faucet, and its node is not a development node \(network sepolia\)/,
    );
    await assert.rejects(
      requestTokens(
        { network: describedNetwork(), provider },
        new RecordingUi(),
        { address: fresh().hex, token: "stable" },
      ),
      /the test stable token is not configured.*dualstack\.stableToken/,
    );
  });
});

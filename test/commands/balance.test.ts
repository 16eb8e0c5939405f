import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";

import { parseAddress } from "../../src/address/index.js";
import { DEFAULT_FACTS, type StableToken } from "../../src/chain/index.js";
import {
  addressesInFile,
  checkAddresses,
  readBalances,
} from "../../src/commands/balance/index.js";
import { denomReader } from "../../src/commands/shared/denom-reader.js";
import { ReportedError } from "../../src/commands/shared/output.js";
import { printBalances } from "../../src/commands/balance/print.js";
import {
  batchBySingleRequests,
  HttpClient,
} from "../../src/rpc/http-client.js";
import { FaultyServer } from "../servers/faulty.js";
import { createProject, describedNetwork, RecordingUi } from "./helpers.js";

const address = (index: number) =>
  parseAddress(`0x${(index + 1).toString(16).padStart(40, "0")}`);
const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => address(index).hex);

const withStable = (stableToken: StableToken, endpoints = {}) =>
  describedNetwork({ facts: { ...DEFAULT_FACTS, stableToken }, endpoints });

let server: FaultyServer;
before(async () => {
  server = await FaultyServer.start();
});
after(async () => await server.close());

const client = () =>
  new HttpClient({ url: server.url, network: "testnet", backoffMs: 2 });

describe("the balances of many addresses", () => {
  it("come in their order, in few requests", async () => {
    const before = server.count;
    const network = describedNetwork();
    const rows = [];
    for await (const row of readBalances(
      { network, provider: client() },
      addresses(1000),
    )) {
      rows.push(row);
    }
    assert.equal(server.count - before, 10);
    assert.deepEqual(
      rows.map(({ native }) => native.baseUnits),
      Array.from({ length: 1000 }, (_, index) => BigInt(index + 1)),
    );
    assert.equal(rows[499]?.address, address(499).hex);
    assert.equal(rows[499]?.account, address(499).account);
    assert.equal(rows[499]?.native.tokens, "0.0000000000000005");
  });

  it("are aligned, in the form that was given, and show progress", async () => {
    const ui = new RecordingUi();
    const given = [address(0).account, ...addresses(250).slice(1)];
    await printBalances(
      ui,
      { network: describedNetwork(), provider: client() },
      given,
    );
    assert.equal(ui.lines[0], "Balances on testnet (chain ID 26218)");
    assert.match(ui.lines[2] ?? "", /^ {2}Address +NATIVE +Base units$/);
    assert.match(
      ui.lines[3] ?? "",
      /^ {2}cosmos1\w+ +0\.000000000000000001 +1$/,
    );
    assert.equal(ui.lines.length, 3 + 250);
    const lengths = new Set(ui.lines.slice(2).map((line) => line.length));
    assert.equal(lengths.size, 1, "every line ends in the same column");
    assert.deepEqual(ui.progressTexts, [
      "100 of 250 balances",
      "200 of 250 balances",
      undefined,
    ]);
  });

  it("are the same in JSON", async () => {
    const ui = new RecordingUi({ json: true });
    await printBalances(
      ui,
      { network: describedNetwork(), provider: client() },
      addresses(120),
    );
    const json = JSON.parse(ui.text) as {
      network: string;
      chainId: number;
      balances: { address: string; account: string; native: object }[];
    };
    assert.equal(json.network, "testnet");
    assert.equal(json.chainId, 26218);
    assert.equal(json.balances.length, 120);
    assert.deepEqual(json.balances[119], {
      address: address(119).hex,
      account: address(119).account,
      native: {
        baseUnits: "120",
        tokens: "0.00000000000000012",
        symbol: "NATIVE",
      },
    });
  });

  it("are complete JSON with an error when the node goes away midway", async () => {
    const ui = new RecordingUi({ json: true });
    let asked = 0;
    const provider = batchBySingleRequests({
      request: async () => {
        if (++asked > 500) {
          throw new Error("connection lost");
        }
        return await Promise.resolve("0x1");
      },
    });
    await assert.rejects(
      printBalances(
        ui,
        { network: describedNetwork(), provider },
        addresses(1000),
      ),
      ReportedError,
    );
    const json = JSON.parse(ui.text) as {
      balances: unknown[];
      error: { message: string };
    };
    assert.equal(json.balances.length, 500);
    assert.equal(json.error.message, "connection lost");
  });

  it("are not asked for when one address is wrong", () => {
    assert.throws(
      () =>
        checkAddresses(
          [{ text: address(0).hex }, { text: "0x12" }],
          describedNetwork(),
        ),
      /the address 2 of 2, "0x12" is not 0x followed by 40 hexadecimal digits/,
    );
    assert.throws(
      () =>
        checkAddresses(
          [{ text: `${address(0).account}x` }],
          describedNetwork(),
        ),
      /wrong bech32 checksum/,
    );
  });

  it("can be listed in a file", () => {
    assert.deepEqual(
      addressesInFile("# ours\r\n0x1 # cold\r\n\r\n  cosmos1x\n", "list.txt"),
      [
        { text: "0x1", where: "in line 2 of list.txt" },
        { text: "cosmos1x", where: "in line 4 of list.txt" },
      ],
    );
    assert.throws(
      () => addressesInFile("# nothing\n", "list.txt"),
      /no address in list\.txt/,
    );
  });

  it("in a file are checked together: the error lists every wrong line", () => {
    const check = (text: string) => () =>
      checkAddresses(addressesInFile(text, "list.txt"), describedNetwork());
    check(`# ours\n${address(0).hex}\n`)();
    assert.throws(
      check(`# ours\n${address(0).hex}\n0x12\n`),
      /the address in line 3 of list\.txt, "0x12" is not 0x followed by 40/,
    );
    assert.throws(
      check(`0x12\n${address(0).hex}\nme\n`),
      /2 of 3 addresses are wrong: the address in line 1 of list\.txt, "0x12" is not .*; the address in line 3 of list\.txt, "me" is neither .*no balance was read/,
    );
    assert.throws(
      check("x\n".repeat(9)),
      /9 of 9 addresses are wrong: .*line 5 .*; and 4 more/,
    );
  });
});

describe("balances of the stable token", () => {
  it("come from its contract", async () => {
    const hre = await createProject();
    await hre.tasks.getTask("build").run({ quiet: true });
    const { ethers, provider } = await hre.network.create();
    const token = await ethers.deployContract("Stable", [
      address(6).hex,
      2_500_000n,
    ]);
    const network = withStable({
      symbol: "USDX",
      decimals: 6,
      address: (await token.getAddress()) as `0x${string}`,
    });
    const ui = new RecordingUi();
    await printBalances(
      ui,
      { network, provider: batchBySingleRequests(provider) },
      addresses(7).slice(5),
    );
    assert.match(ui.lines[2] ?? "", /NATIVE +Base units +USDX$/);
    assert.match(ui.lines[3] ?? "", / 0 +0 +0$/);
    assert.match(ui.lines[4] ?? "", / 0 +0 +2\.5$/);
  });

  it("are not zero where there is no contract", async () => {
    const hre = await createProject();
    const { provider } = await hre.network.create();
    const network = withStable({
      symbol: "USDX",
      decimals: 6,
      address: address(77).hex,
    });
    await assert.rejects(
      printBalances(
        new RecordingUi(),
        { network, provider: batchBySingleRequests(provider) },
        addresses(1),
      ),
      /no ERC-20 contract answers.*DUALSTACK_STABLE_TOKEN_ADDRESS/,
    );
  });

  it("come from the bank by REST", async () => {
    const seen: string[] = [];
    const rest = createServer((request, response) => {
      seen.push(request.url ?? "");
      const url = new URL(request.url ?? "", "http://rest.example");
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          balance: {
            denom: url.searchParams.get("denom"),
            amount: String(url.pathname.length),
          },
        }),
      );
    });
    await new Promise<void>((resolve) => rest.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = rest.address() as AddressInfo;
      const network = withStable(
        { symbol: "USDX", decimals: 0, denom: "ibc/ABC" },
        { restUrl: `http://127.0.0.1:${port}/api` },
      );
      const readDenom = denomReader(network);
      assert.ok(readDenom !== undefined);
      const ui = new RecordingUi({ json: true });
      await printBalances(
        ui,
        { network, provider: client(), readDenom },
        addresses(3),
      );
      const json = JSON.parse(ui.text) as {
        balances: { stable: { tokens: string } }[];
      };
      const path = `/api/cosmos/bank/v1beta1/balances/${address(0).account}/by_denom`;
      assert.deepEqual(
        json.balances.map(({ stable }) => stable.tokens),
        [1, 2, 3].map(() => String(path.length)),
      );
      assert.deepEqual(
        seen.sort(),
        [...addresses(3)]
          .map(
            (hex) =>
              `/api/cosmos/bank/v1beta1/balances/${parseAddress(hex).account}/by_denom?denom=ibc%2FABC`,
          )
          .sort(),
      );
    } finally {
      rest.close();
    }
  });

  it("are left out with the reason where the bank cannot be asked", async () => {
    const ui = new RecordingUi({ json: true });
    const network = withStable({ symbol: "USDX", decimals: 6, denom: "uusdx" });
    assert.equal(denomReader(network), undefined);
    await printBalances(ui, { network, provider: client() }, addresses(1));
    const json = JSON.parse(ui.text) as {
      stableTokenMissing: string;
      balances: object[];
    };
    assert.match(json.stableTokenMissing, /no REST endpoint is configured/);
    assert.match(ui.notes.join(), /The balance of USDX is not shown/);
    assert.ok(
      json.balances[0] !== undefined && !("stable" in json.balances[0]),
    );
  });
});

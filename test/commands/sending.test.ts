import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { before, describe, it } from "node:test";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { EthereumProvider } from "hardhat/types/providers";

import { parseAddress } from "../../src/address/index.js";
import type { NetworkDescription } from "../../src/config/network-description.js";
import { deploy, type DeployOptions } from "../../src/commands/deploy/index.js";
import { deployText } from "../../src/commands/deploy/messages.js";
import { transferText } from "../../src/commands/transfer/messages.js";
import {
  transfer,
  type TransferOptions,
} from "../../src/commands/transfer/index.js";
import { MODULE_ACCOUNTS, moduleAddress } from "../../src/precompiles/index.js";
import { NodeRpcServer } from "../servers/node-rpc.js";
import { recordedChain } from "../servers/recorded-state.js";
import { createProject, describedNetwork, RecordingUi } from "./helpers.js";

const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const OTHER = parseAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
const VAULT_ARGUMENTS = [
  "A vault",
  "1_000",
  OTHER.account,
  "true",
  "0x12345678",
  "[-5, 5]",
  `[{"account":"${OTHER.hex}","share":"9","roles":["keeper"]}]`,
];

let hre: HardhatRuntimeEnvironment;
let connection: Awaited<ReturnType<typeof hre.network.create>>;
let provider: EthereumProvider;
const sent: string[] = [];

before(async () => {
  hre = await createProject({}, { network: "localnet" });
  await hre.tasks.getTask("build").run({ quiet: true });
  connection = await hre.network.create("localnet");
  ({ provider } = connection);
});

const network = describedNetwork({
  name: "localnet",
  kind: "local",
  chainId: 31337,
  endpoints: { explorerUrl: "https://explorer.dualstack.example" },
});
const mainnet = describedNetwork({
  name: "mainnet",
  kind: "mainnet",
  chainId: 26217,
});

/** Passes requests on, and notes what is sent. */
const watching = {
  request: async (request: { method: string; params?: readonly unknown[] }) => {
    if (request.method.startsWith("eth_send")) {
      sent.push(JSON.stringify(request.params));
    }
    return await provider.request({
      method: request.method,
      params: [...(request.params ?? [])],
    });
  },
};

async function deployContract(
  name: string,
  options: Partial<DeployOptions> = {},
  { ui = new RecordingUi(), on = network } = {},
) {
  const artifact = await hre.artifacts.readArtifact(name);
  return await deploy(
    { network: on, provider: watching, estimates: connection.dualstack },
    ui,
    artifact,
    { constructorArguments: [], ...options },
  );
}

async function transferTokens(
  options: Partial<TransferOptions>,
  {
    ui = new RecordingUi(),
    on = network,
    from,
  }: {
    ui?: RecordingUi;
    on?: NetworkDescription;
    from?: string | undefined;
  } = {},
) {
  return await transfer(
    {
      network: on,
      provider: watching,
      estimates: connection.dualstack,
      ...(from === undefined ? {} : { from }),
    },
    ui,
    {
      to: OTHER.hex,
      amount: "1",
      ...options,
    },
  );
}

/** Checks that an action is refused with this error, and sends nothing. */
async function refused(action: Promise<unknown>, message: RegExp) {
  const before = sent.length;
  await assert.rejects(action, (error) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, message);
    return true;
  });
  assert.equal(sent.length, before, "nothing is sent");
}

describe("the deploy command", () => {
  it("deploys with arguments of every kind", async () => {
    const report = await deployContract("Vault", {
      constructorArguments: VAULT_ARGUMENTS,
      value: "1.5",
    });
    const { ethers } = connection;
    const vault = await ethers.getContractAt("Vault", report.address ?? "");
    assert.equal(await vault.getFunction("name")(), "A vault");
    assert.equal(await vault.getFunction("cap")(), 1000n);
    assert.equal(await vault.getFunction("owner")(), OTHER.hex);
    assert.equal(await vault.getFunction("range")(0), -5n);
    assert.equal(await vault.getFunction("lastRole")(), "keeper");
    assert.equal(
      await ethers.provider.getBalance(vault),
      1_500_000_000_000_000_000n,
    );
    const { estimate, limit, used } = report.gas;
    assert.equal(limit, (estimate * 12n + 9n) / 10n);
    assert.equal(used, estimate);
    const transaction = await ethers.provider.getTransaction(
      report.transaction ?? "",
    );
    assert.equal(transaction?.gasLimit, limit, "buffered once");
    assert.equal(report.contract, "contracts/Vault.sol:Vault");
    const text = deployText(report).join("\n");
    assert.match(text, /^Vault is deployed on localnet \(chain ID 31337\)$/m);
    assert.match(
      text,
      new RegExp(
        `Gas +estimate ${estimate}, limit ${limit}, used ${used}$`,
        "m",
      ),
    );
    assert.match(text, /Value +1\.5 NATIVE$/m);
    assert.match(
      text,
      new RegExp(
        `Explorer +https://explorer\\.dualstack\\.example/address/${report.address}$`,
        "m",
      ),
    );
  });

  it("links libraries", async () => {
    await refused(
      deployContract("Split", { constructorArguments: ["[1,2]"] }),
      /uses libraries whose addresses are not given: .*contracts\/Vault\.sol:Shares.*--libraries Shares=0x…/,
    );
    const { address: shares } = await deployContract("Shares");
    const constructorArguments = ["[1,2,3]"];
    const splits = await Promise.all(
      ["Shares", "contracts/Vault.sol:Shares"].map(
        async (key) =>
          await deployContract("Split", {
            constructorArguments,
            libraries: `${key}=${shares}`,
          }),
      ),
    );
    for (const { address } of splits) {
      const split = await connection.ethers.getContractAt(
        "Split",
        address ?? "",
      );
      assert.equal(await split.getFunction("total")(), 6n);
    }
    await refused(
      deployContract("Split", {
        constructorArguments,
        libraries: `Sharez=${shares}`,
      }),
      /Split uses no library "Sharez".*contracts\/Vault\.sol:Shares/,
    );
    await refused(
      deployContract("Split", { constructorArguments, libraries: "Shares" }),
      /"Shares" is not of the form Name=0x…/,
    );
    await refused(
      deployContract("Split", {
        constructorArguments,
        libraries: `Shares=${OTHER.hex}`,
      }),
      /the library Shares is not there: its address has no code.*Deploy Shares on this network first/s,
    );
  });

  it("finds what is wrong before anything is sent", async () => {
    await refused(
      deployContract("Vault", { constructorArguments: ["x"] }),
      /takes 7 arguments/,
    );
    await refused(deployContract("IVault"), /has no code: it is an interface/);
    await refused(
      deployContract("Stable", {
        constructorArguments: [OWNER, "1"],
        value: "1",
      }),
      /the constructor of Stable is not payable/,
    );
    await refused(
      deployContract("Vault", {
        constructorArguments: VAULT_ARGUMENTS.with(1, "9"),
      }),
      /deploying Vault would fail: reverted with CapTooLow\(9, 10\)/,
    );
    await refused(deployContract("Greedy"), /deploying Greedy would fail/);
    await refused(
      deployContract("Vault", {
        constructorArguments: VAULT_ARGUMENTS,
        value: "1000000",
      }),
      /the balance is too low: .* needs up to 1000000 NATIVE.*dualstack faucet 0xf39F/,
    );
  });

  it("says what it would cost, and stops there", async () => {
    const before = sent.length;
    const report = await deployContract("Stable", {
      constructorArguments: [OWNER, "1"],
      dryRun: true,
    });
    assert.equal(sent.length, before);
    assert.equal(report.transaction, undefined);
    assert.ok(report.atMost.baseUnits > report.gas.limit);
    const text = deployText(report).join("\n");
    assert.match(text, /^Stable would be deployed on localnet/m);
    assert.match(text, /^Nothing was sent\.$/m);
  });

  it("asks on the main network", async () => {
    const constructorArguments = [OWNER, "1"];
    const no = new RecordingUi();
    await refused(
      deployContract(
        "Stable",
        { constructorArguments },
        { ui: no, on: mainnet },
      ),
      /nothing was sent: you did not confirm it/,
    );
    assert.match(
      no.questions[0] ?? "",
      /^Deploy Stable on mainnet for up to 0\.\d+ NATIVE\?$/,
    );
    const yes = new RecordingUi({ answer: true });
    assert.ok(
      (
        await deployContract(
          "Stable",
          { constructorArguments },
          { ui: yes, on: mainnet },
        )
      ).address,
    );
    const flag = new RecordingUi();
    await deployContract(
      "Stable",
      { constructorArguments, yes: true },
      { ui: flag, on: mainnet },
    );
    assert.deepEqual(flag.questions, []);
  });
});

describe("the transfer command", () => {
  const balance = async (address: string) =>
    await connection.ethers.provider.getBalance(address);

  it("transfers whole tokens and base units, to either form", async () => {
    const before = await balance(OTHER.hex);
    const first = await transferTokens({
      to: OTHER.account,
      amount: "1.5",
    });
    await transferTokens({ to: OTHER.hex, amount: "7anative" });
    assert.equal(
      (await balance(OTHER.hex)) - before,
      1_500_000_000_000_000_007n,
    );
    assert.equal(first.from, OWNER);
    assert.equal(first.to, OTHER.hex);
    assert.equal(first.toAccount, OTHER.account);
    const { estimate, limit, used } = first.gas;
    assert.equal(used, 21_000n);
    assert.equal(limit, (estimate * 12n + 9n) / 10n);
    assert.ok(first.block !== undefined);
    const text = transferText(first).join("\n");
    assert.match(text, /^1\.5 NATIVE transferred on localnet/m);
    assert.match(
      text,
      new RegExp(`Gas +estimate ${estimate}, limit ${limit}, used 21000$`, "m"),
    );
  });

  it("does not wait if told not to", async () => {
    const report = await transferTokens({ async: true });
    assert.match(report.transaction ?? "", /^0x[0-9a-f]{64}$/);
    assert.equal(report.block, undefined);
    assert.match(
      transferText(report).join("\n"),
      /The transaction is sent, but not in a block yet/,
    );
  });

  it("sends from the account that is chosen, by index or in any form", async () => {
    const from = async (account: string) =>
      (await transferTokens({}, { from: account })).from;
    const { valoper, account, hex } = OTHER;
    assert.equal(await from("0"), OWNER);
    for (const text of ["1", hex, hex.toLowerCase(), account, valoper]) {
      assert.equal(await from(text), hex, text);
    }
    await refused(
      from("20"),
      /there is no account 20 to send from: the network has accounts 0 to 19 .*dualstack balance --network localnet/,
    );
    await refused(
      from(MODULE_ACCOUNTS.governance),
      /the account to send from is not one of the network's/,
    );
    await refused(from("first"), /the sender "first" is neither a hex/);
  });

  it("refuses recipients that nobody holds the key of", async () => {
    for (const to of [
      MODULE_ACCOUNTS.governance,
      parseAddress(MODULE_ACCOUNTS.distribution).account,
      ...network.facts.moduleAccounts.map(moduleAddress),
      network.precompiles.staking,
      "0x0000000000000000000000000000000000000805",
      "0x0000000000000000000000000000000000000000",
    ]) {
      await refused(
        transferTokens({ to }),
        /the recipient is (?:the|an) .*--force/,
      );
    }
    const forced = await transferTokens({
      to: "0x0000000000000000000000000000000000000805",
      force: true,
    });
    assert.ok(forced.block !== undefined);
  });

  it("refuses module accounts that only the chain knows, by their name", async () => {
    const account = parseAddress(moduleAddress("bridge")).account;
    const rest = createServer((request, response) => {
      const found = request.url?.endsWith(
        `/cosmos/auth/v1beta1/accounts/${account}`,
      );
      response
        .writeHead(found ? 200 : 404, { "content-type": "application/json" })
        .end(
          JSON.stringify(
            found
              ? {
                  account: {
                    "@type": "/cosmos.auth.v1beta1.ModuleAccount",
                    base_account: { address: account },
                    name: "bridge",
                    permissions: [],
                  },
                }
              : { code: 5, message: `account not found`, details: [] },
          ),
        );
    });
    await new Promise<void>((resolve) => rest.listen(0, "127.0.0.1", resolve));
    const on = describedNetwork({
      ...network,
      endpoints: {
        restUrl: `http://127.0.0.1:${(rest.address() as AddressInfo).port}`,
      },
    });
    await refused(
      transferTokens({ to: account }, { on }),
      /the recipient is the module account bridge:.*--force/,
    );
    const { transaction } = await transferTokens({}, { on });
    assert.ok(transaction !== undefined);
    rest.closeAllConnections();
    rest.close();
    // A REST endpoint that is down prevents no transfer.
    assert.ok((await transferTokens({}, { on })).transaction !== undefined);
    // Without an endpoint, the settings name the module accounts.
    const facts = { ...network.facts, moduleAccounts: ["bridge"] };
    await refused(
      transferTokens(
        { to: account },
        { on: describedNetwork({ ...network, facts }) },
      ),
      /the recipient is the module account bridge:/,
    );
  });

  it("asks the node RPC where there is no REST, or none that answers", async () => {
    const chain = recordedChain();
    const { account } = parseAddress(moduleAddress("bridge"));
    chain.state.moduleAccounts = new Map([[account, "bridge"]]);
    const nodeRpc = await NodeRpcServer.start(chain);
    try {
      for (const endpoints of [
        { nodeRpcUrl: nodeRpc.url },
        { nodeRpcUrl: nodeRpc.url, restUrl: "http://127.0.0.1:1" },
      ]) {
        const on = describedNetwork({ ...network, endpoints });
        await refused(
          transferTokens({ to: account }, { on }),
          /the recipient is the module account bridge:.*--force/,
        );
        assert.ok((await transferTokens({}, { on })).transaction !== undefined);
      }
    } finally {
      await nodeRpc.close();
    }
  });

  it("counts 1 wei per unit of gas where gas is free, since libraries pay that", async () => {
    const { atMost, gas } = await transfer(
      {
        network,
        provider: {
          request: async (request) =>
            request.method === "eth_gasPrice"
              ? "0x0"
              : await watching.request(request),
        },
        estimates: connection.dualstack,
      },
      new RecordingUi(),
      { to: OTHER.hex, amount: "1", dryRun: true },
    );
    const fee = (atMost.baseUnits ?? 0n) - 10n ** 18n;
    assert.ok(fee >= gas.limit && fee <= 2n * gas.limit, String(fee));
  });

  it("refuses amounts that are invalid or exceed the balance", async () => {
    await refused(transferTokens({ amount: "1,5" }), /is not an amount/);
    await refused(
      transferTokens({ amount: "1 ETH" }),
      /neither NATIVE nor anative/,
    );
    await refused(
      transferTokens({ amount: "1.5anative" }),
      /fraction of a base unit/,
    );
    await refused(
      transferTokens({ amount: "99999999" }),
      /the balance is too low/,
    );
    await refused(transferTokens({ to: "0x1" }), /the recipient "0x1"/);
  });

  it("asks on the main network, except for a dry run", async () => {
    await refused(
      transferTokens({}, { on: mainnet }),
      /nothing was sent: you did not confirm it/,
    );
    const before = sent.length;
    const report = await transferTokens({ dryRun: true }, { on: mainnet });
    assert.equal(sent.length, before);
    assert.match(
      transferText(report).join("\n"),
      /would be transferred on mainnet/,
    );
  });

  it("says that there is no account", async () => {
    const nobody = {
      request: async () => await Promise.resolve([]),
    };
    await assert.rejects(
      transfer({ network, provider: nobody }, new RecordingUi(), {
        to: OTHER.hex,
        amount: "1",
      }),
      /no account to send from.*DUALSTACK_PRIVATE_KEY/,
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { deriveEndpoints } from "../../src/chain/index.js";
import { describeAddress } from "../../src/commands/address/index.js";
import { knownAddress } from "../../src/commands/shared/known-address.js";
import { addressText } from "../../src/commands/address/messages.js";
import { networksText } from "../../src/commands/networks/messages.js";
import { listNetworks } from "../../src/commands/networks/index.js";
import {
  MODULE_ACCOUNTS,
  moduleAddress,
  PRECOMPILE_ADDRESSES,
} from "../../src/precompiles/index.js";
import { describedNetwork } from "./helpers.js";

const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const options = { chainPrefix: "cosmos", precompiles: PRECOMPILE_ADDRESSES };

describe("the address command", () => {
  it("gives every form from every form", () => {
    const forms = describeAddress(OWNER.toLowerCase(), options);
    assert.equal(forms.hex, OWNER);
    assert.equal(
      forms.account,
      "cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq",
    );
    for (const form of ["hex", "account", "valoper"] as const) {
      assert.deepEqual(describeAddress(forms[form], options), {
        ...forms,
        form,
      });
    }
    assert.deepEqual(addressText(forms), [
      `  Hex       ${OWNER}`,
      `  Account   ${forms.account}`,
      `  Operator  ${forms.valoper}`,
    ]);
  });

  it("writes with another prefix, and reads both", () => {
    const { account } = describeAddress(OWNER, options);
    const other = describeAddress(account, { ...options, prefix: "evmos" });
    assert.match(other.account, /^evmos1/);
    assert.match(other.valoper, /^evmosvaloper1/);
    assert.equal(
      describeAddress(other.account, { ...options, prefix: "evmos" }).hex,
      OWNER,
    );
    assert.throws(
      () => describeAddress(other.account, options),
      /has the prefix "evmos"/,
    );
    assert.throws(
      () => describeAddress(OWNER, { ...options, prefix: "Ev mos" }),
      /is not a bech32 prefix/,
    );
  });

  it("names addresses that nobody holds the key of", () => {
    assert.equal(
      describeAddress(PRECOMPILE_ADDRESSES.staking, options).known,
      "the staking precompile",
    );
    assert.equal(
      describeAddress(MODULE_ACCOUNTS.governance, options).known,
      "the module account governance",
    );
    // Read from a real chain.
    for (const [name, hex] of [
      ["gov", "0x7b5fe22b5446f7c62ea27b8bd71cef94e03f3df2"],
      ["bonded_tokens_pool", "0x4fea76427b8345861e80a3540a8a9d936fd39391"],
      ["fee_collector", "0xf1829676db577682e944fc3493d451b67ff3e29f"],
    ] as const) {
      assert.equal(moduleAddress(name), hex);
    }
    for (const name of ["erc20", "evm", "feemarket", "mint", "transfer"]) {
      assert.equal(
        describeAddress(moduleAddress(name), options).known,
        `the module account ${name}`,
      );
    }
    const address = (hex: string) => `0x${hex.padStart(40, "0")}`;
    const known = (hex: string) =>
      knownAddress(address(hex), PRECOMPILE_ADDRESSES);
    assert.equal(known("0"), "the zero address");
    assert.equal(known("1"), "an address reserved for precompiles");
    assert.equal(known("805"), "an address reserved for precompiles");
    assert.equal(known("10000"), undefined);
    assert.equal(knownAddress(OWNER, PRECOMPILE_ADDRESSES), undefined);
    // A network may have governance at another address.
    const elsewhere = address("5000000");
    assert.equal(
      knownAddress(elsewhere, {
        ...PRECOMPILE_ADDRESSES,
        governance: elsewhere as `0x${string}`,
      }),
      "the governance precompile",
    );
  });
});

describe("the networks command", () => {
  const testnet = describedNetwork({
    endpoints: deriveEndpoints(
      {
        baseUrl: "https://user:secret@testnet.dualstack.example/",
        faucetUrl: "https://faucet.dualstack.example",
      },
      { network: "testnet", kind: "testnet" },
    ),
  });
  const mainnet = describedNetwork({
    name: "mainnet",
    kind: "mainnet",
    chainId: 26217,
  });
  const records = listNetworks([testnet, mainnet]);

  it("shows what is configured, and what to set for the rest", () => {
    const [first, second] = records;
    const address = (name: string) =>
      first?.endpoints.find(({ endpoint }) => endpoint === name)?.address;
    assert.equal(address("evmUrl"), "https://testnet.dualstack.example/evm");
    assert.equal(address("wsUrl"), "wss://testnet.dualstack.example/ws");
    assert.equal(
      address("nodeRpcUrl"),
      "https://testnet.dualstack.example/rpc",
    );
    assert.equal(address("restUrl"), "https://testnet.dualstack.example/api");
    assert.equal(address("grpcHost"), "testnet.dualstack.example:9090");
    assert.equal(address("explorerUrl"), null);
    assert.equal(address("faucetUrl"), "https://faucet.dualstack.example");
    assert.ok(second?.endpoints.every(({ address }) => address === null));
    assert.deepEqual(
      [...new Set(second?.endpoints.map(({ variable }) => variable))],
      ["DUALSTACK_MAINNET_BASE_URL", "DUALSTACK_MAINNET_EXPLORER_URL"],
    );
    assert.equal(first?.hasFaucet, true);
    assert.equal(second?.hasFaucet, false);
  });

  it("prints the same as text, without credentials", () => {
    const text = networksText(records).join("\n");
    assert.match(text, /^testnet: Test network$/m);
    assert.match(text, /Chain ID +26218$/m);
    assert.match(
      text,
      /REST +https:\/\/testnet\.dualstack\.example\/api \(GET of \/cosmos\/\* and \/cosmos\/evm\/\* only\)$/m,
    );
    assert.match(
      text,
      /Explorer +not configured: set DUALSTACK_TESTNET_EXPLORER_URL$/m,
    );
    assert.match(text, /Faucet +none on the main network$/m);
    assert.match(text, /Staking +0x0{37}800$/m);
    assert.doesNotMatch(text + JSON.stringify(records), /secret/);
  });
});

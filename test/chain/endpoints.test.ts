import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  deriveEndpoints,
  type EndpointInputs,
  endpointSetting,
  explorerLinks,
  grpcTarget,
  isLoopback,
  type NetworkKind,
  requireEndpoint,
  variableName,
} from "../../src/chain/index.js";

const derive = (
  inputs: EndpointInputs,
  kind: NetworkKind = "testnet",
  allowInsecure = false,
) => deriveEndpoints(inputs, { network: kind, kind, allowInsecure });

describe("the endpoints of a network", () => {
  it("follow from its base URL", () => {
    assert.deepEqual(derive({ baseUrl: "https://testnet.dualstack.example" }), {
      evmUrl: "https://testnet.dualstack.example/evm",
      wsUrl: "wss://testnet.dualstack.example/ws",
      nodeRpcUrl: "https://testnet.dualstack.example/rpc",
      restUrl: "https://testnet.dualstack.example/api",
      grpcHost: "testnet.dualstack.example:9090",
    });
  });

  it("do not change with slashes and spaces; only the WebSocket ignores the path", () => {
    const plain = derive({ baseUrl: "https://node.example:8443/chain" });
    assert.equal(plain.evmUrl, "https://node.example:8443/chain/evm");
    assert.equal(plain.wsUrl, "wss://node.example:8443/ws");
    assert.equal(plain.grpcHost, "node.example:9090");
    assert.deepEqual(
      derive({ baseUrl: " https://node.example:8443/chain// \n" }),
      plain,
    );
  });

  it("can be set one by one, and then take precedence", () => {
    const found = derive({
      baseUrl: "https://node.example",
      evmUrl: "https://evm.node.example/",
      wsUrl: "wss://ws.node.example:8546",
      grpcHost: "grpc.node.example/",
      explorerUrl: "https://explorer.node.example/",
      restUrl: "   ",
    });
    assert.equal(found.evmUrl, "https://evm.node.example");
    assert.equal(found.wsUrl, "wss://ws.node.example:8546");
    assert.equal(found.grpcHost, "grpc.node.example:9090");
    assert.equal(found.explorerUrl, "https://explorer.node.example");
    assert.equal(found.restUrl, "https://node.example/api");
    assert.deepEqual(derive({ evmUrl: "https://evm.node.example" }), {
      evmUrl: "https://evm.node.example",
    });
  });

  it("are absent where nothing is configured, and the main network has no faucet", () => {
    assert.deepEqual(derive({}), {});
    assert.deepEqual(derive({ baseUrl: "" }), {});
    const faucetUrl = "https://faucet.dualstack.example";
    assert.equal(derive({ faucetUrl }).faucetUrl, faucetUrl);
    assert.equal(derive({ faucetUrl }, "mainnet").faucetUrl, undefined);
  });

  const local = ["127.0.0.1", "127.9.9.9", "[::1]", "localhost", "a.localhost"];
  it("may be unencrypted on this machine only", () => {
    for (const host of local) {
      assert.equal(
        derive({ baseUrl: `http://${host}:8545` }).wsUrl,
        `ws://${host}:8545/ws`,
      );
    }
    for (const baseUrl of [
      "http://node.example",
      "http://127.0.0.1.evil.example",
      "http://localhost.evil.example",
      "http://1270.0.0.1.example",
    ]) {
      assert.throws(
        () => derive({ baseUrl }),
        /dualstack\.testnet\.baseUrl \(or DUALSTACK_TESTNET_BASE_URL\) is not encrypted.*allowInsecure/,
      );
      assert.ok(derive({ baseUrl }, "testnet", true).evmUrl);
    }
    assert.throws(
      () => derive({ wsUrl: "ws://node.example" }),
      /testnet\.wsUrl .* is not encrypted/,
    );
    assert.ok(!isLoopback("128.0.0.1"));
  });

  const wrong: [EndpointInputs, RegExp][] = [
    [{ baseUrl: "node.example" }, /baseUrl .* is not a URL: "node\.example"/],
    [
      { baseUrl: "ftp://node.example" },
      /must begin with https:\/\/, not ftp:\/\//,
    ],
    [{ evmUrl: "wss://node.example" }, /evmUrl .*must begin with https:\/\//],
    [{ wsUrl: "https://node.example" }, /wsUrl .*must begin with wss:\/\//],
    [{ baseUrl: "https://node.example/?key=1" }, /has a query or a fragment/],
    [
      { baseUrl: "https://node.example/evm/" },
      /baseUrl .* ends in \/evm, which belongs to one endpoint.*Remove \/evm.*dualstack\.testnet\.evmUrl/,
    ],
    [{ baseUrl: "https://node.example/chain/api" }, /ends in \/api/],
    [{ grpcHost: "node.example:99999" }, /grpcHost .* is not a host/],
    [{ grpcHost: "node example" }, /is not a host/],
    [{ grpcHost: "ftp://node.example" }, /is not a host/],
    [
      { grpcHost: "grpc://node.example" },
      /not encrypted: grpc:\/\/node\.example:9090.*allowInsecure/,
    ],
    [
      { grpcHost: "grpcs://u:s3cret@node example" },
      /is not a host: "grpcs:\/\/node example"/,
    ],
  ];
  for (const [inputs, message] of wrong) {
    it(`are refused with the name of the field: ${JSON.stringify(inputs)}`, () => {
      assert.throws(() => derive(inputs), message);
    });
  }

  it("for gRPC say whether it is encrypted: by default unless on this machine", () => {
    const target = (grpcHost: string, allowInsecure = false) =>
      grpcTarget(derive({ grpcHost }, "testnet", allowInsecure).grpcHost ?? "");
    const encrypted = { host: "node.example:9090", tls: true, user: "" };
    const plain = { ...encrypted, tls: false };
    assert.deepEqual(target("node.example"), encrypted);
    assert.deepEqual(target("node.example", true), encrypted);
    assert.deepEqual(target("grpcs://node.example:9090"), encrypted);
    assert.deepEqual(target("https://node.example:9090/"), encrypted);
    assert.deepEqual(target("grpc://node.example", true), plain);
    assert.equal(target("127.0.0.1:1").tls, false);
    assert.equal(target("[::1]:1").tls, false);
    assert.equal(target("grpcs://127.0.0.1").tls, true);
    assert.equal(target("grpc://localhost").tls, false);
    assert.deepEqual(target("grpcs://u:p@node.example:443"), {
      host: "node.example:443",
      tls: true,
      user: "u:p",
    });
  });

  it("say what to set when one is needed but missing", () => {
    const need = (name: "evmUrl" | "explorerUrl" | "faucetUrl") =>
      requireEndpoint({}, name, { network: "testnet", kind: "testnet" });
    assert.throws(
      () => need("evmUrl"),
      /Set DUALSTACK_TESTNET_BASE_URL .*keystore set DUALSTACK_TESTNET_BASE_URL.*dualstack\.testnet\.baseUrl/,
    );
    assert.throws(() => need("faucetUrl"), /DUALSTACK_TESTNET_FAUCET_URL/);
    assert.deepEqual(endpointSetting("explorerUrl", "mainnet"), {
      field: "explorerUrl",
      variable: "DUALSTACK_MAINNET_EXPLORER_URL",
    });
    assert.equal(variableName("privateKey"), "DUALSTACK_PRIVATE_KEY");
  });

  it("give links to the explorer", () => {
    assert.equal(
      explorerLinks.transaction("https://explorer.example/", "0x1"),
      "https://explorer.example/tx/0x1",
    );
    assert.equal(explorerLinks.address(undefined, "0x1"), undefined);
  });
});

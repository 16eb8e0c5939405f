import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Contract } from "ethers";

import { type ArchiveServer, serve } from "../servers/archive/archive.mjs";
import { archive, type Fork, fork } from "./archive.js";
import {
  hasStaked,
  HEIGHT,
  openProposals,
  OPERATORS,
  VAULT,
  VAULT_ABI,
} from "./cast.js";
import { type Counted, counted } from "./counted.js";

const TOKEN = 10n ** 18n;
/**
 * The most calls that a deposit may take: for the vault's storage, the modules,
 * three validators, and the vault's state with them.
 */
const MOST_CALLS = 95;

describe("a fork's requests to its chain", () => {
  let server: ArchiveServer;
  let chain: Counted;
  let cache: string;

  before(async () => {
    server = await serve(archive);
    chain = await counted(server.url, 5);
    cache = await mkdtemp(path.join(tmpdir(), "requests-"));
  });
  after(async () => {
    await chain.close();
    await server.close();
    await fresh();
  });

  const open = async (options: { stores?: boolean; localnet?: object } = {}) =>
    await fork({
      url: chain.url,
      height: HEIGHT,
      stores: options.stores ?? false,
      localnet: options.localnet,
      cache,
    });

  // The simulator may still be writing what the last network read.
  const fresh = async () => {
    await rm(cache, { recursive: true, force: true, maxRetries: 5 });
  };

  const deposit = async ({ connection }: Fork) => {
    const [signer] = await connection.ethers.getSigners();
    const vault: any = new Contract(VAULT, VAULT_ABI, signer);
    const sent = await vault.deposit({
      value: 3n * TOKEN,
      gasLimit: 5_000_000n,
    });
    return await sent.wait();
  };

  const plain = async () => {
    await fresh();
    const network = await open({ localnet: { networks: { fork: false } } });
    chain.reset();
    // Without staking it fails; there is nothing closer to compare with.
    await assert.rejects(deposit(network));
    await network.close();
    return chain.requests;
  };

  it("are a single one for the first view", async () => {
    await fresh();
    const network = await open();
    chain.reset();
    const { staking } = network.connection.precompiles;
    const [validators] = await staking.validators("", [
      "0x",
      0n,
      0n,
      false,
      false,
    ]);
    assert.equal(validators.length, OPERATORS.length);
    assert.ok(chain.requests <= 12 && chain.roundTrips <= 3);
    assert.equal(chain.requests, 1);
    await network.close();
  });

  for (const stores of [false, true]) {
    const source = stores ? "its stores" : "views alone";
    it(`are at most three times the simulator's own for a deposit into a vault, from ${source}`, async (t) => {
      const limit = 3 * (await plain());
      await fresh();
      const network = await open({ stores });
      chain.reset();
      assert.ok(hasStaked(await deposit(network)));
      t.diagnostic(
        `${chain.requests} requests of at most ${limit} with ${chain.calls} calls, ${chain.roundTrips} round trips`,
      );
      assert.ok(chain.calls <= MOST_CALLS, String(chain.calls));
      assert.ok(chain.requests <= limit);
      await network.close();
      const again = async () => {
        chain.reset();
        const second = await open({ stores });
        assert.ok(hasStaked(await deposit(second)));
        await second.close();
        return chain.requests;
      };
      // A slower run also reads what has become due by then.
      const asked = (await again()) && (await again());
      assert.equal(asked, 0, "another run asks nothing");
    });
  }

  it("read proposals together, however many there are", async (t) => {
    await fresh();
    const proposals = openProposals(HEIGHT);
    assert.ok(proposals.length > 2);
    const network = await open({ stores: true });
    const { ethers, precompiles } = network.connection;
    const [signer] = await ethers.getSigners();
    await precompiles.staking.delegate(signer.address, OPERATORS[0], TOKEN);
    chain.reset();
    await precompiles.governance.vote(signer.address, proposals[0], 1, "");
    t.diagnostic(`${chain.roundTrips} round trips`);
    assert.ok(chain.roundTrips <= 6, String(chain.roundTrips));
    await network.close();
  });

  it("leave the URL in the configuration as it is", async () => {
    const network = await open();
    const { forking } = network.connection.networkConfig;
    assert.equal(await forking.url.getUrl(), `${chain.url}/evm`);
    await network.close();
  });
});

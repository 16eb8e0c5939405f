import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { DirectEthSecp256k1Wallet } from "@cosmjs/proto-signing";
import { SigningStargateClient } from "@cosmjs/stargate";
import { hexToBytes } from "@noble/hashes/utils";
import { VoteOption } from "cosmjs-types/cosmos/gov/v1/gov";
import {
  Contract,
  ContractFactory,
  JsonRpcProvider,
  toUtf8Bytes,
  Wallet,
} from "ethers";

import { parseAddress } from "../../src/address/index.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { startNode, type StartedNode } from "./start.js";

interface Project {
  readonly name: string;
  readonly cli: string;
  readonly test: readonly string[];
  /** Why it is skipped, unless it is asked for. */
  readonly skip: string | false;
}

const PROJECTS: readonly Project[] = [
  {
    name: "staking-vault",
    cli: "../../node_modules/hardhat/dist/src/cli.js",
    test: ["test", "mocha"],
    skip: false,
  },
  {
    name: "hardhat2-toolbox",
    cli: "node_modules/hardhat/internal/cli/cli.js",
    test: ["test"],
    skip:
      process.env["DUALSTACK_VAULT_ON_CHAIN"] === undefined &&
      "set DUALSTACK_VAULT_ON_CHAIN to run it",
  },
];
const ONE = 10n ** 18n;

const folderOf = (project: string) =>
  fileURLToPath(new URL(`../../fixtures/${project}/`, import.meta.url));

// The local network is where front ends and bots of the vault are developed.
describe("the vault on a local node", () => {
  let started: StartedNode;
  before(async () => {
    const { default: config } = (await import(
      `${folderOf("staking-vault")}hardhat.config.ts`
    )) as { default: { dualstack: object } };
    started = await startNode({ automine: true }, config.dualstack);
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
  });

  const hardhat = async (
    { name, cli }: Pick<Project, "name" | "cli">,
    ...args: readonly string[]
  ) => {
    const { baseUrl, grpcHost } = started.node.endpoints;
    const cwd = folderOf(name);
    // This process's Node options are not for others.
    const { NODE_OPTIONS: _, ...env } = process.env;
    return await new Promise<{ code: unknown; stdout: string }>((resolve) => {
      execFile(
        process.execPath,
        [path.join(cwd, cli), ...args, "--network", "localnode"],
        {
          cwd,
          timeout: 200_000,
          env: {
            ...env,
            NO_COLOR: "1",
            DUALSTACK_LOCALNODE_BASE_URL: baseUrl,
            DUALSTACK_LOCALNODE_GRPC_HOST: grpcHost,
          },
        },
        (error, stdout, stderr) =>
          resolve({
            code: error === null ? 0 : error.code,
            stdout: stdout + stderr,
          }),
      );
    });
  };

  for (const project of PROJECTS) {
    it(
      `${project.name}: its tests pass as they are`,
      {
        skip: project.skip,
      },
      async () => {
        const { code, stdout } = await hardhat(project, ...project.test);
        assert.equal(code, 0, stdout);
        // None is skipped, unlike on a public chain.
        assert.ok(Number(/(\d+) passing/.exec(stdout)?.[1]) >= 22, stdout);
        assert.doesNotMatch(stdout, /pending/);
      },
    );
  }

  it("tells its story", async () => {
    const [project] = PROJECTS;
    assert.ok(project);
    const { code, stdout } = await hardhat(project, "run", "scripts/story.ts");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /A liquid-staking vault on localnode/);
  });

  it("is visible from both stacks: its delegations, and a vote", async () => {
    const { endpoints, accounts } = started.node;
    const [first, second] = accounts;
    assert.ok(first && second);
    const provider = new JsonRpcProvider(endpoints.evmUrl, undefined, {
      cacheTimeout: -1,
    });
    const wallet = new Wallet(second.privateKey, provider);
    const rest = async (route: string): Promise<any> =>
      await (await fetch(endpoints.restUrl + route)).json();
    const { validators } = await rest("/cosmos/staking/v1beta1/validators");
    const operators = validators.map((one: any) => one.operator_address);

    // The framework's books have a delegation through the contract.
    const artifact = JSON.parse(
      await readFile(
        path.join(
          folderOf("staking-vault"),
          "artifacts/contracts/StakingVault.sol/StakingVault.json",
        ),
        "utf8",
      ),
    );
    const vault: any = await new ContractFactory(
      artifact.abi,
      artifact.bytecode,
      wallet,
    ).deploy(second.address, operators, [50n, 30n, 20n]);
    await vault.waitForDeployment();
    const gasLimit = 5_000_000n;
    await (await vault.deposit({ value: 10n * ONE, gasLimit })).wait();
    const { account } = parseAddress(await vault.getAddress());
    const { delegation_responses: delegations } = await rest(
      `/cosmos/staking/v1beta1/delegations/${account}`,
    );
    assert.deepEqual(
      delegations
        .map(({ balance }: any) => BigInt(balance.amount) / ONE)
        .toSorted((a: bigint, b: bigint) => Number(b - a)),
      [5n, 3n, 2n],
    );

    // The precompile shows a vote from the framework's side.
    const { address, abi } = PRECOMPILES.governance;
    const precompile: any = new Contract(address, abi, wallet);
    const { minDeposit } = await precompile.getParams();
    await (
      await precompile.submitProposal(
        second.address,
        toUtf8Bytes(
          JSON.stringify({
            messages: [],
            metadata: "ipfs://CID",
            title: "A proposal",
            summary: "by a contract's owner",
            expedited: false,
          }),
        ),
        minDeposit.map(({ denom, amount }: any) => ({ denom, amount })),
        { gasLimit: 1_000_000n },
      )
    ).wait();
    const { proposals } = await rest("/cosmos/gov/v1/proposals");
    const { id } = proposals.at(-1);
    const client = await SigningStargateClient.connectWithSigner(
      endpoints.nodeRpcUrl,
      await DirectEthSecp256k1Wallet.fromKey(
        hexToBytes(first.privateKey.slice(2)),
      ),
      { broadcastPollIntervalMs: 50, broadcastTimeoutMs: 10_000 },
    );
    const voted = await client.signAndBroadcast(
      first.account,
      [
        {
          typeUrl: "/cosmos.gov.v1.MsgVote",
          value: {
            proposalId: BigInt(id),
            voter: first.account,
            option: VoteOption.VOTE_OPTION_NO,
            metadata: "",
          },
        },
      ],
      {
        amount: [{ denom: "anative", amount: "400000000000000" }],
        gas: "400000",
      },
    );
    client.disconnect();
    assert.equal(voted.code, 0, voted.rawLog);
    const vote = await precompile.getVote(id, first.address);
    assert.equal(vote.options[0].option, 3n);
    provider.destroy();
  });
});

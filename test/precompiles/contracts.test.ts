import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";

import hardhatViem from "@nomicfoundation/hardhat-viem";
import { Contract, VoidSigner, Wallet } from "ethers";
import type { NetworkConnection } from "hardhat/types/network";
import { getContract } from "viem";

import { parseAddress } from "../../src/address/index.js";
import {
  PRECOMPILE_ADDRESSES,
  type PrecompileName,
} from "../../src/precompiles/index.js";
import { ACCOUNTS, type Chain, KEYS, startChain } from "../helpers/chain.js";
import { compileWith, IMPORTS } from "./solidity.js";

/** Enough of the staking precompile to see what reaches it. */
const MOCK = `${IMPORTS}
contract Mock {
  address public delegator;
  string public validatorText;
  address public sender;

  function delegate(address delegatorAddress, string calldata validatorAddress, uint256 amount) external returns (bool) {
    require(amount > 0, "invalid delegation amount: invalid request");
    delegator = delegatorAddress;
    validatorText = validatorAddress;
    sender = msg.sender;
    emit IStaking.Delegate(delegatorAddress, address(0xbeef), amount, amount * 1e18);
    return true;
  }
  function delegation(address, string calldata validatorAddress) external pure returns (uint256, Coin memory) {
    return (bytes(validatorAddress).length, Coin(validatorAddress, 7));
  }
  function validator(address validatorAddress) external pure returns (IStaking.Validator memory v) {
    v.operatorAddress = "0xBEEF";
    v.status = IStaking.BondStatus.Bonded;
    v.description.moniker = "first";
    v.tokens = uint160(validatorAddress);
  }
  function redelegations(address, string calldata src, string calldata, PageRequest calldata)
    external pure returns (IStaking.RedelegationResponse[] memory r, PageResponse memory page)
  {
    r = new IStaking.RedelegationResponse[](1);
    r[0].redelegation.validatorSrcAddress = src;
    page.total = 5;
  }
  function setWithdrawAddress(address, string calldata withdrawerAddress) external returns (bool) {
    validatorText = withdrawerAddress;
    return true;
  }
}
contract User {
  function addresses() external pure returns (address[4] memory) {
    return [STAKING_ADDRESS, DISTRIBUTION_ADDRESS, GOVERNANCE_ADDRESS, address(BECH32)];
  }
}`;
const ELSEWHERE = "0x0000000000000000000000000000000000001234";
const VALIDATOR = parseAddress("0x00000000000000000000000000000000000000aa");
const FORMS = [VALIDATOR.hex, VALIDATOR.account, VALIDATOR.valoper];
const PAGE = {
  key: "0x",
  offset: 0,
  limit: 0,
  countTotal: false,
  reverse: false,
};

let mock: string;
let user: { abi: any[]; bytecode: string };

before(async () => {
  const { contracts, messages } = await compileWith("solc", MOCK);
  assert.deepEqual(messages, []);
  const { Mock, User } = contracts["User.sol"] ?? {};
  assert.ok(Mock !== undefined && User !== undefined);
  mock = `0x${Mock.evm.deployedBytecode.object}`;
  user = { abi: User.abi, bytecode: `0x${User.evm.bytecode.object}` };
});

interface Place {
  readonly network: string;
  setCode(address: string, code: string): Promise<unknown>;
}

describe("precompiles as ethers contracts", () => {
  let chain: Chain;
  let requests: string[] = [];

  before(async () => {
    chain = await startChain({
      config: {
        plugins: [hardhatViem],
        networks: { bare: { type: "edr-simulated", hardfork: "prague" } },
      },
    });
    chain.hre.hooks.registerHandlers("network", {
      onRequest: async (context, connection, request, next) => {
        requests.push(request.method);
        return await next(context, connection, request);
      },
    });
  });
  after(() => chain.close());

  const placeOf = (connection: NetworkConnection): Place => ({
    network: connection.networkName,
    setCode: (address, code) =>
      (connection.networkName === "bare"
        ? connection.provider
        : chain.node.chain
      ).request({
        method: "hardhat_setCode",
        params: [address, code],
      }),
  });

  for (const network of ["bare", "testnet"] as const) {
    describe(`on ${network === "bare" ? "a simulated network without emulation" : "a node over HTTP"}`, () => {
      let c: NetworkConnection;
      let place: Place;

      before(async () => {
        c = await chain.hre.network.create(network);
        place = placeOf(c);
      });
      beforeEach(async () => {
        await place.setCode(PRECOMPILE_ADDRESSES.staking, mock);
        requests = [];
      });
      after(() => c.close());

      const recorded = async () => {
        const contract = new Contract(
          PRECOMPILE_ADDRESSES.staking,
          [
            "function delegator() view returns (address)",
            "function validatorText() view returns (string)",
            "function sender() view returns (address)",
          ],
          c.ethers.provider,
        );
        return {
          delegator: await contract.getFunction("delegator").staticCall(),
          validator: await contract.getFunction("validatorText").staticCall(),
          sender: await contract.getFunction("sender").staticCall(),
        };
      };

      it("reads without asking for accounts, and keeps the names of the fields", async () => {
        const validator = await c.precompiles.staking.validator(VALIDATOR.hex);
        assert.equal(validator.operatorAddress, "0xBEEF");
        assert.equal(validator.description.moniker, "first");
        assert.equal(validator.status, 3n);
        assert.equal(validator.tokens, 0xaan);
        const { shares, balance } = await c.precompiles.staking.delegation(
          ACCOUNTS[0],
          VALIDATOR.hex,
        );
        assert.deepEqual(
          [shares, balance.amount],
          [BigInt(balance.denom.length), 7n],
        );
        // On a simulated network, Hardhat itself looks for a caller.
        const own = network === "bare" ? ["eth_accounts"] : [];
        assert.deepEqual(
          requests.filter(
            (method) => !["eth_chainId", ...own].includes(method),
          ),
          ["eth_call", "eth_call"],
        );
      });

      it("signs with the connection's first account, and gives the events", async () => {
        const { staking } = c.precompiles;
        const sent = await staking.delegate(ACCOUNTS[1], VALIDATOR.hex, 5n);
        const receipt = await sent.wait();
        assert.equal(receipt?.status, 1);
        assert.deepEqual(await recorded(), {
          delegator: ACCOUNTS[1],
          validator: VALIDATOR.valoper,
          sender: ACCOUNTS[0],
        });
        const [log] = await staking.queryFilter(
          staking.filters.Delegate(ACCOUNTS[1]),
          receipt?.blockNumber,
        );
        assert.equal(log?.args.delegatorAddress, ACCOUNTS[1]);
        assert.equal(log.args.newShares, 5n * 10n ** 18n);
        assert.equal(log.eventName, "Delegate");
        const none = await staking.queryFilter(
          staking.filters.Delegate(ACCOUNTS[0]),
          receipt?.blockNumber,
        );
        assert.deepEqual(none, []);
      });

      it("takes addresses in any form, wherever one is expected", async () => {
        const { staking } = c.precompiles;
        for (const form of FORMS) {
          assert.equal((await staking.validator(form)).tokens, 0xaan);
          assert.equal(
            (await staking.delegation(form, form)).balance.denom,
            VALIDATOR.valoper,
          );
          const { response } = await staking.redelegations(
            form,
            form,
            form,
            PAGE,
          );
          assert.equal(
            response[0]?.redelegation.validatorSrcAddress,
            VALIDATOR.valoper,
          );
        }
        // An empty text stands for any validator.
        const { response } = await staking.redelegations(
          FORMS[0] ?? "",
          "",
          "",
          PAGE,
        );
        assert.equal(response[0]?.redelegation.validatorSrcAddress, "");

        await (
          await staking.delegate(
            parseAddress(ACCOUNTS[1]).account,
            VALIDATOR.account,
            1n,
          )
        ).wait();
        assert.deepEqual(await recorded(), {
          delegator: ACCOUNTS[1],
          validator: VALIDATOR.valoper,
          sender: ACCOUNTS[0],
        });
        const logs = await staking.queryFilter(
          staking.filters.Delegate(parseAddress(ACCOUNTS[1]).account),
          0,
        );
        assert.ok(logs.length > 0);
      });

      it("takes the address that rewards are paid to in any form", async () => {
        await place.setCode(PRECOMPILE_ADDRESSES.distribution, mock);
        const { distribution } = c.precompiles;
        await (
          await distribution.setWithdrawAddress(ACCOUNTS[0], VALIDATOR.hex)
        ).wait();
        const contract = new Contract(
          PRECOMPILE_ADDRESSES.distribution,
          ["function validatorText() view returns (string)"],
          c.ethers.provider,
        );
        assert.equal(
          await contract.getFunction("validatorText").staticCall(),
          VALIDATOR.account,
        );
        await place.setCode(PRECOMPILE_ADDRESSES.distribution, "0x");
      });

      const wrong: Record<string, [string, RegExp]> = {
        "another chain's prefix": [
          parseAddress(VALIDATOR.hex, { prefix: "other" }).valoper,
          /prefix "othervaloper"; this chain's prefixes are cosmos and cosmosvaloper/,
        ],
        "a wrong bech32 checksum": [
          VALIDATOR.valoper.replace(/.$/, (c) => (c === "q" ? "p" : "q")),
          /wrong bech32 checksum/,
        ],
        "a wrong hex checksum": [
          "0xaBcDEF0000000000000000000000000000000012",
          /checksum/,
        ],
        "no address at all": [
          "validator one",
          /neither a hex nor a bech32 address/,
        ],
      };
      for (const [what, [text, message]] of Object.entries(wrong)) {
        it(`refuses ${what} before any request`, async () => {
          const { staking } = c.precompiles;
          await assert.rejects(staking.delegation(ACCOUNTS[0], text), message);
          await assert.rejects(
            staking.delegate(ACCOUNTS[0], text, 1n),
            message,
          );
          await assert.rejects(
            staking.delegate.estimateGas(ACCOUNTS[0], text, 1n),
            message,
          );
          await assert.rejects(staking.validator(text), message);
          assert.throws(() => c.dualstack.valoper(text), message);
          assert.deepEqual(requests, []);
        });
      }

      it("a revert keeps the chain's reason", async () => {
        await assert.rejects(
          c.precompiles.staking.delegate(ACCOUNTS[0], VALIDATOR.hex, 0n),
          /invalid delegation amount: invalid request/,
        );
        await assert.rejects(
          c.precompiles.staking.delegate.staticCall(
            ACCOUNTS[0],
            VALIDATOR.hex,
            0n,
          ),
          /invalid delegation amount: invalid request/,
        );
      });

      it("works the same for another signer, through connect and at", async () => {
        const wallet = new Wallet(KEYS[1], c.ethers.provider);
        const [, second] = await c.ethers.getSigners();
        assert.ok(second !== undefined);
        for (const staking of [
          c.precompiles.staking.connect(wallet),
          c.precompiles.at("staking", second),
          c.precompiles.at("staking", null).connect(wallet),
        ]) {
          await (
            await staking.delegate(
              parseAddress(wallet.address).account,
              VALIDATOR.account,
              2n,
            )
          ).wait();
          assert.deepEqual(await recorded(), {
            delegator: wallet.address,
            validator: VALIDATOR.valoper,
            sender: wallet.address,
          });
          assert.equal(
            (await staking.delegation(VALIDATOR.account, VALIDATOR.hex)).balance
              .denom,
            VALIDATOR.valoper,
          );
        }
      });

      it("names the precompiles when there is none of a name", () => {
        assert.throws(
          () => c.precompiles.at("mint" as "staking", null),
          /there is no precompile "mint" .*staking, distribution, governance/,
        );
      });

      it("only reads with a provider", async () => {
        const staking = c.precompiles.at("staking", c.ethers.provider);
        assert.equal(
          (await staking.validator(VALIDATOR.valoper)).tokens,
          0xaan,
        );
        await assert.rejects(
          staking.delegate(ACCOUNTS[0], VALIDATOR.hex, 1n),
          /no account to sign with/,
        );
        await assert.rejects(
          c.precompiles
            .at("staking", new VoidSigner(ACCOUNTS[0]))
            .validator(VALIDATOR.hex),
          /missing provider|has nothing that reads/,
        );
      });

      describe("where no precompile is at the address", () => {
        const nothing = new RegExp(
          `nothing lives at the address of this precompile.*${network}.*${PRECOMPILE_ADDRESSES.staking}.*dualstack\\.precompiles`,
        );
        beforeEach(async () => {
          await place.setCode(PRECOMPILE_ADDRESSES.staking, "0x");
          requests = [];
        });

        it("reads say so", async () => {
          await assert.rejects(
            c.precompiles.staking.validator(VALIDATOR.hex),
            nothing,
          );
          await assert.rejects(
            c.precompiles.staking.delegate.staticCall(
              ACCOUNTS[0],
              VALIDATOR.hex,
              1n,
            ),
            nothing,
          );
        });

        it("writes say so and send nothing, whoever signs", async () => {
          const wallet = new Wallet(KEYS[1], c.ethers.provider);
          for (const staking of [
            (await chain.hre.network.create(network)).precompiles.staking,
            c.precompiles.at("staking", wallet),
            c.precompiles.at("staking", null).connect(wallet),
          ]) {
            await assert.rejects(
              staking.delegate(ACCOUNTS[0], VALIDATOR.hex, 1n),
              nothing,
            );
            await assert.rejects(
              staking.delegate.estimateGas(ACCOUNTS[0], VALIDATOR.hex, 1n),
              nothing,
            );
          }
          assert.ok(
            !requests.some((method) => method.startsWith("eth_send")),
            requests.join(),
          );
        });

        for (const [name, call] of Object.entries({
          distribution: (p) => p.distribution.communityPool(),
          governance: (p) => p.governance.getParams(),
          bech32: (p) => p.bech32.bech32ToHex.staticCall(VALIDATOR.account),
        } satisfies Partial<
          Record<
            PrecompileName,
            (p: NetworkConnection["precompiles"]) => Promise<unknown>
          >
        >)) {
          it(`${name} too`, async () => {
            await assert.rejects(
              call(c.precompiles),
              /nothing lives at the address of this precompile/,
            );
          });
        }
      });

      it("the descriptors are viem's", async () => {
        const client = await c.viem.getPublicClient({
          chain: c.dualstack.viemChain,
        });
        const staking = getContract({
          ...c.precompiles.descriptors.staking,
          client,
        });
        const validator = await staking.read.validator([VALIDATOR.hex]);
        assert.equal(validator.operatorAddress, "0xBEEF");
        assert.equal(validator.status, 3);
      });
    });
  }

  it("the constants of the interfaces for contracts are this chain's addresses", async () => {
    const c = await chain.hre.network.create("bare");
    const factory = await c.ethers.getContractFactory(user.abi, user.bytecode);
    const deployed = await (await factory.deploy()).waitForDeployment();
    const { staking, distribution, governance, bech32 } = PRECOMPILE_ADDRESSES;
    assert.deepEqual(
      [...(await deployed.getFunction("addresses").staticCall())],
      [staking, distribution, governance, bech32],
    );
    await c.close();
  });
});

describe("precompiles of a chain with other settings", () => {
  it("have the configured address, ABI and prefix", async () => {
    const chain = await startChain({
      accounts: "none",
      config: {
        dualstack: {
          bech32Prefix: "dual",
          precompiles: {
            staking: { address: ELSEWHERE, abi: "string-description" },
            governance: {
              address: "0x0000000000000000000000000000000000000805",
            },
          },
        },
      },
    });
    try {
      const c = await chain.hre.network.create("testnet");
      const { descriptors } = c.precompiles;
      assert.equal(descriptors.staking.address, ELSEWHERE);
      assert.equal(
        descriptors.governance.address,
        "0x0000000000000000000000000000000000000805",
      );
      assert.equal(await c.precompiles.staking.getAddress(), ELSEWHERE);
      await assert.rejects(
        c.precompiles.staking.validator(VALIDATOR.hex),
        new RegExp(`nothing lives at the address.*${ELSEWHERE}`),
      );
      const old = await compileWith(
        "solc",
        `${IMPORTS}
        struct Old {
          string operatorAddress; string consensusPubkey; bool jailed; uint8 status; uint256 tokens; uint256 delegatorShares;
          string description; int64 unbondingHeight; int64 unbondingTime; uint256 commission; uint256 minSelfDelegation;
        }
        contract Mock {
          function validator(address) external pure returns (Old memory v) { v.description = "one text"; }
        }`,
      );
      const code =
        old.contracts["User.sol"]?.["Mock"]?.evm.deployedBytecode.object;
      await chain.node.chain.request({
        method: "hardhat_setCode",
        params: [ELSEWHERE, `0x${code}`],
      });
      const ours = parseAddress(VALIDATOR.hex, { prefix: "dual" });
      const validator: unknown = await c.precompiles.staking.validator(
        ours.valoper,
      );
      assert.equal(
        (validator as { description: string }).description,
        "one text",
      );
      await assert.rejects(
        c.precompiles.staking.validator(VALIDATOR.valoper),
        /this chain's prefixes are dual and dualvaloper/,
      );
      await c.close();
    } finally {
      await chain.close();
    }
  });

  it("have a whole ABI of the user's, even without our methods", async () => {
    const chain = await startChain({
      accounts: "none",
      config: {
        dualstack: {
          precompiles: {
            staking: {
              abi: [
                {
                  type: "function",
                  name: "stake",
                  stateMutability: "view",
                  inputs: [{ name: "validatorAddress", type: "string" }],
                  outputs: [{ name: "amount", type: "uint256" }],
                },
              ],
            },
          },
        },
      },
    });
    try {
      const c = await chain.hre.network.create("testnet");
      assert.equal(
        c.precompiles.staking.interface.getFunction("validators"),
        null,
      );
      await assert.rejects(
        c.precompiles.staking.getFunction("stake").staticCall(VALIDATOR.hex),
        /nothing lives at the address/,
      );
      await c.close();
    } finally {
      await chain.close();
    }
  });

  it("are read on a network without accounts, and ask for a key where one is needed", async () => {
    const chain = await startChain({ accounts: "none" });
    try {
      await chain.node.chain.request({
        method: "hardhat_setCode",
        params: [PRECOMPILE_ADDRESSES.staking, mock],
      });
      const c = await chain.hre.network.create("testnet");
      assert.equal(
        (await c.precompiles.staking.validator(VALIDATOR.hex)).operatorAddress,
        "0xBEEF",
      );
      assert.equal(chain.node.count("eth_accounts"), 0);
      await assert.rejects(
        c.precompiles.staking.delegate(ACCOUNTS[0], VALIDATOR.hex, 1n),
        /no account to sign with.*testnet.*DUALSTACK_PRIVATE_KEY/,
      );
      await c.close();
    } finally {
      await chain.close();
    }
  });
});

import { Interface, parseEther } from "ethers";

import { addressForms } from "../../src/address/codec.js";
import { DEFAULT_VALIDATORS } from "../../src/localnet/settings/defaults.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { stakingAbi } from "../../src/precompiles/index.js";
import { caller } from "./callers.js";
import {
  createNetwork,
  type LocalNetwork,
  type NetworkOptions,
} from "./network.js";

export const STAKING = PRECOMPILE_ADDRESSES.staking;
export const staking = new Interface(JSON.stringify(stakingAbi));
export const token = parseEther;

const bytes = (address: string) => Buffer.from(address.slice(2), "hex");
export const VALOPER = addressForms(
  bytes(DEFAULT_VALIDATORS[0]?.operator ?? ""),
  "hex",
  "cosmos",
).valoper;

export const balanceOf = async (
  { rpc }: Pick<LocalNetwork, "rpc">,
  address: string,
  block = "latest",
) => BigInt(await rpc("eth_getBalance", address, block));

export const stakeOf = async (
  { rpc }: Pick<LocalNetwork, "rpc">,
  delegator: string,
) => {
  const data = staking.encodeFunctionData("delegation", [delegator, VALOPER]);
  const answer = await rpc("eth_call", { to: STAKING, data }, "latest");
  return staking.decodeFunctionResult("delegation", answer)[1][1] as bigint;
};

export async function deploy(
  network: LocalNetwork,
  name: Parameters<typeof caller>[0],
  args: unknown[] = [],
  value = 0n,
) {
  const { abi, bytecode } = caller(name);
  const hash = await network.rpc("eth_sendTransaction", {
    from: network.accounts[0],
    value: `0x${value.toString(16)}`,
    data: bytecode + abi.encodeDeploy(args).slice(2),
  });
  const { contractAddress } = await network.rpc(
    "eth_getTransactionReceipt",
    hash,
  );
  const to = contractAddress as string;
  const request = (
    method: string,
    params: unknown[] = [],
    amount = 0n,
    from = network.accounts[0],
  ) => ({
    from,
    to,
    value: `0x${amount.toString(16)}`,
    data: abi.encodeFunctionData(method, params),
  });
  return {
    abi,
    address: to,
    request,
    send: async (
      method: string,
      params: unknown[] = [],
      amount = 0n,
      from?: string,
    ) =>
      await network.rpc(
        "eth_sendTransaction",
        request(method, params, amount, from),
      ),
    call: async (method: string, params: unknown[] = [], amount = 0n) =>
      abi.decodeFunctionResult(
        method,
        await network.rpc(
          "eth_call",
          request(method, params, amount),
          "latest",
        ),
      ),
  };
}

export const delegateRequest = (from: string | undefined, amount: bigint) => ({
  from,
  to: STAKING,
  data: staking.encodeFunctionData("delegate", [from, VALOPER, amount]),
});

/** Runs a test on a new network, and closes it. */
export async function using(
  options: NetworkOptions,
  run: (network: LocalNetwork) => Promise<void>,
): Promise<void> {
  const network = await createNetwork(options);
  try {
    await run(network);
  } finally {
    await network.close();
  }
}

export const NO_REWARDS = { settings: { rewardRate: 0 } } as const;

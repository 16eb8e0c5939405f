/** Compiled by types.test.ts, never run: precompiles in viem. */
import type { NetworkConnection } from "hardhat/types/network";
import {
  createPublicClient,
  createWalletClient,
  custom,
  getContract,
} from "viem";

import { toViemChain } from "../../src/chain/index.js";
import type {} from "../../src/index.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false;
declare function same<A, B>(equal: Equal<A, B>): void;

declare const connection: NetworkConnection;

export async function viem(): Promise<void> {
  const chain = toViemChain("testnet", {
    evmUrl: "https://testnet.dualstack.example/evm",
  });
  const reader = createPublicClient({
    chain,
    transport: custom(connection.provider),
  });
  const writer = createWalletClient({
    account: "0x0000000000000000000000000000000000000001",
    chain: connection.dualstack.viemChain,
    transport: custom(connection.provider),
  });
  const client = { public: reader, wallet: writer };

  for (const staking of [
    getContract({ ...connection.precompiles.descriptors.staking, client }),
    getContract({ ...PRECOMPILES.staking, client }),
  ]) {
    const validator = await staking.read.validator([
      "0x0000000000000000000000000000000000000001",
    ]);
    same<typeof validator.operatorAddress, string>(true);
    same<typeof validator.tokens, bigint>(true);
    same<typeof validator.status, number>(true);
    const hash = await staking.write.delegate([
      writer.account.address,
      "cosmosvaloper1…",
      1n,
    ]);
    same<typeof hash, `0x${string}`>(true);
    const logs = await staking.getEvents.Delegate({
      delegatorAddress: writer.account.address,
    });
    same<NonNullable<(typeof logs)[number]["args"]["newShares"]>, bigint>(true);

    const { address: account } = writer.account;
    // @ts-expect-error -- an amount is a bigint
    await staking.write.delegate([account, "cosmosvaloper1…", "1"]);
    // @ts-expect-error -- one argument is missing
    await staking.read.delegation([account]);
    // @ts-expect-error -- there is no such method
    await staking.read.stake([]);
    // @ts-expect-error -- a result has no such field
    void validator.operator;
  }
}

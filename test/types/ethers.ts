/**
 * Compiled by types.test.ts, never run: what the types of precompiles as
 * ethers contracts let through, and what they refuse.
 */
import type {
  ContractRunner,
  ContractTransactionResponse,
  Signer,
} from "ethers";
import type { NetworkConnection } from "hardhat/types/network";

import type {} from "../../src/index.js";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false;
declare function same<A, B>(equal: Equal<A, B>): void;

declare const connection: NetworkConnection;
declare const l1: NetworkConnection<"l1">;
declare const signer: Signer;
declare const runner: ContractRunner;

export async function methods(): Promise<void> {
  const { staking, distribution, governance, bech32 } = connection.precompiles;

  const response = await staking
    .delegate(signer, "cosmosvaloper1…", 10n ** 18n)
    .catch(() => undefined);
  void response;
  const sent = await staking.delegate("0x…", "cosmosvaloper1…", 1, {
    gasLimit: 200_000n,
  });
  same<typeof sent, ContractTransactionResponse>(true);
  const receipt = await sent.wait();
  void receipt?.status;

  const validator = await staking.validator("cosmosvaloper1…");
  same<typeof validator.operatorAddress, string>(true);
  same<typeof validator.status, bigint>(true);
  same<typeof validator.jailed, boolean>(true);
  same<typeof validator.description.securityContact, string>(true);
  same<typeof validator.unbondingTime, bigint>(true);

  const { shares, balance } = await staking.delegation("0x…", "0x…");
  same<typeof shares, bigint>(true);
  same<typeof balance.denom, string>(true);
  const [first, second] = await staking.delegation("0x…", "0x…", {
    blockTag: 5,
  });
  same<typeof first, bigint>(true);
  same<typeof second.amount, bigint>(true);

  const page = {
    key: "0x",
    offset: 0,
    limit: 10n,
    countTotal: true,
    reverse: false,
  };
  const { validators, pageResponse } = await staking.validators(
    "BOND_STATUS_BONDED",
    page,
  );
  same<(typeof validators)[number]["commission"], bigint>(true);
  same<typeof pageResponse.nextKey, string>(true);

  const completion = await staking.undelegate.staticCall("0x…", "0x…", 5n);
  same<typeof completion, bigint>(true);
  same<Awaited<ReturnType<typeof staking.delegate.estimateGas>>, bigint>(true);

  const rewards = await distribution.delegationRewards("0x…", "0x…");
  same<(typeof rewards)[number]["amount"], bigint>(true);
  same<(typeof rewards)[number]["precision"], bigint>(true);
  await distribution.fundCommunityPool("0x…", [
    { denom: "anative", amount: 5n },
  ]);

  const proposal = await governance.getProposal(1);
  same<typeof proposal.finalTallyResult.noWithVeto, string>(true);
  same<typeof proposal.proposer, `0x${string}`>(true);
  await governance.voteWeighted("0x…", 1n, [{ option: 1, weight: "1.0" }], "");
  same<Awaited<ReturnType<typeof bech32.hexToBech32.staticCall>>, string>(true);

  // Another signer, and every chain type.
  await staking.connect(signer).delegate("0x…", "0x…", 1n);
  await connection.precompiles.at("governance", runner).vote("0x…", 1n, 1, "");
  same<typeof l1.precompiles.staking, typeof staking>(true);
}

export async function events(): Promise<void> {
  const { staking } = connection.precompiles;
  for (const { args, eventName, transactionHash } of await staking.queryFilter(
    "Delegate",
    0,
    "latest",
  )) {
    same<typeof eventName, "Delegate">(true);
    same<typeof args.delegatorAddress, `0x${string}`>(true);
    same<typeof args.newShares, bigint>(true);
    same<(typeof args)[2], bigint>(true);
    same<typeof transactionHash, string>(true);
  }
  const filter = staking.filters.Unbond(null, "cosmosvaloper1…");
  const [log] = await staking.queryFilter(filter);
  same<NonNullable<typeof log>["args"]["completionTime"], bigint>(true);
  await staking.on(
    "Redelegate",
    (delegator, source, destination, amount, time, payload) => {
      same<typeof delegator, `0x${string}`>(true);
      same<typeof amount, bigint>(true);
      void [source, destination, time, payload.log.blockNumber];
    },
  );
}

export async function refused(): Promise<void> {
  const { staking, distribution, governance } = connection.precompiles;
  // @ts-expect-error -- an amount is a number
  await staking.delegate("0x…", "0x…", "1");
  // @ts-expect-error -- one argument is missing
  await staking.delegate("0x…", "0x…");
  // @ts-expect-error -- no method takes a value
  await staking.delegate("0x…", "0x…", 1n, { value: 1n });
  // @ts-expect-error -- there is no such method
  await staking.stake("0x…");
  // @ts-expect-error -- a field is missing
  await staking.validators("", {
    key: "0x",
    offset: 0,
    limit: 1,
    countTotal: true,
  });
  // @ts-expect-error -- a coin has a denomination
  await distribution.fundCommunityPool("0x…", [{ amount: 1n }]);
  // @ts-expect-error -- the vote comes last but one
  await governance.vote(1n, "0x…", 1, "");
  // @ts-expect-error -- a result has no such field
  void (await staking.validator("0x…")).operator;
  // @ts-expect-error -- there is no such event
  await staking.queryFilter("Delegated");
  // @ts-expect-error -- an event has no such argument
  void (await staking.queryFilter("Delegate"))[0]?.args.validator;
  // @ts-expect-error -- there is no such precompile
  connection.precompiles.at("vesting", runner);
  // @ts-expect-error -- a view is not sent
  await staking.validator.send("0x…");
}

export async function byName(): Promise<void> {
  const { ethers, precompiles } = connection;
  const staking = await ethers.getContractAt("IStaking", "0x…");
  same<typeof staking, typeof precompiles.staking>(true);
  const bech32 = await ethers.getContractAt("IBech32", "0x…", signer);
  same<typeof bech32, typeof precompiles.bech32>(true);
  const own = await ethers.getContractAt("Own", "0x…");
  await own.getFunction("anything")();
  // @ts-expect-error -- no method of the precompile
  void staking.anything;
}

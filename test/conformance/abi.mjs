// Human-readable ABIs of the precompiles (generated once from the abi.json files of cosmos/evm), and decoding helpers
// that keep struct field names and turn every integer into a decimal string.
import { AbiCoder, Interface } from "ethers";

export const ABI = {
  staking: [
    "event CancelUnbondingDelegation(address indexed delegatorAddress, address indexed validatorAddress, uint256 amount, uint256 creationHeight)",
    "event CreateValidator(address indexed validatorAddress, uint256 value)",
    "event Delegate(address indexed delegatorAddress, address indexed validatorAddress, uint256 amount, uint256 newShares)",
    "event EditValidator(address indexed validatorAddress, int256 commissionRate, int256 minSelfDelegation)",
    "event Redelegate(address indexed delegatorAddress, address indexed validatorSrcAddress, address indexed validatorDstAddress, uint256 amount, uint256 completionTime)",
    "event Unbond(address indexed delegatorAddress, address indexed validatorAddress, uint256 amount, uint256 completionTime)",
    "function cancelUnbondingDelegation(address delegatorAddress, string validatorAddress, uint256 amount, uint256 creationHeight) returns (bool success)",
    "function createValidator((string moniker, string identity, string website, string securityContact, string details) description, (uint256 rate, uint256 maxRate, uint256 maxChangeRate) commissionRates, uint256 minSelfDelegation, address validatorAddress, string pubkey, uint256 value) returns (bool success)",
    "function delegate(address delegatorAddress, string validatorAddress, uint256 amount) returns (bool success)",
    "function delegation(address delegatorAddress, string validatorAddress) view returns (uint256 shares, (string denom, uint256 amount) balance)",
    "function editValidator((string moniker, string identity, string website, string securityContact, string details) description, address validatorAddress, int256 commissionRate, int256 minSelfDelegation) returns (bool success)",
    "function redelegate(address delegatorAddress, string validatorSrcAddress, string validatorDstAddress, uint256 amount) returns (int64 completionTime)",
    "function redelegation(address delegatorAddress, string srcValidatorAddress, string dstValidatorAddress) view returns ((string delegatorAddress, string validatorSrcAddress, string validatorDstAddress, (int64 creationHeight, int64 completionTime, uint256 initialBalance, uint256 sharesDst)[] entries) redelegation)",
    "function redelegations(address delegatorAddress, string srcValidatorAddress, string dstValidatorAddress, (bytes key, uint64 offset, uint64 limit, bool countTotal, bool reverse) pageRequest) view returns (((string delegatorAddress, string validatorSrcAddress, string validatorDstAddress, (int64 creationHeight, int64 completionTime, uint256 initialBalance, uint256 sharesDst)[] entries) redelegation, ((int64 creationHeight, int64 completionTime, uint256 initialBalance, uint256 sharesDst) redelegationEntry, uint256 balance)[] entries)[] response, (bytes nextKey, uint64 total) pageResponse)",
    "function unbondingDelegation(address delegatorAddress, string validatorAddress) view returns ((string delegatorAddress, string validatorAddress, (int64 creationHeight, int64 completionTime, uint256 initialBalance, uint256 balance, uint64 unbondingId, int64 unbondingOnHoldRefCount)[] entries) unbondingDelegation)",
    "function undelegate(address delegatorAddress, string validatorAddress, uint256 amount) returns (int64 completionTime)",
    "function validator(address validatorAddress) view returns ((string operatorAddress, string consensusPubkey, bool jailed, uint8 status, uint256 tokens, uint256 delegatorShares, (string moniker, string identity, string website, string securityContact, string details) description, int64 unbondingHeight, int64 unbondingTime, uint256 commission, uint256 minSelfDelegation) validator)",
    "function validators(string status, (bytes key, uint64 offset, uint64 limit, bool countTotal, bool reverse) pageRequest) view returns ((string operatorAddress, string consensusPubkey, bool jailed, uint8 status, uint256 tokens, uint256 delegatorShares, (string moniker, string identity, string website, string securityContact, string details) description, int64 unbondingHeight, int64 unbondingTime, uint256 commission, uint256 minSelfDelegation)[] validators, (bytes nextKey, uint64 total) pageResponse)",
  ],
  distribution: [
    "event ClaimRewards(address indexed delegatorAddress, uint256 amount)",
    "event DepositValidatorRewardsPool(address indexed depositor, address indexed validatorAddress, string denom, uint256 amount)",
    "event FundCommunityPool(address indexed depositor, string denom, uint256 amount)",
    "event SetWithdrawerAddress(address indexed caller, string withdrawerAddress)",
    "event WithdrawDelegatorReward(address indexed delegatorAddress, address indexed validatorAddress, uint256 amount)",
    "event WithdrawValidatorCommission(string indexed validatorAddress, uint256 commission)",
    "function claimRewards(address delegatorAddress, uint32 maxRetrieve) returns (bool success)",
    "function communityPool() view returns ((string denom, uint256 amount, uint8 precision)[] coins)",
    "function delegationRewards(address delegatorAddress, string validatorAddress) view returns ((string denom, uint256 amount, uint8 precision)[] rewards)",
    "function delegationTotalRewards(address delegatorAddress) view returns ((string validatorAddress, (string denom, uint256 amount, uint8 precision)[] reward)[] rewards, (string denom, uint256 amount, uint8 precision)[] total)",
    "function delegatorValidators(address delegatorAddress) view returns (string[] validators)",
    "function delegatorWithdrawAddress(address delegatorAddress) view returns (string withdrawAddress)",
    "function depositValidatorRewardsPool(address depositor, string validatorAddress, (string denom, uint256 amount)[] amount) returns (bool success)",
    "function fundCommunityPool(address depositor, (string denom, uint256 amount)[] amount) returns (bool success)",
    "function setWithdrawAddress(address delegatorAddress, string withdrawerAddress) returns (bool success)",
    "function validatorCommission(string validatorAddress) view returns ((string denom, uint256 amount, uint8 precision)[] commission)",
    "function validatorDistributionInfo(string validatorAddress) view returns ((string operatorAddress, (string denom, uint256 amount, uint8 precision)[] selfBondRewards, (string denom, uint256 amount, uint8 precision)[] commission) distributionInfo)",
    "function validatorOutstandingRewards(string validatorAddress) view returns ((string denom, uint256 amount, uint8 precision)[] rewards)",
    "function validatorSlashes(string validatorAddress, uint64 startingHeight, uint64 endingHeight, (bytes key, uint64 offset, uint64 limit, bool countTotal, bool reverse) pageRequest) view returns ((uint64 validatorPeriod, (uint256 value, uint8 precision) fraction)[] slashes, (bytes nextKey, uint64 total) pageResponse)",
    "function withdrawDelegatorRewards(address delegatorAddress, string validatorAddress) returns ((string denom, uint256 amount)[] amount)",
    "function withdrawValidatorCommission(string validatorAddress) returns ((string denom, uint256 amount)[] amount)",
  ],
  gov: [
    "event CancelProposal(address indexed proposer, uint64 proposalId)",
    "event Deposit(address indexed depositor, uint64 proposalId, (string denom, uint256 amount)[] amount)",
    "event SubmitProposal(address indexed proposer, uint64 proposalId)",
    "event Vote(address indexed voter, uint64 proposalId, uint8 option)",
    "event VoteWeighted(address indexed voter, uint64 proposalId, (uint8 option, string weight)[] options)",
    "function cancelProposal(address proposer, uint64 proposalId) returns (bool success)",
    "function deposit(address depositor, uint64 proposalId, (string denom, uint256 amount)[] amount) returns (bool success)",
    "function getConstitution() view returns (string constitution)",
    "function getDeposit(uint64 proposalId, address depositor) view returns ((uint64 proposalId, address depositor, (string denom, uint256 amount)[] amount) deposit)",
    "function getDeposits(uint64 proposalId, (bytes key, uint64 offset, uint64 limit, bool countTotal, bool reverse) pagination) view returns ((uint64 proposalId, address depositor, (string denom, uint256 amount)[] amount)[] deposits, (bytes nextKey, uint64 total) pageResponse)",
    "function getParams() view returns ((int64 votingPeriod, (string denom, uint256 amount)[] minDeposit, int64 maxDepositPeriod, string quorum, string threshold, string vetoThreshold, string minInitialDepositRatio, string proposalCancelRatio, string proposalCancelDest, int64 expeditedVotingPeriod, string expeditedThreshold, (string denom, uint256 amount)[] expeditedMinDeposit, bool burnVoteQuorum, bool burnProposalDepositPrevote, bool burnVoteVeto, string minDepositRatio) params)",
    "function getProposal(uint64 proposalId) view returns ((uint64 id, string[] messages, uint32 status, (string yes, string abstain, string no, string noWithVeto) finalTallyResult, uint64 submitTime, uint64 depositEndTime, (string denom, uint256 amount)[] totalDeposit, uint64 votingStartTime, uint64 votingEndTime, string metadata, string title, string summary, address proposer) proposal)",
    "function getProposals(uint32 proposalStatus, address voter, address depositor, (bytes key, uint64 offset, uint64 limit, bool countTotal, bool reverse) pagination) view returns ((uint64 id, string[] messages, uint32 status, (string yes, string abstain, string no, string noWithVeto) finalTallyResult, uint64 submitTime, uint64 depositEndTime, (string denom, uint256 amount)[] totalDeposit, uint64 votingStartTime, uint64 votingEndTime, string metadata, string title, string summary, address proposer)[] proposals, (bytes nextKey, uint64 total) pageResponse)",
    "function getTallyResult(uint64 proposalId) view returns ((string yes, string abstain, string no, string noWithVeto) tallyResult)",
    "function getVote(uint64 proposalId, address voter) view returns ((uint64 proposalId, address voter, (uint8 option, string weight)[] options, string metadata) vote)",
    "function getVotes(uint64 proposalId, (bytes key, uint64 offset, uint64 limit, bool countTotal, bool reverse) pagination) view returns ((uint64 proposalId, address voter, (uint8 option, string weight)[] options, string metadata)[] votes, (bytes nextKey, uint64 total) pageResponse)",
    "function submitProposal(address proposer, bytes jsonProposal, (string denom, uint256 amount)[] deposit) returns (uint64 proposalId)",
    "function vote(address voter, uint64 proposalId, uint8 option, string metadata) returns (bool success)",
    "function voteWeighted(address voter, uint64 proposalId, (uint8 option, string weight)[] options, string metadata) returns (bool success)",
  ],
  bank: [
    "function balances(address account) view returns ((address contractAddress, uint256 amount)[] balances)",
    "function supplyOf(address erc20Address) view returns (uint256 totalSupply)",
    "function totalSupply() view returns ((address contractAddress, uint256 amount)[] totalSupply)",
  ],
  slashing: [
    "event ValidatorUnjailed(address indexed validator)",
    "function getParams() view returns ((int64 signedBlocksWindow, (uint256 value, uint8 precision) minSignedPerWindow, int64 downtimeJailDuration, (uint256 value, uint8 precision) slashFractionDoubleSign, (uint256 value, uint8 precision) slashFractionDowntime) params)",
    "function getSigningInfo(address consAddress) view returns ((address validatorAddress, int64 startHeight, int64 indexOffset, int64 jailedUntil, bool tombstoned, int64 missedBlocksCounter) signingInfo)",
    "function getSigningInfos((bytes key, uint64 offset, uint64 limit, bool countTotal, bool reverse) pagination) view returns ((address validatorAddress, int64 startHeight, int64 indexOffset, int64 jailedUntil, bool tombstoned, int64 missedBlocksCounter)[] signingInfos, (bytes nextKey, uint64 total) pageResponse)",
    "function unjail(address validatorAddress) returns (bool success)",
  ],
  bech32: [
    "function bech32ToHex(string bech32Address) returns (address addr)",
    "function hexToBech32(address addr, string prefix) returns (string bech32Address)",
  ],
};

export const IFACES = Object.fromEntries(
  Object.entries(ABI).map(([k, v]) => [k, new Interface(v)]),
);

const coder = AbiCoder.defaultAbiCoder();
const ERROR_STRING = "0x08c379a0";
const PANIC = "0x4e487b71";

/** One decoded ABI value -> plain JSON. */
export function plain(type, value) {
  if (value && typeof value === "object" && value._isIndexed)
    return { indexedHash: value.hash };
  if (type.baseType === "array")
    return Array.from(value, (v) => plain(type.arrayChildren, v));
  if (type.baseType === "tuple") return named(type.components, value);
  if (typeof value === "bigint" || typeof value === "number")
    return value.toString();
  return value; // bool, string, address, bytes
}

/** A decoded list -> object keyed by the parameter names of the ABI. */
export function named(types, values) {
  const o = {};
  types.forEach((t, i) => (o[t.name || `_${i}`] = plain(t, values[i])));
  return o;
}

/**
 * Return data of `fn`. canonical: encoding the decoded values again gives the same bytes, so nothing is hidden by
 * comparing the decoded form only.
 */
export function decodeReturn(fn, raw) {
  if (raw === "0x" && fn.outputs.length) return { raw, undecodable: "empty" };
  try {
    const v = coder.decode(fn.outputs, raw);
    return {
      raw,
      value: named(fn.outputs, v),
      canonical: coder.encode(fn.outputs, v.toArray(true)) === raw,
    };
  } catch (e) {
    return { raw, undecodable: short(e) };
  }
}

/** Revert data. kind: none (no data), Error, Panic, other. */
export function decodeRevert(raw) {
  if (!raw || raw === "0x") return { raw: "0x", kind: "none" };
  for (const [sel, kind, t] of [
    [ERROR_STRING, "Error", "string"],
    [PANIC, "Panic", "uint256"],
  ]) {
    if (!raw.startsWith(sel)) continue;
    try {
      const body = "0x" + raw.slice(10);
      const [v] = coder.decode([t], body);
      return {
        raw,
        kind,
        reason: v.toString(),
        canonical: coder.encode([t], [v]) === body,
      };
    } catch {
      /* other */
    }
  }
  return { raw, kind: "other" };
}

/** Decodes what a probe got back from an inner call of `inner`, or of the first of several candidates that fits. */
export function decodeInner(raw, ok, inner) {
  if (ok === false || raw.startsWith(ERROR_STRING) || raw.startsWith(PANIC))
    return { revert: decodeRevert(raw) };
  for (const c of [inner].flat().filter((c) => c?.iface && c.fn)) {
    const fn = IFACES[c.iface]?.getFunction(c.fn);
    const r = fn && decodeReturn(fn, raw);
    if (r?.value) return r;
  }
  return { raw };
}

export function decodeLog(iface, log) {
  try {
    const p = iface?.parseLog({ topics: log.topics, data: log.data });
    if (!p) return {};
    const enc = iface.encodeEventLog(
      p.fragment,
      p.args.map((a) => (a && a._isIndexed ? a.hash : a)),
    );
    return {
      event: p.name,
      args: named(p.fragment.inputs, p.args),
      canonical: enc.data === log.data,
    };
  } catch (e) {
    return { undecodable: short(e) };
  }
}

export const short = (e) =>
  String(e?.shortMessage ?? e?.message ?? e).slice(0, 300);

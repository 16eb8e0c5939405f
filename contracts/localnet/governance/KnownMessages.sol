// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

// The types of messages that a proposal may contain, looked up when it is submitted.

/// What the chain knows about a message type.
struct Known {
    string typeUrl;
    string goType;
    string signerField;
    string fields;
}

/// The messages that a chain of this kind can decode, by number. Stored proposals contain the numbers.
library KnownMessages {
    uint8 internal constant SEND = 1;
    uint8 internal constant MULTI_SEND = 2;
    uint8 internal constant SPEND_POOL = 5;
    uint8 internal constant FUND_POOL = 6;
    uint8 internal constant DISTRIBUTION_PARAMS = 10;
    uint8 internal constant STAKING_PARAMS = 14;
    uint8 internal constant SLASHING_PARAMS = 15;
    uint8 internal constant CONSENSUS_PARAMS = 18;
    uint8 internal constant GOVERNANCE_PARAMS = 21;
    uint8 internal constant LEGACY_CONTENT = 22;
    uint8 internal constant FEE_MARKET_PARAMS = 27;
    /// An unknown message of a forked chain, of which only the type URL is stored.
    uint8 internal constant OTHER = 255;

    /// 0: no such message.
    function indexOf(string memory typeUrl) internal pure returns (uint8) {
        bytes32 hash = keccak256(bytes(typeUrl));
        if (hash == keccak256("/cosmos.bank.v1beta1.MsgSend")) return 1;
        if (hash == keccak256("/cosmos.bank.v1beta1.MsgMultiSend")) return 2;
        if (hash == keccak256("/cosmos.bank.v1beta1.MsgUpdateParams")) return 3;
        if (hash == keccak256("/cosmos.bank.v1beta1.MsgSetSendEnabled")) return 4;
        if (hash == keccak256("/cosmos.distribution.v1beta1.MsgCommunityPoolSpend")) return 5;
        if (hash == keccak256("/cosmos.distribution.v1beta1.MsgFundCommunityPool")) return 6;
        if (hash == keccak256("/cosmos.distribution.v1beta1.MsgDepositValidatorRewardsPool")) return 7;
        if (hash == keccak256("/cosmos.distribution.v1beta1.MsgSetWithdrawAddress")) return 8;
        if (hash == keccak256("/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward")) return 9;
        if (hash == keccak256("/cosmos.distribution.v1beta1.MsgUpdateParams")) return 10;
        if (hash == keccak256("/cosmos.staking.v1beta1.MsgDelegate")) return 11;
        if (hash == keccak256("/cosmos.staking.v1beta1.MsgUndelegate")) return 12;
        if (hash == keccak256("/cosmos.staking.v1beta1.MsgBeginRedelegate")) return 13;
        if (hash == keccak256("/cosmos.staking.v1beta1.MsgUpdateParams")) return 14;
        if (hash == keccak256("/cosmos.slashing.v1beta1.MsgUpdateParams")) return 15;
        if (hash == keccak256("/cosmos.mint.v1beta1.MsgUpdateParams")) return 16;
        if (hash == keccak256("/cosmos.auth.v1beta1.MsgUpdateParams")) return 17;
        if (hash == keccak256("/cosmos.consensus.v1.MsgUpdateParams")) return 18;
        if (hash == keccak256("/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade")) return 19;
        if (hash == keccak256("/cosmos.upgrade.v1beta1.MsgCancelUpgrade")) return 20;
        if (hash == keccak256("/cosmos.gov.v1.MsgUpdateParams")) return 21;
        if (hash == keccak256("/cosmos.gov.v1.MsgExecLegacyContent")) return 22;
        if (hash == keccak256("/cosmos.gov.v1.MsgVote")) return 23;
        if (hash == keccak256("/cosmos.gov.v1.MsgDeposit")) return 24;
        if (hash == keccak256("/cosmos.evm.vm.v1.MsgUpdateParams")) return 25;
        if (hash == keccak256("/cosmos.evm.vm.v1.MsgRegisterPreinstalls")) return 26;
        if (hash == keccak256("/cosmos.evm.feemarket.v1.MsgUpdateParams")) return 27;
        if (hash == keccak256("/cosmos.evm.erc20.v1.MsgUpdateParams")) return 28;
        if (hash == keccak256("/cosmos.evm.erc20.v1.MsgRegisterERC20")) return 29;
        if (hash == keccak256("/cosmos.evm.erc20.v1.MsgToggleConversion")) return 30;
        if (hash == keccak256("/cosmos.gov.v1.MsgVoteWeighted")) return 31;
        if (hash == keccak256("/cosmos.gov.v1.MsgCancelProposal")) return 32;
        if (hash == keccak256("/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation")) return 33;
        if (hash == keccak256("/cosmos.authz.v1beta1.MsgGrant")) return 34;
        if (hash == keccak256("/cosmos.authz.v1beta1.MsgExec")) return 35;
        if (hash == keccak256("/cosmos.authz.v1beta1.MsgRevoke")) return 36;
        if (hash == keccak256("/cosmos.feegrant.v1beta1.MsgGrantAllowance")) return 37;
        if (hash == keccak256("/cosmos.feegrant.v1beta1.MsgRevokeAllowance")) return 38;
        if (hash == keccak256("/cosmos.evm.erc20.v1.MsgConvertERC20")) return 39;
        if (hash == keccak256("/cosmos.evm.erc20.v1.MsgConvertCoin")) return 40;
        return 0;
    }

    function at(uint8 index) internal pure returns (Known memory) {
        if (index == 1) return Known("/cosmos.bank.v1beta1.MsgSend", "types.MsgSend", "from_address", "from_address,to_address,amount");
        if (index == 2) return Known("/cosmos.bank.v1beta1.MsgMultiSend", "types.MsgMultiSend", "inputs", "inputs,outputs");
        if (index == 3) return Known("/cosmos.bank.v1beta1.MsgUpdateParams", "types.MsgUpdateParams", "authority", "authority,params");
        if (index == 4) return Known("/cosmos.bank.v1beta1.MsgSetSendEnabled", "types.MsgSetSendEnabled", "authority", "authority,send_enabled,use_default_for");
        if (index == 5) return Known("/cosmos.distribution.v1beta1.MsgCommunityPoolSpend", "types.MsgCommunityPoolSpend", "authority", "authority,recipient,amount");
        if (index == 6) return Known("/cosmos.distribution.v1beta1.MsgFundCommunityPool", "types.MsgFundCommunityPool", "depositor", "amount,depositor");
        if (index == 7) return Known("/cosmos.distribution.v1beta1.MsgDepositValidatorRewardsPool", "types.MsgDepositValidatorRewardsPool", "depositor", "depositor,validator_address,amount");
        if (index == 8) return Known("/cosmos.distribution.v1beta1.MsgSetWithdrawAddress", "types.MsgSetWithdrawAddress", "delegator_address", "delegator_address,withdraw_address");
        if (index == 9) return Known("/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward", "types.MsgWithdrawDelegatorReward", "delegator_address", "delegator_address,validator_address");
        if (index == 10) return Known("/cosmos.distribution.v1beta1.MsgUpdateParams", "types.MsgUpdateParams", "authority", "authority,params");
        if (index == 11) return Known("/cosmos.staking.v1beta1.MsgDelegate", "types.MsgDelegate", "delegator_address", "delegator_address,validator_address,amount");
        if (index == 12) return Known("/cosmos.staking.v1beta1.MsgUndelegate", "types.MsgUndelegate", "delegator_address", "delegator_address,validator_address,amount");
        if (index == 13) return Known("/cosmos.staking.v1beta1.MsgBeginRedelegate", "types.MsgBeginRedelegate", "delegator_address", "delegator_address,validator_src_address,validator_dst_address,amount");
        if (index == 14) return Known("/cosmos.staking.v1beta1.MsgUpdateParams", "types.MsgUpdateParams", "authority", "authority,params");
        if (index == 15) return Known("/cosmos.slashing.v1beta1.MsgUpdateParams", "types.MsgUpdateParams", "authority", "authority,params");
        if (index == 16) return Known("/cosmos.mint.v1beta1.MsgUpdateParams", "types.MsgUpdateParams", "authority", "authority,params");
        if (index == 17) return Known("/cosmos.auth.v1beta1.MsgUpdateParams", "types.MsgUpdateParams", "authority", "authority,params");
        if (index == 18) return Known("/cosmos.consensus.v1.MsgUpdateParams", "types.MsgUpdateParams", "authority", "authority,block,evidence,validator,abci");
        if (index == 19) return Known("/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade", "types.MsgSoftwareUpgrade", "authority", "authority,plan");
        if (index == 20) return Known("/cosmos.upgrade.v1beta1.MsgCancelUpgrade", "types.MsgCancelUpgrade", "authority", "authority");
        if (index == 21) return Known("/cosmos.gov.v1.MsgUpdateParams", "v1.MsgUpdateParams", "authority", "authority,params");
        if (index == 22) return Known("/cosmos.gov.v1.MsgExecLegacyContent", "v1.MsgExecLegacyContent", "authority", "content,authority");
        if (index == 23) return Known("/cosmos.gov.v1.MsgVote", "v1.MsgVote", "voter", "proposal_id,voter,option,metadata");
        if (index == 24) return Known("/cosmos.gov.v1.MsgDeposit", "v1.MsgDeposit", "depositor", "proposal_id,depositor,amount");
        if (index == 25) return Known("/cosmos.evm.vm.v1.MsgUpdateParams", "types.MsgUpdateParams", "authority", "authority,params");
        if (index == 26) return Known("/cosmos.evm.vm.v1.MsgRegisterPreinstalls", "types.MsgRegisterPreinstalls", "authority", "authority,preinstalls");
        if (index == 27) return Known("/cosmos.evm.feemarket.v1.MsgUpdateParams", "types.MsgUpdateParams", "authority", "authority,params");
        if (index == 28) return Known("/cosmos.evm.erc20.v1.MsgUpdateParams", "types.MsgUpdateParams", "authority", "authority,params");
        if (index == 29) return Known("/cosmos.evm.erc20.v1.MsgRegisterERC20", "types.MsgRegisterERC20", "signer", "signer,erc20addresses");
        if (index == 30) return Known("/cosmos.evm.erc20.v1.MsgToggleConversion", "types.MsgToggleConversion", "authority", "authority,token");
        if (index == 31) return Known("/cosmos.gov.v1.MsgVoteWeighted", "v1.MsgVoteWeighted", "voter", "proposal_id,voter,options,metadata");
        if (index == 32) return Known("/cosmos.gov.v1.MsgCancelProposal", "v1.MsgCancelProposal", "proposer", "proposal_id,proposer");
        if (index == 33) return Known("/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation", "types.MsgCancelUnbondingDelegation", "delegator_address", "delegator_address,validator_address,amount,creation_height");
        if (index == 34) return Known("/cosmos.authz.v1beta1.MsgGrant", "authz.MsgGrant", "granter", "granter,grantee,grant");
        if (index == 35) return Known("/cosmos.authz.v1beta1.MsgExec", "authz.MsgExec", "grantee", "grantee,msgs");
        if (index == 36) return Known("/cosmos.authz.v1beta1.MsgRevoke", "authz.MsgRevoke", "granter", "granter,grantee,msg_type_url");
        if (index == 37) return Known("/cosmos.feegrant.v1beta1.MsgGrantAllowance", "feegrant.MsgGrantAllowance", "granter", "granter,grantee,allowance");
        if (index == 38) return Known("/cosmos.feegrant.v1beta1.MsgRevokeAllowance", "feegrant.MsgRevokeAllowance", "granter", "granter,grantee");
        if (index == 39) return Known("/cosmos.evm.erc20.v1.MsgConvertERC20", "types.MsgConvertERC20", "sender", "contract_address,amount,receiver,sender");
        return Known("/cosmos.evm.erc20.v1.MsgConvertCoin", "types.MsgConvertCoin", "sender", "coin,receiver,sender");
    }
}

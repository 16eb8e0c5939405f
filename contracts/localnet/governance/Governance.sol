// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IGovernance} from "../../IGovernance.sol";
import {Coin} from "../../Types.sol";
import {Abi} from "../codec/Abi.sol";
import {AcceptedMessages} from "./AcceptedMessages.sol";
import {Account} from "../codec/Account.sol";
import {GovernanceViews} from "./GovernanceViews.sol";
import {Math} from "../common/Math.sol";
import {Messages, Proposal} from "./Messages.sol";
import {Module} from "../common/Module.sol";
import {Text} from "../codec/Text.sol";
import {Clock, GOVERNANCE_ACCOUNT, ONE, WeightedVoteOption} from "../common/Types.sol";

/// The governance precompile: its transactions, from arguments to events and answers.
contract Governance is GovernanceViews {
    event VoteWeighted(address indexed voter, uint64 proposalId, WeightedVoteOption[] options);

    uint256 private constant MAX_METADATA = 255;
    uint256 private constant MAX_SUMMARY = 40 * MAX_METADATA;

    constructor(address staking_, address distribution, address governance) Module(staking_, distribution, governance) {}

    function kindOf(bytes4 s) internal pure override returns (Kind) {
        if (
            s == IGovernance.submitProposal.selector || s == IGovernance.deposit.selector
            || s == IGovernance.cancelProposal.selector || s == IGovernance.vote.selector || s == IGovernance.voteWeighted.selector
        ) return Kind.Transaction;
        return isView(s) ? Kind.View : Kind.Unknown;
    }

    function run(bytes4 s, bytes memory args) internal override returns (bytes memory) {
        if (s == IGovernance.submitProposal.selector) return submitProposal(args);
        if (s == IGovernance.deposit.selector) return deposit(args);
        if (s == IGovernance.cancelProposal.selector) return cancelProposal(args);
        if (s == IGovernance.vote.selector) return vote(args);
        if (s == IGovernance.voteWeighted.selector) return voteWeighted(args);
        return answer(s, args);
    }

    function clock() private view returns (Clock memory) {
        return Clock(uint64(block.number), uint64(block.timestamp));
    }

    // ---- deposits

    function requireDenoms(Coin[] memory coins) private pure {
        (bool ok,) = sortCoins(coins);
        if (!ok) Text.fail("invalid deposits deposit arg ");
    }

    function requireDepositDenom(Coin[] memory coins) private pure {
        string memory native = chainDenom();
        for (uint256 i = 0; i < coins.length; i++) {
            if (Text.equal(coins[i].denom, native)) continue;
            Text.fail(
                string.concat(
                    "deposited ", coinsText(coins), ", but gov accepts only the following denom(s): [", native, "]: invalid deposit denom"
                )
            );
        }
    }

    function addDeposit(uint64 id, address depositor, Coin[] memory coins) private {
        uint256 amount = coins.length == 0 ? 0 : coins[0].amount;
        uint256 least = Math.mul(minDeposit(proposals[id].expedited) * ONE, params.minDepositRatio) / ONE;
        if (params.minDepositRatio != 0 && amount < (least == 0 ? 1 : least)) {
            Text.fail(
                string.concat(
                    "received ", coinsText(coins), " but need at least one of the following: ", coinText(least), ": minimum deposit is too small"
                )
            );
        }
        collect(depositor, GOVERNANCE_ACCOUNT, coins);
        noteDeposit(id, depositor, amount, clock());
    }

    function deposit(bytes memory args) private returns (bytes memory) {
        Abi.checkNotEmpty(args);
        (address depositor, uint64 id, Coin[] memory coins) = (Abi.addr(args, 0), Abi.u64(args, 32), Abi.coins(args, 64));
        requireAddress(depositor, "invalid depositor address: ");
        requireDenoms(coins);
        requireSender(depositor);
        if (coins.length == 0) Text.fail(": invalid coins");
        requireValidCoins(coins);
        uint32 status = existing(id);
        if (status != DEPOSIT_PERIOD && status != VOTING_PERIOD) Text.fail(string.concat(Text.number(id), ": inactive proposal"));
        requireDepositDenom(coins);
        addDeposit(id, depositor, coins);
        emit IGovernance.Deposit(depositor, id, coins);
        return abi.encode(true);
    }

    function existing(uint64 id) private view returns (uint32 status) {
        status = proposals[id].status;
        if (status == 0) {
            Text.fail(string.concat("collections: not found: key '", Text.number(id), "' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Proposal"));
        }
    }

    // ---- proposals

    function submitProposal(bytes memory args) private returns (bytes memory) {
        Abi.checkNotEmpty(args);
        (address proposer, bytes memory json) = (Abi.addr(args, 0), bytes(Abi.text(args, 32)));
        Coin[] memory coins = Abi.coins(args, 64);
        requireAddress(proposer, "invalid proposer ");
        if (json.length == 0) Text.fail("invalid proposal json jsonBlob arg ");
        requireDenoms(coins);
        Proposal memory p = Messages.read(json);
        requireSender(proposer);
        if (bytes(p.title).length == 0) Text.fail("proposal title cannot be empty: invalid request");
        if (bytes(p.summary).length == 0) Text.fail("proposal summary cannot be empty: invalid request");
        if (p.messages.length == 0 && bytes(p.metadata).length == 0) {
            Text.fail("either metadata or Msgs length must be non-nil: no messages proposed");
        }
        Messages.checkMetadata(p);
        requireInitialDeposit(coins, p.expedited);
        requireDepositDenom(coins);
        requireShort("metadata", p.metadata, MAX_METADATA);
        requireShort("summary", p.summary, MAX_SUMMARY);
        requireShort("metadata", p.title, MAX_METADATA);
        bytes memory messages = AcceptedMessages.pack(p);
        uint64 id = ++lastId;
        store(id, p, proposer, messages, clock());
        addDeposit(id, proposer, coins);
        if (!params.ignoreUnknownMessages) AcceptedMessages.requireRunnable(p);
        emit IGovernance.SubmitProposal(proposer, id);
        return abi.encode(id);
    }

    function requireInitialDeposit(Coin[] memory coins, bool expedited) private view {
        requireValidCoins(coins);
        if (params.minInitialDepositRatio == 0) return;
        uint256 least = Math.round(Math.mul(minDeposit(expedited) * ONE, params.minInitialDepositRatio));
        string memory native = chainDenom();
        uint256 amount = 0;
        for (uint256 i = 0; i < coins.length; i++) if (Text.equal(coins[i].denom, native)) amount = coins[i].amount;
        if (amount >= least) return;
        Text.fail(string.concat("was (", coinsText(coins), "), need (", coinText(least), "): minimum deposit is too small"));
    }

    function requireShort(string memory what, string memory text, uint256 max) private pure {
        uint256 length = bytes(text).length;
        if (length <= max) return;
        Text.fail(string.concat("got ", what, " with length ", Text.number(length), ": ", what, " too long"));
    }

    function cancelProposal(bytes memory args) private returns (bytes memory) {
        Abi.checkNotEmpty(args);
        (address proposer, uint64 id) = (Abi.addr(args, 0), Abi.u64(args, 32));
        requireAddress(proposer, "invalid proposer ");
        requireSender(proposer);
        uint32 status = existing(id);
        if (contentOf(id).proposer != proposer) Text.fail(string.concat("invalid proposer ", Account.text(chainPrefix(), proposer), ": invalid proposer"));
        if (status != DEPOSIT_PERIOD && status != VOTING_PERIOD) Text.fail("proposal should be in the deposit or voting period: invalid proposal");
        if (status == VOTING_PERIOD && proposals[id].end < block.timestamp) {
            Text.fail(string.concat("voting period is already ended for this proposal ", Text.number(id), ": voting period already ended"));
        }
        cancel(id);
        emit IGovernance.CancelProposal(proposer, id);
        return abi.encode(true);
    }

    // ---- votes

    function vote(bytes memory args) private returns (bytes memory) {
        Abi.checkNotEmpty(args);
        (address voter, uint64 id) = (Abi.addr(args, 0), Abi.u64(args, 32));
        (uint8 option, string memory metadata) = (Abi.u8(args, 64), Abi.text(args, 96));
        requireAddress(voter, "invalid voter address: ");
        requireSender(voter);
        if (!validOption(option)) Text.fail(string.concat(optionText(option), ": invalid vote option"));
        requireVotable(id, metadata);
        if (bytes(metadata).length == 0) {
            noteVote(id, voter, option, "");
        } else {
            WeightedVoteOption[] memory options = new WeightedVoteOption[](1);
            options[0] = WeightedVoteOption(option, ALL);
            noteVote(id, voter, option, packedVote(options, metadata));
        }
        emit IGovernance.Vote(voter, id, option);
        return abi.encode(true);
    }

    function voteWeighted(bytes memory args) private returns (bytes memory) {
        Abi.checkNotEmpty(args);
        (address voter, uint64 id) = (Abi.addr(args, 0), Abi.u64(args, 32));
        (WeightedVoteOption[] memory options, string memory metadata) = (Abi.voteOptions(args, 64), Abi.text(args, 96));
        requireAddress(voter, "invalid voter address: ");
        requireSender(voter);
        requireWeights(options);
        requireVotable(id, metadata);
        noteVote(id, voter, 0, packedVote(options, metadata));
        emit VoteWeighted(voter, id, options);
        return abi.encode(true);
    }

    function requireWeights(WeightedVoteOption[] memory options) private pure {
        if (options.length == 0) Text.fail("[]: invalid request");
        uint256 total = 0;
        uint256 used = 0;
        for (uint256 i = 0; i < options.length; i++) {
            (bool ok, bool negative, uint256 weight) = Text.parseDecimal(options[i].weight);
            if (!ok || negative || weight == 0 || weight > ONE || !validOption(options[i].option)) {
                Text.fail(string.concat(weightedText(options[i]), ": invalid vote option"));
            }
            if (used & (1 << options[i].option) != 0) Text.fail("duplicated vote option: invalid vote option");
            used |= 1 << options[i].option;
            total += weight;
        }
        if (total > ONE) Text.fail("total weight overflow 1.00: invalid vote option");
        if (total < ONE) Text.fail("total weight lower than 1.00: invalid vote option");
    }

    function requireVotable(uint64 id, string memory metadata) private view {
        if (proposals[id].status != VOTING_PERIOD) Text.fail(string.concat(Text.number(id), ": inactive proposal"));
        requireShort("metadata", metadata, MAX_METADATA);
    }

    function validOption(uint8 option) private pure returns (bool) {
        return option > 0 && option < 5;
    }

    function optionText(uint8 option) private pure returns (string memory) {
        if (option == 0) return "VOTE_OPTION_UNSPECIFIED";
        if (option == 1) return "VOTE_OPTION_YES";
        if (option == 2) return "VOTE_OPTION_ABSTAIN";
        if (option == 3) return "VOTE_OPTION_NO";
        if (option == 4) return "VOTE_OPTION_NO_WITH_VETO";
        return Text.number(option);
    }

    /// The framework's text form of messages: fields that are zero are left out.
    function weightedText(WeightedVoteOption memory o) private pure returns (string memory out) {
        if (o.option != 0) out = string.concat("option:", optionText(o.option), " ");
        if (bytes(o.weight).length != 0) out = string.concat(out, 'weight:"', escaped(bytes(o.weight)), '" ');
    }

    /// What is no printable ASCII becomes octal there.
    function escaped(bytes memory s) private pure returns (string memory) {
        bytes memory out;
        for (uint256 i = 0; i < s.length; i++) {
            uint8 c = uint8(s[i]);
            bool usual = (c > 31 && c < 127) || c == 9 || c == 10 || c == 13;
            if (usual) out = bytes.concat(out, Text.escaped(s[i], '"'));
            else out = abi.encodePacked(out, "\\", 48 + (c >> 6), 48 + ((c >> 3) & 7), 48 + (c & 7));
        }
        return string(out);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Coin, DecCoin} from "../../Types.sol";
import {Account} from "../codec/Account.sol";
import {Blob} from "../codec/Blob.sol";
import {Directory} from "./Directory.sol";
import {Encoder} from "../codec/Encoder.sol";
import {Gas} from "./Gas.sol";
import {Native} from "./Native.sol";
import {Settings} from "./Settings.sol";
import {Text} from "../codec/Text.sol";
import {IStakingKeeper, ONE, RESERVE, SYSTEM, TOUCH} from "./Types.sol";

/// What the modules' precompiles have in common. Every call enters here: it is counted and checked before its method runs,
/// and charged afterwards.
abstract contract Module {
    address internal immutable STAKING;
    address internal immutable DISTRIBUTION;
    address internal immutable GOVERNANCE;

    enum Kind {
        Unknown,
        View,
        Transaction
    }

    uint256 private constant MAX_CALLS = 20;
    /// Accounts that nobody uses: how many of them are warm shows how many calls this transaction has made.
    uint256 private constant COUNTER = uint256(uint160(uint256(keccak256("hardhat-dualstack.calls"))));
    /// Between the gas of a warm and of a cold account.
    uint256 private constant WARM_LIMIT = 1000;
    uint256 private constant TOUCH_GAS = 5000;

    constructor(address staking, address distribution, address governance) {
        (STAKING, DISTRIBUTION, GOVERNANCE) = (staking, distribution, governance);
    }

    modifier onlySystem() {
        if (msg.sender != SYSTEM) noMethod(msg.sig);
        _;
    }

    modifier onlyModules() {
        if (msg.sender != STAKING && msg.sender != DISTRIBUTION && msg.sender != GOVERNANCE) noMethod(msg.sig);
        _;
    }

    /// The precompile's own address.
    function self() internal view virtual returns (address);

    function kindOf(bytes4 selector) internal pure virtual returns (Kind);

    /// Runs a method. `args`: the calldata after the selector.
    function run(bytes4 selector, bytes memory args) internal virtual returns (bytes memory);

    fallback(bytes calldata input) external payable returns (bytes memory) {
        uint256 began = gasleft();
        if (address(this) != self()) return foreign(input);
        if (input.length == 0) {
            (bool asks, bytes memory stored) = Blob.asked();
            if (asks) return stored;
        }
        bool direct = isDirect();
        if (!direct) countCall(began);
        if (msg.value != 0) {
            string memory account = Account.text(chainPrefix(), self());
            Text.fail(string.concat("failed to set account: ", account, " is not allowed to receive funds: unauthorized"));
        }
        if (input.length < 4) Text.fail("execution reverted");
        bytes4 selector = bytes4(input);
        Kind kind = kindOf(selector);
        if (kind == Kind.Unknown) noMethod(selector);
        if (kind == Kind.Transaction && !direct && isStatic()) Text.fail("write protection");
        if (kind == Kind.View) {
            bytes memory answer = run(selector, input[4:]);
            Gas.spend(began, Gas.view_(selector, input.length, answer.length));
            return answer;
        }
        Gas.reset();
        bytes memory result = run(selector, input[4:]);
        Gas.spend(began, Gas.transaction(selector, input.length));
        return result;
    }

    /// Whether an account without code makes this call, and not a contract: then it is the transaction's first and only one,
    /// and may write.
    function isDirect() private view returns (bool) {
        return msg.sender == tx.origin && msg.sender.code.length == 0;
    }

    /// DELEGATECALL and CALLCODE: views answer, but nothing can be written.
    function foreign(bytes calldata input) private view returns (bytes memory) {
        if (input.length >= 4 && kindOf(bytes4(input)) == Kind.Transaction) Text.fail("write protection");
        (bool ok, bytes memory result) = self().staticcall(input);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
        return result;
    }

    /// The reserve's code is short: what a simulator does for each call takes time with the length of the code.
    function isStatic() private returns (bool yes) {
        (address reserve, bytes32 touch) = (RESERVE, TOUCH);
        assembly ("memory-safe") {
            // too little gas for this attempt is too little for any method: out of gas, as later
            if lt(gas(), mul(2, TOUCH_GAS)) { invalid() }
            mstore(0, touch)
            yes := iszero(call(TOUCH_GAS, reserve, 0, 0, 0x20, 0, 0))
        }
    }

    /// The chain allows 20 calls of such precompiles per transaction, views included. Transient storage cannot count them,
    /// since a static frame may not write it. The number of warm accounts can, unless a call is reverted: nothing that a
    /// transaction did survives that. If reverted calls are among the first 20, the engine says which calls are too many:
    /// see isTold.
    function countCall(uint256 began) private view {
        uint256 account = COUNTER;
        uint256 funds;
        bool warm;
        assembly ("memory-safe") {
            for { let end := add(account, MAX_CALLS) } 1 {} {
                let before := gas()
                funds := balance(account)
                warm := lt(sub(before, gas()), WARM_LIMIT)
                if iszero(warm) { break }
                account := add(account, 1)
                if eq(account, end) { break }
            }
        }
        bool tooMany = warm || (began < funds && isTold(address(uint160(account)), began));
        if (tooMany && !Native.inSolidityTest()) Text.fail("max calls to precompiles (20) reached");
    }

    /// For a call that begins with less gas than the balance of the account that counts it: whether it is one too many. All
    /// such calls are if that account has no code. Otherwise its code lists them, after a STOP, in rows of 32 bytes: the
    /// transaction's sender (20), the least gas (6) with which its calls are too many, and the gas (6) from which on they
    /// are not.
    function isTold(address counter, uint256 began) private view returns (bool) {
        if (counter.code.length == 0) return true;
        bytes memory rows = counter.code;
        for (uint256 at = 33; at < 32 + rows.length; at += 32) {
            uint256 row;
            assembly ("memory-safe") {
                row := mload(add(rows, at))
            }
            if (row >> 96 == uint160(tx.origin) && began >= uint48(row >> 48) && began < uint48(row)) return true;
        }
        return false;
    }

    function noMethod(bytes4 selector) internal pure {
        Text.fail(string.concat("no method with id: ", Text.hexadecimal(abi.encodePacked(selector))));
    }

    // ---- the chain's configuration

    function chainPrefix() internal pure returns (string memory) {
        return Settings.prefix();
    }

    function chainDenom() internal pure returns (string memory) {
        return Settings.denom();
    }

    // ---- validators' addresses

    function directory_() internal view returns (Directory.Book) {
        return Directory.open(STAKING);
    }

    /// Like Account.readOperator, but faster if the text is a validator's.
    function readOperator(string memory text) internal view returns (string memory failure, address operator) {
        return readOperator(directory_(), text);
    }

    function readOperator(Directory.Book book, string memory text) internal view returns (string memory failure, address operator) {
        bool found;
        (found, operator) = Directory.operatorOf(book, text);
        if (!found) (failure, operator) = Account.readOperator(chainPrefix(), text);
    }

    /// Like Account.readStrict, for an operator.
    function readStrictOperator(Directory.Book book, string memory text) internal view returns (string memory failure, address operator) {
        bool found;
        (found, operator) = Directory.operatorOf(book, text);
        if (!found) (failure, operator) = Account.readStrict(string.concat(chainPrefix(), "valoper"), text);
    }

    function operatorText(address operator) internal view returns (string memory) {
        return operatorText(directory_(), operator);
    }

    function operatorText(Directory.Book book, address operator) internal view returns (string memory text) {
        bool found;
        (found, text) = Directory.textOf(book, operator);
        if (!found) text = Account.operatorText(chainPrefix(), operator);
    }

    // ---- checks of many methods

    function requireSender(address requester) internal view {
        if (msg.sender == requester) return;
        Text.fail(
            string.concat(
                "msg.sender address ", Text.checksummed(msg.sender), " does not match the requester address ", Text.checksummed(requester)
            )
        );
    }

    function requireAddress(address account, string memory what) internal pure {
        if (account == address(0)) Text.fail(string.concat(what, "0x0000000000000000000000000000000000000000"));
    }

    /// A coin as the chain prints it.
    function coinText(uint256 amount) internal pure returns (string memory) {
        return string.concat(Text.number(amount), chainDenom());
    }

    // ---- coins of a call

    /// Sorts by denomination. `badDenom`: the first denomination that the chain would refuse; `ok` is false then.
    function sortCoins(Coin[] memory coins) internal pure returns (bool ok, string memory badDenom) {
        string memory native = chainDenom();
        for (uint256 i = 0; i < coins.length; i++) {
            if (!Text.equal(coins[i].denom, native) && !validDenom(bytes(coins[i].denom))) return (false, coins[i].denom);
            for (uint256 j = i; j > 0 && less(coins[j].denom, coins[j - 1].denom); j--) {
                (coins[j], coins[j - 1]) = (coins[j - 1], coins[j]);
            }
        }
        ok = true;
    }

    /// A letter, then 2 to 127 letters, digits or / : . _ -
    function validDenom(bytes memory text) internal pure returns (bool) {
        if (text.length < 3 || text.length > 128) return false;
        for (uint256 i = 0; i < text.length; i++) {
            uint8 c = uint8(text[i]);
            bool letter = (c > 64 && c < 91) || (c > 96 && c < 123);
            bool other = (c > 45 && c < 59) || c == 45 || c == 95; // - . / 0-9 : _
            if (!letter && (i == 0 || !other)) return false;
        }
        return true;
    }

    function less(string memory a, string memory b) private pure returns (bool) {
        bytes memory x = bytes(a);
        bytes memory y = bytes(b);
        for (uint256 i = 0; i < x.length && i < y.length; i++) {
            if (x[i] != y[i]) return x[i] < y[i];
        }
        return x.length < y.length;
    }

    /// Requires positive amounts, and every denomination once. `coins` are sorted.
    function requireValidCoins(Coin[] memory coins) internal pure {
        for (uint256 i = 0; i < coins.length; i++) {
            if (coins[i].amount == 0 || (i > 0 && Text.equal(coins[i].denom, coins[i - 1].denom))) {
                Text.fail(string.concat(coinsText(coins), ": invalid coins"));
            }
        }
    }

    function coinsText(Coin[] memory coins) internal pure returns (string memory out) {
        for (uint256 i = 0; i < coins.length; i++) {
            out = string.concat(out, i == 0 ? "" : ",", Text.number(coins[i].amount), coins[i].denom);
        }
    }

    /// Takes coins from `from`, in order. Nobody owns a denomination other than the native one.
    /// Returns how much of the native one was taken.
    function collect(address from, address to, Coin[] memory coins) internal returns (uint256 amount) {
        string memory native = chainDenom();
        for (uint256 i = 0; i < coins.length; i++) {
            bool isNative = Text.equal(coins[i].denom, native);
            uint256 spendable = isNative ? Native.spendable(from, IStakingKeeper(STAKING).owed(from)) : 0;
            if (spendable < coins[i].amount) {
                Text.fail(
                    string.concat(
                        "spendable balance ", Text.number(spendable), coins[i].denom, " is smaller than ", Text.number(coins[i].amount), coins[i].denom, ": insufficient funds"
                    )
                );
            }
            Native.debit(STAKING, from, to, coins[i].amount);
            amount += coins[i].amount;
        }
    }

    // ---- results

    function nativeCoins(uint256 amount) internal pure returns (Coin[] memory coins) {
        coins = new Coin[](1);
        coins[0] = Coin(chainDenom(), amount);
    }

    /// A decimal amount of the native coin as the chain returns it: an empty list for zero. Contracts see whole units, the
    /// chain itself all places.
    function decCoins(uint256 amount) internal view returns (DecCoin[] memory coins) {
        if (amount == 0) return coins;
        coins = new DecCoin[](1);
        coins[0] = DecCoin(chainDenom(), shown(amount), 18);
    }

    function shown(uint256 amount) private view returns (uint256) {
        return msg.sender == SYSTEM ? amount : amount / ONE;
    }

    /// abi.encode(decCoins(amount)), in fewer steps.
    function decCoinsAnswer(uint256 amount) internal view returns (bytes memory out) {
        out = Encoder.begin(0, 0x160);
        if (amount == 0) return Encoder.word(out, 0);
        Encoder.word(Encoder.word(Encoder.word(out, 1), 0x20), 0x60);
        Encoder.word(Encoder.word(out, shown(amount)), 18);
        bytes memory denom = bytes(chainDenom());
        Encoder.text(out, denom, 0, denom.length);
    }
}

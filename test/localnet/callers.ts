import { compile, type Compiled } from "./compile.js";

/** Contracts that call the precompiles in the ways that users' contracts do. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IStaking {
  function delegate(address delegator, string memory validator, uint256 amount) external returns (bool);
  function undelegate(address delegator, string memory validator, uint256 amount) external returns (int64);
  function delegation(address delegator, string memory validator) external view returns (uint256 shares, Coin memory balance);
}
struct Coin { string denom; uint256 amount; }
IStaking constant STAKING = IStaking(0x0000000000000000000000000000000000000800);

contract Vault {
  string public validator;
  mapping(address => uint256) public shares;
  uint256 public total;
  uint256 public seen;
  uint256[8] public plain;
  event Deposited(address who, uint256 amount);

  constructor(string memory validator_) { validator = validator_; }
  receive() external payable {}

  function deposit() external payable {
    shares[msg.sender] += msg.value;
    total += msg.value;
    require(STAKING.delegate(address(this), validator, msg.value), "delegate");
    emit Deposited(msg.sender, msg.value);
  }
  /// The same with plain storage in place of the precompile.
  function store() external payable {
    shares[msg.sender] += msg.value;
    total += msg.value;
    for (uint256 i = 0; i < 8; i++) plain[i] = uint256(keccak256(abi.encode(validator, total, i)));
    emit Deposited(msg.sender, msg.value);
  }
  function delegateAndLook(uint256 amount) external payable returns (uint256 before, uint256 later) {
    before = address(this).balance;
    STAKING.delegate(address(this), validator, amount);
    later = address(this).balance;
    seen = later;
  }
  function delegateTwice(uint256 amount) external payable {
    STAKING.delegate(address(this), validator, amount);
    STAKING.delegate(address(this), validator, amount);
  }
  function delegateThenRevert(uint256 amount) external {
    STAKING.delegate(address(this), validator, amount);
    revert("inner");
  }
  function tryDelegate(uint256 amount) external payable returns (uint256 before, uint256 later) {
    before = address(this).balance;
    try this.delegateThenRevert(amount) {} catch {}
    later = address(this).balance;
    seen = later;
  }
  function undelegate(uint256 amount) external returns (int64) {
    return STAKING.undelegate(address(this), validator, amount);
  }
  function staked() external view returns (uint256) {
    (, Coin memory balance) = STAKING.delegation(address(this), validator);
    return balance.amount;
  }
  function bump() external { total += 1; }
  function touch(Vault other) external { other.bump(); }
  function passOn(Vault other) external payable { other.deposit{value: msg.value}(); }
}

/// Delegates a part of its value in its constructor.
contract Builder {
  uint256 public immutable left;
  uint256 public stored;
  constructor(string memory validator, uint256 amount) payable {
    STAKING.delegate(address(this), validator, amount);
    left = address(this).balance;
    stored = address(this).balance;
  }
  function staked(string memory validator) external view returns (uint256) {
    (, Coin memory balance) = STAKING.delegation(address(this), validator);
    return balance.amount;
  }
}

contract Child {
  function act(string memory validator, uint256 amount) external { STAKING.delegate(address(this), validator, amount); }
  function actAndLook(string memory validator, uint256 amount) external returns (uint256) {
    STAKING.delegate(address(this), validator, amount);
    return address(this).balance;
  }
  function actAndSend(string memory validator, uint256 amount, address payable to, uint256 value) external {
    STAKING.delegate(address(this), validator, amount);
    (bool ok,) = to.call{value: value}("");
    require(ok, "send");
  }
  receive() external payable {}
}

contract Factory {
  event Made(address child);
  function make(string memory validator, uint256 amount, bytes32 salt) external payable {
    Child child = new Child{salt: salt}();
    (bool ok,) = address(child).call{value: msg.value}("");
    require(ok);
    child.act(validator, amount);
    emit Made(address(child));
  }
  function makeAndLook(string memory validator, uint256 amount) external payable {
    Child child = new Child();
    (bool ok,) = address(child).call{value: msg.value}("");
    require(ok);
    child.actAndLook(validator, amount);
  }
  function makeAndSend(string memory validator, uint256 amount, address payable to, uint256 value) external payable {
    Child child = new Child();
    (bool ok,) = address(child).call{value: msg.value}("");
    require(ok);
    child.actAndSend(validator, amount, to, value);
  }
}

/// Runs Vault's code by EIP-1167.
contract Cloner {
  event Made(address clone);
  function clone(address implementation) external {
    bytes memory code = abi.encodePacked(hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", implementation, hex"5af43d82803e903d91602b57fd5bf3");
    address made;
    assembly { made := create(0, add(code, 0x20), mload(code)) }
    emit Made(made);
  }
}
contract CloneTarget {
  function act(string memory validator, uint256 amount) external payable returns (uint256) {
    STAKING.delegate(address(this), validator, amount);
    return address(this).balance;
  }
}

/// Many delegators at once.
contract Crowd {
  Child[] public children;
  receive() external payable {}
  function make(uint256 count) external payable {
    for (uint256 i = 0; i < count; i++) {
      Child child = new Child();
      (bool ok,) = address(child).call{value: msg.value / count}("");
      require(ok);
      children.push(child);
    }
  }
  /// The same, but all of it is undone.
  function actInVain(uint256 from, uint256 count, string[] calldata validators, uint256 amount) external {
    try this.actAndRevert(from, count, validators, amount) {} catch {}
  }
  function actAndRevert(uint256 from, uint256 count, string[] calldata validators, uint256 amount) external {
    this.act(from, count, validators, amount);
    revert("undone");
  }
  function act(uint256 from, uint256 count, string[] calldata validators, uint256 amount) external {
    for (uint256 i = from; i < from + count; i++) children[i].act(validators[i % validators.length], amount);
  }
}

/// Calls no other contract.
contract Counter {
  uint256 public count;
  mapping(address => uint256) public balanceOf;
  function increment() external { count += 1; balanceOf[msg.sender] += 1; }
}
`;

let compiled: Record<string, Compiled> | undefined;

export function caller(
  name:
    | "Vault"
    | "Builder"
    | "Child"
    | "Factory"
    | "Cloner"
    | "CloneTarget"
    | "Counter"
    | "Crowd",
): Compiled {
  compiled ??= compile(SOURCE);
  const found = compiled[name];
  if (found === undefined) throw new Error(`no contract ${name}`);
  return found;
}

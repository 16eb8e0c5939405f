// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Shares {
    function sum(uint96[] memory parts) external pure returns (uint256 total) {
        for (uint256 i; i < parts.length; i++) {
            total += parts[i];
        }
    }
}

interface IVault {
    function cap() external view returns (uint256);
}

/// Has a constructor with arguments of every kind.
contract Vault is IVault {
    struct Member {
        address account;
        uint96 share;
        string[] roles;
    }

    error CapTooLow(uint256 given, uint256 least);

    string public name;
    uint256 public cap;
    address public owner;
    bool public open;
    bytes4 public tag;
    int64[2] public range;
    uint256 public memberCount;
    string public lastRole;

    constructor(
        string memory name_,
        uint256 cap_,
        address owner_,
        bool open_,
        bytes4 tag_,
        int64[2] memory range_,
        Member[] memory members
    ) payable {
        if (cap_ < 10) revert CapTooLow(cap_, 10);
        name = name_;
        cap = cap_;
        owner = owner_;
        open = open_;
        tag = tag_;
        range = range_;
        memberCount = members.length;
        if (members.length > 0) lastRole = members[0].roles[0];
    }
}

/// Needs a library that is deployed separately.
contract Split {
    uint256 public total;

    constructor(uint96[] memory parts) {
        total = Shares.sum(parts);
    }
}

/// Burns all gas that it is given.
contract Greedy {
    constructor() {
        assembly {
            invalid()
        }
    }
}

/// An ERC-20 as far as balances go.
contract Stable {
    uint256 private filler;
    mapping(address => uint256) public balanceOf;

    constructor(address holder, uint256 amount) {
        balanceOf[holder] = amount;
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Callers used to look at the precompiles from inside the EVM.
///
/// Every mutating function first adds 1 to `counter`, so that it is visible from outside whether the state
/// of the calling frame survived or was rolled back. `received` counts how often `receive()` ran: a credit
/// made by the bank module must not run it.
///
/// Naming rule relied on by compare.mjs: values called `balance*` are compared relative to `balanceBefore`,
/// values called `gas*` are never compared, values called `ret*`/`caught` hold raw bytes of an inner call.
contract Probe {
    uint256 public counter;
    uint256 public received;

    event Acted(address target, bytes ret);
    event Around(bool ok, bytes ret, uint256 balanceBefore, uint256 balanceAfter, uint256 gasSpent);
    event Tried(bytes caught, uint256 balanceBefore, uint256 balanceAfter);
    event Twice(bool ok1, bytes ret1, bool ok2, bytes ret2, uint256 balanceBefore, uint256 balanceMid, uint256 balanceAfter);
    event Kind(uint8 kind, bool ok, bytes ret);
    event Many(uint256 okCount, int256 firstFail, bytes retFail, uint256 balanceBefore, uint256 balanceAfter);
    event Valued(bool ok, bytes ret, uint256 balanceBefore, uint256 balanceAfter);
    event Sent(bytes ret, address to, uint256 value);

    receive() external payable {
        received += 1;
    }

    function _bubble(bytes memory ret) private pure {
        assembly ("memory-safe") {
            revert(add(ret, 0x20), mload(ret))
        }
    }

    /// call; revert data is passed on verbatim
    function act(address target, bytes calldata data) public returns (bytes memory ret) {
        counter += 1;
        bool ok;
        (ok, ret) = target.call(data);
        if (!ok) _bubble(ret);
        emit Acted(target, ret);
    }

    /// call, and this contract's balance before and after within the same frame
    function around(address target, bytes calldata data)
        external
        returns (bool ok, bytes memory ret, uint256 balanceBefore, uint256 balanceAfter)
    {
        counter += 1;
        balanceBefore = address(this).balance;
        uint256 g = gasleft();
        (ok, ret) = target.call(data);
        g -= gasleft();
        balanceAfter = address(this).balance;
        emit Around(ok, ret, balanceBefore, balanceAfter, g);
    }

    /// successful call, then a revert of the frame that made it
    function actThenRevert(address target, bytes calldata data) external {
        counter += 1;
        (bool ok, bytes memory ret) = target.call(data);
        if (!ok) _bubble(ret);
        revert("inner");
    }

    /// the same behind try/catch: the inner frame is undone, the outer one goes on
    function tryActThenRevert(address target, bytes calldata data)
        external
        returns (bytes memory caught, uint256 balanceBefore, uint256 balanceAfter)
    {
        counter += 1;
        balanceBefore = address(this).balance;
        try this.actThenRevert(target, data) {
            caught = "";
        } catch (bytes memory e) {
            caught = e;
        }
        balanceAfter = address(this).balance;
        emit Tried(caught, balanceBefore, balanceAfter);
    }

    /// two calls in one frame
    function twice(address target, bytes calldata d1, bytes calldata d2)
        external
        returns (bool ok1, bytes memory ret1, bool ok2, bytes memory ret2, uint256 balanceBefore, uint256 balanceMid, uint256 balanceAfter)
    {
        counter += 1;
        balanceBefore = address(this).balance;
        (ok1, ret1) = target.call(d1);
        balanceMid = address(this).balance;
        (ok2, ret2) = target.call(d2);
        balanceAfter = address(this).balance;
        emit Twice(ok1, ret1, ok2, ret2, balanceBefore, balanceMid, balanceAfter);
    }

    /// kind 0 call, 1 staticcall, 2 delegatecall, 3 callcode
    function _kind(uint8 kind, address target, bytes memory data) private returns (bool ok, bytes memory ret) {
        assembly ("memory-safe") {
            let p := add(data, 0x20)
            let n := mload(data)
            switch kind
            case 0 { ok := call(gas(), target, 0, p, n, 0, 0) }
            case 1 { ok := staticcall(gas(), target, p, n, 0, 0) }
            case 2 { ok := delegatecall(gas(), target, p, n, 0, 0) }
            default { ok := callcode(gas(), target, 0, p, n, 0, 0) }
            let s := returndatasize()
            ret := mload(0x40)
            mstore(ret, s)
            returndatacopy(add(ret, 0x20), 0, s)
            mstore(0x40, and(add(add(ret, s), 0x3f), not(0x1f)))
        }
    }

    function callKind(uint8 kind, address target, bytes calldata data) external returns (bool ok, bytes memory ret) {
        counter += 1;
        (ok, ret) = _kind(kind, target, data);
        emit Kind(kind, ok, ret);
    }

    /// n equal calls: how many succeeded, index of the first failing one (-1: none) and its return data
    function many(address target, bytes calldata data, uint256 n)
        external
        returns (uint256 okCount, int256 firstFail, bytes memory retFail, uint256 balanceBefore, uint256 balanceAfter)
    {
        counter += 1;
        firstFail = -1;
        balanceBefore = address(this).balance;
        for (uint256 i = 0; i < n; i++) {
            (bool ok, bytes memory r) = target.call(data);
            if (ok) {
                okCount++;
            } else if (firstFail < 0) {
                firstFail = int256(i);
                retFail = r;
            }
        }
        balanceAfter = address(this).balance;
        emit Many(okCount, firstFail, retFail, balanceBefore, balanceAfter);
    }

    /// calls to different targets
    function multi(address[] calldata targets, bytes[] calldata datas)
        external
        returns (uint256 okCount, int256 firstFail, bytes memory retFail, uint256 balanceBefore, uint256 balanceAfter)
    {
        counter += 1;
        firstFail = -1;
        balanceBefore = address(this).balance;
        for (uint256 i = 0; i < targets.length; i++) {
            (bool ok, bytes memory r) = targets[i].call(datas[i]);
            if (ok) {
                okCount++;
            } else if (firstFail < 0) {
                firstFail = int256(i);
                retFail = r;
            }
        }
        balanceAfter = address(this).balance;
        emit Many(okCount, firstFail, retFail, balanceBefore, balanceAfter);
    }

    /// call, then a plain transfer out of this contract in the same frame
    function actThenSend(address target, bytes calldata data, address payable to, uint256 value)
        external
        returns (bytes memory ret)
    {
        counter += 1;
        bool ok;
        (ok, ret) = target.call(data);
        if (!ok) _bubble(ret);
        (ok,) = to.call{value: value}("");
        require(ok, "send failed");
        emit Sent(ret, to, value);
    }

    function actWithValue(address target, bytes calldata data, uint256 value)
        external
        payable
        returns (bool ok, bytes memory ret, uint256 balanceBefore, uint256 balanceAfter)
    {
        counter += 1;
        balanceBefore = address(this).balance;
        (ok, ret) = target.call{value: value}(data);
        balanceAfter = address(this).balance;
        emit Valued(ok, ret, balanceBefore, balanceAfter);
    }

    /// staticcall from a view function
    function viewCall(address target, bytes calldata data) external view returns (bool ok, bytes memory ret) {
        (ok, ret) = target.staticcall(data);
    }

    /// plain CALL without any write of its own: usable below a static frame
    function rawCall(address target, bytes calldata data) external returns (bool ok, bytes memory ret) {
        (ok, ret) = target.call(data);
    }

    /// a CALL to the target nested below a STATICCALL frame
    function nestedStatic(address target, bytes calldata data) external view returns (bool ok, bytes memory ret) {
        (bool outer, bytes memory r) = address(this).staticcall(abi.encodeCall(this.rawCall, (target, data)));
        if (!outer) _bubble(r);
        (ok, ret) = abi.decode(r, (bool, bytes));
    }

    /// codeHashEmpty: the account does not exist (0) or exists without code (hash of nothing)
    function codeInfo(address target) external view returns (uint256 size, bool codeHashEmpty) {
        size = target.code.length;
        codeHashEmpty = target.codehash == 0 || target.codehash == keccak256("");
    }
}

/// Makes its call while it is still being constructed, i.e. while its own code is empty.
contract ProbeInConstructor {
    bool public ok;
    bytes public ret;
    uint256 public balanceBefore;
    uint256 public balanceAfter;

    constructor(address target, bytes memory data) payable {
        balanceBefore = address(this).balance;
        (ok, ret) = target.call(data);
        balanceAfter = address(this).balance;
    }

    receive() external payable {}

    function result() external view returns (bool ok_, bytes memory ret_, uint256 balanceBefore_, uint256 balanceAfter_) {
        return (ok, ret, balanceBefore, balanceAfter);
    }
}

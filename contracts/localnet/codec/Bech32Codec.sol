// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Settings} from "../common/Settings.sol";
import {Text} from "./Text.sol";

/// BIP-173 with the errors of the chain's decoder, whenever an address is read or written.
library Bech32Codec {
    bytes32 private constant CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    uint256 private constant MAX_LENGTH = 1023;
    bytes32 private constant HIGH_BITS = 0x8080808080808080808080808080808080808080808080808080808080808080;

    /// For each value of the five bits that leave the register: what they add to it, and themselves, so that they are gone.
    /// 32 numbers of 5 bytes.
    bytes private constant POLYNOMIAL =
        hex"0000000000007b6a57b200a6508e6d00dd3ad9df"
        hex"011ea119fa0165cb4e4801b8f1979701c39bc025"
        hex"023d4233dd024628646f029b12bdb002e078ea02"
        hex"0323e32a270358897d950385b3a44a03fed9f3f8"
        hex"042a1462b304517e3501048c44ecde04f72ebb6c"
        hex"0534b57b49054fdf2cfb0592e5f52405e98fa296"
        hex"061756516e066c3c06dc06b106df0306ca6c88b1"
        hex"0709f7489407729d1f2607afa7c6f907d4cd914b";

    /// Value of each ASCII character in the charset, 0xff where it is no part of it.
    bytes private constant VALUES =
        hex"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        hex"ffffffffffffffffffffffffffffffff0fff0a1115141a1e0705ffffffffffff"
        hex"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        hex"ff1dff180d19090817ff12161f1b13ff010003100b1c0c0e060402ffffffffff";

    /// The checksum is linear: what each of the 40 digits of an address adds to it, for its 16 values, 4 bytes each.
    bytes private constant DIGITS =
        hex"000000002e26e3ce0e4d66bc206b85721c8eec7132a80fbf12c38acd3ce569033909fccb172f1f0537449a77196279b9258710ba0ba1f3742bca760605ec95c8"
        hex"0000000033138b0336b7132605a498253f6e236c0c7da86f09d9304a3acabb493e1931e70d0abae408ae22c13bbda9c20177128b3264998837c001ad04d38aae"
        hex"000000003a215060264204c01c6354a018efd0de22ce80be3eadd41e048c847e31cb85950bead5f5178981552da8d1352924554b1305052b0f66518b354701eb"
        hex"000000000132102624a559e0259749c61b4a17c01a7807e63fef4e203edd5e063410aaa03522ba8610b5f3401187e3662f5abd602e68ad460bffe4800acdf4a6"
        hex"0000000001252acf00da50be01ff7a7101a085550085af9a017ad5eb005fff2401d10a8300f4204c010b5a3d002e70f200718fd60154a51900abdf68018ef5a7"
        hex"000000002464f5e31ac94fc63eadba253586beac11e24b4f2f4ff16a0b2b04893b9d78781ff98d9b215437be0530c25d0e1bc6d42a7f333714d2891230b67cf1"
        hex"000000003b42a2872615402e1d57e2a91e2a245c256886db383f6472037dc6f512386a75297ac8f2342d2a5b0f6f88dc0c124e293750ecae2a070e071145ac80"
        hex"00000000318a188a3390b114021aa99e1a5588bf2bdf903529c539ab184f212134ab1157052109dd073ba04336b1b8c92efe99e81f7481621d6e28fc2ce43076"
        hex"0000000039d33fcc063b7a8b3fe845470c62d43635b1ebfa0a59aebd338a917118c50c45211633891efe76ce272d490214a7d8732d74e7bf129ca2f82b4f9d34"
        hex"000000003e97b75e2f2f6bb511b8dceb0edaf663304d413d21f59dd61f622a881da1cde623367ab8328ea6530c19110d137b3b852dec8cdb3c54503002c3e76e"
        hex"000000001bbd30b135fee14b2e43d1fa3b79e69620c4d6270e8707dd153a376c2677ec253dcadc9413890d6e08343ddf1d0e0ab306b33a0228f0ebf8334ddb49"
        hex"000000003f099b802e97b220119e29a00f2f61603026fae021b8d3401eb148c025969adc1a9f015c0b0128fc3408b37c2ab9fbbc15b0603c042e499c3b27d21c"
        hex"000000000174bd9100797b0b010dc69a324d54e03339e97132342feb3340927a368e8dc037fa305136f7f6cb37834b5a04c3d92005b764b104baa22b05ce1fba"
        hex"000000003ea5a75201926aa73f37cdf501b4746e3f11d33c00261ec93e83b99b01f84cdc3f5deb8e006a267b3ecf8129004c38b23ee99fe001de52153f7bf547"
        hex"0000000019138a0430b7112829a49b2c336e22502a7da85403d933781acab97c3658c1a92f4b4bad06efd0811ffc5a850536e3f91c2569fd3581f2d12c9278d5"
        hex"000000000aabe2fb1543e4ff1fe8060428176dd722bc8f2c3d54892837ff6bd3022e7f8708859d7c176d9b781dc679832a3912502092f0ab3f7af6af35d11454"
        hex"000000000643c9e90c8737d20ac4fe3b190e6aad1f4da34415895d7f13ca94962c5fb3f92a1c7a1020d8842b269b4dc23551d954331210bd39d6ee863f95276f"
        hex"0000000003bf6b0305faf72606459c253c1fc3a83fa0a8ab39e5348e3a5a5f8d2a2ba6702994cd732fd151562c6e3a55163465d8158b0edb13ce92fe1071f9fd"
        hex"000000003bbb3f400acea46f31759b2f1589c8de2e32f79e1f476cb124fc53f12997b595122c8ad5235911fa18e22eba3c1e7d4b07a5420b36d0d9240d6be664"
        hex"000000001267360024ce692036a95f201b88f64009efc0403f469f602d21a9603595cda027f2fba0115ba480033c92802e1d3be03c7a0de00ad352c018b464c0"
        hex"000000000126734900dc47b201fa34fb01acae6d008add240170e9df00569a9601ddd9fa00fbaab301019e480027ed0100717797015704de00ad3025018b436c"
        hex"0000000003ddb080053fe10006e2518008fbe6000b2656800dc407000e19b780009339b0034e893005acd8b0067168300868dfb00bb56f300d573eb00e8a8e30"
        hex"000000000029ff080047df30006e203814dc0c2014f5f328149bd31014b22c1829ac98402985674829eb477029c2b8783d7094603d596b683d374b503d1eb458"
        hex"0000000014daab1400a6e061147c4b75014d64c21597cfd601eb84a315312fb7001eed8414c4469000b80de51462a6f1015389461589225201f56927152fc233"
        hex"00000000228ec6ab1709ac7635876add2c97d8c50e191e6e3b9e74b31910b2180b2f158a29a1d3211c26b9fc3ea87f5727b8cd4f05360be430b16139123fa792"
        hex"000000002ff430770f7860c7208c50b01c74e58e3380d5f9130c85493cf8b53e38e96f1c171d5f6b37910fdb18653fac249d8a920b69bae52be5ea550411da22"
        hex"000000001964da57305915a7293dcff032a6ab4e2bc2711902ffbee91b9b64be3fb21abf26d6c0e80feb0f18168fd54f0d14b1f114706ba63d4da45624297e01"
        hex"00000000189dd1fc312f87d129b2562d0714461b1f8997e7363bc1ca2ea610360cb82d3f1425fcc33d97aaee250a7b120bac6b241331bad83a83ecf5221e3d09"
        hex"0000000037da187b2a465b571d9c432c068c17a731560fdc2cca4cf01b10548b0d0caa6e3ad6b215274af1391090e9420b80bdc93c5aa5b221c6e69e161cfee5"
        hex"000000000c95be66192b79ec15bec78a30d2d7d83c4769be29f9ae34256c105233a50eb93f30b0df2a8e7755261bc9330377d9610fe267071a5ca08d16c91eeb"
        hex"0000000027702e141e705921390077353ce016421b90385622904f6305e061772bc029a40cb007b035b0708512c05e9117203fe6305011f2095066c72e2048d3"
        hex"000000002278736116e4c7e2349cb4832dc92ee40fb15d853b2de90619559a673bf0450a1988366b2d1482e80f6cf18916396bee3441188f00ddac0c22a5df6d"
        hex"0000000017b4e16f2df966de3a4d87b11df21f0a0a46fe65300b79d427bf98bb39743b342ec0da5b148d5dea0339bc852486243e3332c551097f42e01ecba38f"
        hex"00000000250dec501cc20dda39cfe18a39841b9d1c89f7cd25461647004bfa17239832330695de633f5a3fe91a57d3b91a1c29ae3f11c5fe06de247423d3c824"
        hex"00000000081318a110263142183529e3204c6284285f7a25306a53c638794b67128ce4281a9ffc8902aad56a0ab9cdcb32c086ac3ad39e0d22e6b7ee2af5af4f"
        hex"000000001782f6da2d954cbd3a17ba670bba3d531c38cb89262f71ee31ad873415f0fa8f02720c553865b6322fe740e81e4ac7dc09c8310633df8b61245d7dbb"
        hex"000000001086bbfb210d72ff318bc904129ec4f702187f0c3393b60823150df322cb696d324dd29603c61b921340a0693055ad9a20d316611158df6501de649e"
        hex"0000000007e1bd590d537a9b0ab2c7c20424df3803c562610977a5a30e9618fa08491f790fa8a220051a65e202fbd8bb0c6dc0410b8c7d18013ebada06df0783"
        hex"000000002a1462b31fd7e96635c38bd53d3f76cc172b147f22e89faa08fcfd192afaccb800eeae0b352d25de1f39476d17c5ba743dd1d8c708125312220631a1"
        hex"000000003b6a57b226508e6d1d3ad9df1ea119fa25cb4e4838f19797039bc0253d4233dd0628646f1b12bdb02078ea0223e32a2718897d9505b3a44a3ed9f3f8";

    /// What the address adds to the checksum. The table is gone from memory afterwards.
    function sumOf(address account) private pure returns (uint256 sum) {
        uint256 free;
        assembly ("memory-safe") {
            free := mload(0x40)
        }
        bytes memory digits = DIGITS;
        assembly ("memory-safe") {
            let table := add(digits, 0x20)
            // the topmost digit times four, then the next ones
            let rest := shl(96, account)
            for { let end := add(table, 2560) } lt(table, end) { table := add(table, 256) } {
                sum := xor(sum, mload(add(table, and(shr(250, rest), 0x3c))))
                sum := xor(sum, mload(add(add(table, 64), and(shr(246, rest), 0x3c))))
                sum := xor(sum, mload(add(add(table, 128), and(shr(242, rest), 0x3c))))
                sum := xor(sum, mload(add(add(table, 192), and(shr(238, rest), 0x3c))))
                rest := shl(16, rest)
            }
            sum := shr(224, sum)
            mstore(0x40, free)
        }
    }

    /// The checksum of an address of zeros with this prefix, which is in lower case. Those of the chain's own prefixes stand
    /// behind the code, where it has any: see Settings.
    function sumOf(string memory hrp) private pure returns (uint256 sum) {
        sum = Settings.checksum(hrp);
        if (sum == 0) sum = checksum(bytes(hrp), new bytes(38)) ^ 1;
    }

    /// The prefix in lower case, "1", 32 words of five bits and six of the checksum.
    function encode(string memory hrp, address account) internal pure returns (string memory out) {
        hrp = string(lower(bytes(hrp)));
        out = string.concat(hrp, "1                                      ");
        uint256 sum = sumOf(hrp) ^ sumOf(account);
        bytes32 charset = CHARSET;
        assembly ("memory-safe") {
            // the last character first
            let text := sub(add(add(out, 0x20), mload(out)), 1)
            let rest := or(shl(30, and(account, 0xffffffffffffffffffffffffffffffffffffffff)), sum)
            for { let end := sub(text, 38) } gt(text, end) { text := sub(text, 2) } {
                mstore8(text, byte(and(rest, 31), charset))
                mstore8(sub(text, 1), byte(and(shr(5, rest), 31), charset))
                rest := shr(10, rest)
            }
        }
    }

    /// The usual case, quickly: `text` is hrp, "1", and 20 bytes with a right checksum, all in lower case.
    function decodeUsual(string memory hrp, string memory input) internal pure returns (bool ok, address account) {
        uint256 prefixLength = bytes(hrp).length;
        if (bytes(input).length != prefixLength + 39) return (false, account);
        bytes memory values = VALUES;
        uint256 all = 0; // 38 times five bits
        assembly ("memory-safe") {
            let valueOf := add(values, 0x20)
            let text := add(input, 0x20)
            ok := eq(keccak256(text, prefixLength), keccak256(add(hrp, 0x20), prefixLength))
            text := add(text, prefixLength)
            ok := and(ok, eq(byte(0, mload(text)), 0x31))
            text := add(text, 1)
            // above ASCII the table has no entry
            ok := and(ok, iszero(and(or(mload(text), mload(add(text, 6))), HIGH_BITS)))
            let bad := 0
            for { let end := add(text, 38) } lt(text, end) { text := add(text, 2) } {
                let pair := mload(text)
                let value := byte(0, mload(add(valueOf, and(byte(0, pair), 0x7f))))
                let next := byte(0, mload(add(valueOf, and(byte(1, pair), 0x7f))))
                bad := or(bad, or(value, next))
                all := or(shl(10, all), or(shl(5, value), next))
            }
            ok := and(ok, lt(bad, 32))
        }
        account = address(uint160(all >> 30));
        ok = ok && sumOf(hrp) ^ sumOf(account) == all & 0x3fffffff;
    }

    /// failure: empty where the text is well-formed, else the chain's words.
    function decode(string memory input) internal pure returns (string memory failure, string memory hrp, bytes memory data) {
        bytes memory text = bytes(input);
        if (text.length < 8 || text.length > MAX_LENGTH) {
            return (string.concat("decoding bech32 failed: invalid bech32 string length ", Text.number(text.length)), hrp, data);
        }
        bool hasLower;
        bool hasUpper;
        uint256 one; // position after the last '1'
        for (uint256 i = 0; i < text.length; i++) {
            uint8 c = uint8(text[i]);
            if (c < 33 || c > 126) {
                return (string.concat("decoding bech32 failed: invalid character in string: '", Text.latin(c), "'"), hrp, data);
            }
            if (c > 96 && c < 123) hasLower = true;
            else if (c > 64 && c < 91) hasUpper = true;
            else if (c == 0x31) one = i + 1;
            if (hasLower && hasUpper) return ("decoding bech32 failed: string not all lowercase or all uppercase", hrp, data);
        }
        if (hasUpper) text = lower(text);
        if (one < 2 || one + 6 > text.length) {
            string memory index = one == 0 ? "-1" : Text.number(one - 1);
            return (string.concat("decoding bech32 failed: invalid separator index ", index), hrp, data);
        }
        bytes memory prefix = bytes(Text.slice(text, 0, one - 1));
        bytes memory values = bytes(Text.slice(text, one, text.length - one));
        bytes memory valueOf = VALUES;
        for (uint256 i = 0; i < values.length; i++) {
            bytes1 value = valueOf[uint8(values[i])];
            if (value == 0xff) {
                string memory character = Text.number(uint8(values[i]));
                return (string.concat("decoding bech32 failed: invalid character not part of charset: ", character), hrp, data);
            }
            values[i] = value;
        }
        if (checksum(prefix, values) != 1) return (wrongChecksum(prefix, values, text), hrp, data);
        return fromWords(string(prefix), values);
    }

    function wrongChecksum(bytes memory prefix, bytes memory values, bytes memory text) private pure returns (string memory) {
        for (uint256 i = values.length - 6; i < values.length; i++) values[i] = 0;
        uint256 sum = checksum(prefix, values) ^ 1;
        bytes memory expected = new bytes(6);
        for (uint256 i = 0; i < 6; i++) expected[i] = CHARSET[(sum >> (5 * (5 - i))) & 31];
        return string.concat(
            "decoding bech32 failed: invalid checksum (expected ", string(expected), " got ", Text.slice(text, text.length - 6, 6), ")"
        );
    }

    /// Words of 5 bits, without the checksum's six -> bytes.
    function fromWords(string memory prefix, bytes memory values)
        private
        pure
        returns (string memory failure, string memory hrp, bytes memory data)
    {
        uint256 words = values.length - 6;
        data = new bytes((words * 5) / 8);
        uint256 register;
        uint256 bits;
        uint256 at;
        for (uint256 i = 0; i < words; i++) {
            register = ((register & 0xff) << 5) | uint8(values[i]);
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                data[at++] = bytes1(uint8(register >> bits));
            }
        }
        if (bits >= 5 || register & ((1 << bits) - 1) != 0) return ("decoding bech32 failed: invalid incomplete group", hrp, data);
        return ("", prefix, data);
    }

    /// The last 20 bytes, zeros before fewer of them.
    function lastBytes(bytes memory data) internal pure returns (address) {
        uint256 from = data.length > 20 ? data.length - 20 : 0;
        uint160 value = 0;
        for (uint256 i = from; i < data.length; i++) value = (value << 8) | uint8(data[i]);
        return address(value);
    }

    function lower(bytes memory text) private pure returns (bytes memory out) {
        for (uint256 i = 0; i < text.length; i++) {
            bytes1 c = text[i];
            if (c < 0x41 || c > 0x5a) continue;
            if (out.length == 0) out = bytes(Text.slice(text, 0, text.length));
            out[i] = bytes1(uint8(c) + 32);
        }
        if (out.length == 0) out = text;
    }

    /// The polynomial's remainder over prefix and values (the last six of which are the checksum or zero).
    function checksum(bytes memory prefix, bytes memory values) private pure returns (uint256 c) {
        bytes memory polynomial = POLYNOMIAL;
        assembly ("memory-safe") {
            function step(register, value, table) -> next {
                next := xor(xor(shl(5, register), value), shr(216, mload(add(table, mul(5, shr(25, register))))))
            }
            let table := add(polynomial, 0x20)
            let from := add(prefix, 0x20)
            let to := add(from, mload(prefix))
            c := 1
            for { let i := from } lt(i, to) { i := add(i, 1) } { c := step(c, shr(5, byte(0, mload(i))), table) }
            c := step(c, 0, table)
            for { let i := from } lt(i, to) { i := add(i, 1) } { c := step(c, and(byte(0, mload(i)), 31), table) }
            from := add(values, 0x20)
            to := add(from, mload(values))
            for { let i := from } lt(i, to) { i := add(i, 1) } { c := step(c, byte(0, mload(i)), table) }
        }
    }
}

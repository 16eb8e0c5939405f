import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils";

interface Parameter {
  readonly type: string;
  readonly components?: readonly Parameter[];
}

interface Entry {
  readonly name: string;
  readonly inputs: readonly Parameter[];
}

const canonicalType = ({ type, components }: Parameter): string =>
  components === undefined
    ? type
    : `(${components.map(canonicalType).join(",")})${type.slice("tuple".length)}`;

/** The canonical signature: `delegate(address,string,uint256)`. */
export const canonicalSignature = ({ name, inputs }: Entry): string =>
  `${name}(${inputs.map(canonicalType).join(",")})`;

const hash = (entry: Entry) =>
  bytesToHex(keccak_256(utf8ToBytes(canonicalSignature(entry))));

/** The first four bytes of the calldata of a method. */
export const selectorOf = (entry: Entry): `0x${string}` =>
  `0x${hash(entry).slice(0, 8)}`;

/** The first topic of an event's logs. */
export const topicOf = (entry: Entry): `0x${string}` => `0x${hash(entry)}`;

/** An amount in base units of a denomination. */
export const COIN = [
  { name: "denom", type: "string" },
  { name: "amount", type: "uint256" },
] as const;

/** An amount in whole base units; `precision` does not apply to it. */
export const DEC_COIN = [
  { name: "denom", type: "string" },
  { name: "amount", type: "uint256" },
  { name: "precision", type: "uint8" },
] as const;

/** A fraction: `value` / 10^`precision`. */
export const DEC = [
  { name: "value", type: "uint256" },
  { name: "precision", type: "uint8" },
] as const;

/** Which page of a list to return. */
export const PAGE_REQUEST = [
  { name: "key", type: "bytes" },
  { name: "offset", type: "uint64" },
  { name: "limit", type: "uint64" },
  { name: "countTotal", type: "bool" },
  { name: "reverse", type: "bool" },
] as const;

/** Where the next page begins. */
export const PAGE_RESPONSE = [
  { name: "nextKey", type: "bytes" },
  { name: "total", type: "uint64" },
] as const;

/** A page request for the first entry. */
export const FIRST_PAGE = {
  key: "0x",
  offset: 0,
  limit: 1,
  countTotal: false,
  reverse: false,
} as const;

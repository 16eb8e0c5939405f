/** Keys of the modules' stores in hex, as the Cosmos SDK lays them out. */

const prefixed = (address: string) => `14${address.slice(2).toLowerCase()}`;

const bigEndian = (value: bigint) => value.toString(16).padStart(16, "0");

const littleEndian = (value: bigint) =>
  Buffer.from(bigEndian(value), "hex").reverse().toString("hex");

/** Keys of the staking module. */
export const STAKING_KEYS = {
  params: "51",
  lastUnbondingId: "37",
  power: (operator: string) => `11${prefixed(operator)}`,
  validator: (operator: string) => `21${prefixed(operator)}`,
  delegation: (delegator: string, operator: string) =>
    `31${prefixed(delegator)}${prefixed(operator)}`,
  unbonding: (delegator: string, operator: string) =>
    `32${prefixed(delegator)}${prefixed(operator)}`,
} as const;

/** Keys of the distribution module. */
export const DISTRIBUTION_KEYS = {
  feePool: "00",
  params: "09",
  outstanding: (operator: string) => `02${prefixed(operator)}`,
  withdrawAddress: (delegator: string) => `03${prefixed(delegator)}`,
  start: (operator: string, delegator: string) =>
    `04${prefixed(operator)}${prefixed(delegator)}`,
  historical: (operator: string, period: bigint) =>
    `05${prefixed(operator)}${littleEndian(period)}`,
  current: (operator: string) => `06${prefixed(operator)}`,
  commission: (operator: string) => `07${prefixed(operator)}`,
  slashes: (operator: string) => `08${prefixed(operator)}`,
} as const;

/** Parses height and period from the key of a slash. */
export function slashOf(key: string): { height: bigint; period: bigint } {
  const [height, period] = [key.slice(-32, -16), key.slice(-16)];
  return { height: BigInt(`0x${height}`), period: BigInt(`0x${period}`) };
}

/** Keys of the governance module. */
export const GOVERNANCE_KEYS = { nextProposal: "03" } as const;

/** Keys of the mint module. */
export const MINT_KEYS = { minter: "00", params: "01" } as const;

/** Keys of the slashing module. */
export const SLASHING_KEYS = {
  params: "00",
  signingInfos: "01",
  signingInfo: (consensus: string) => `01${prefixed(consensus)}`,
} as const;

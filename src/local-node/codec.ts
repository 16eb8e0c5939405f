/** A message type as cosmjs-types has it. */
export interface Codec<T> {
  /** Such as `/cosmos.bank.v1beta1.QueryBalanceRequest`. */
  readonly typeUrl: string;
  decode(bytes: Uint8Array): T;
  encode(message: T): { finish(): Uint8Array };
  fromPartial(partial: object): T;
  toJSON(message: T): unknown;
}

/** A protobuf message type with the interface of cosmjs-types. */
export interface Codec<T> {
  /** Type URL, such as `/cosmos.bank.v1beta1.QueryBalanceRequest`. */
  readonly typeUrl: string;
  decode(bytes: Uint8Array): T;
  encode(message: T): { finish(): Uint8Array };
  fromPartial(partial: object): T;
  toJSON(message: T): unknown;
}

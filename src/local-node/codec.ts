/** A message type as cosmjs-types has it. */
export interface Codec<T> {
  decode(bytes: Uint8Array): T;
  encode(message: T): { finish(): Uint8Array };
  fromPartial(partial: object): T;
  toJSON(message: T): unknown;
}

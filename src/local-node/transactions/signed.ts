import type {
  AuthInfo,
  TxBody,
  TxRaw,
} from "cosmjs-types/cosmos/tx/v1beta1/tx";

/** What a signature is checked with. */
export interface Signed {
  readonly raw: TxRaw;
  readonly body: TxBody;
  readonly auth: AuthInfo;
  /** Who must have signed, in lower-case hex. */
  readonly sender: string;
}

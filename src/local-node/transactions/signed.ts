import type {
  AuthInfo,
  TxBody,
  TxRaw,
} from "cosmjs-types/cosmos/tx/v1beta1/tx";

/** The parts of a transaction that its signature depends on. */
export interface Signed {
  readonly raw: TxRaw;
  readonly body: TxBody;
  readonly auth: AuthInfo;
  /** Address of the required signer in lower-case hex. */
  readonly sender: string;
}

import type { Books } from "../books/books.js";
import type { Ledger } from "../ledger.js";
import { asFault, Fault, notImplemented } from "../fault.js";
import { AUTH } from "./auth.js";
import { BANK } from "./bank.js";
import { baseService, NODE_SERVICE } from "./base.js";
import { CONSENSUS } from "./consensus.js";
import { DISTRIBUTION } from "./distribution.js";
import { EVM, FEE_MARKET } from "./evm.js";
import { GOVERNANCE } from "./governance.js";
import { GOVERNANCE_V1BETA1 } from "./governance-v1beta1.js";
import type { Method, Service } from "./method.js";
import { MINT } from "./mint.js";
import { SLASHING } from "./slashing.js";
import { STAKING } from "./staking.js";
import { TX } from "./tx.js";
import { UPGRADE } from "./upgrade.js";

/** The chain's query services, by their names on the reference chain. */
export const SERVICES: Readonly<Record<string, Service>> = {
  "cosmos.staking.v1beta1.Query": STAKING,
  "cosmos.distribution.v1beta1.Query": DISTRIBUTION,
  "cosmos.gov.v1.Query": GOVERNANCE,
  "cosmos.gov.v1beta1.Query": GOVERNANCE_V1BETA1,
  "cosmos.slashing.v1beta1.Query": SLASHING,
  "cosmos.mint.v1beta1.Query": MINT,
  "cosmos.consensus.v1.Query": CONSENSUS,
  "cosmos.upgrade.v1beta1.Query": UPGRADE,
  "cosmos.bank.v1beta1.Query": BANK,
  "cosmos.auth.v1beta1.Query": AUTH,
  "cosmos.base.tendermint.v1beta1.Service": baseService(
    async (...asked) => await query(...asked),
  ),
  "cosmos.base.node.v1beta1.Service": NODE_SERVICE,
  "cosmos.tx.v1beta1.Service": TX,
  "cosmos.evm.vm.v1.Query": EVM,
  "cosmos.evm.feemarket.v1.Query": FEE_MARKET,
};

// Names come from clients: `own` keeps them from reaching inherited properties.
const own = <T>(table: Readonly<Record<string, T>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** @throws Fault when there is no such service or method */
function methodOf(service: string, name: string): Method {
  const methods = own(SERVICES, service);
  if (methods === undefined) {
    throw notImplemented(`unknown service ${service}`);
  }
  const found = own(methods, name);
  if (found === undefined) {
    throw notImplemented(`unknown method ${name} for service ${service}`);
  }
  return found;
}

/**
 * Answers an encoded query.
 *
 * @param height 0 for the newest block
 * @returns the encoded response
 * @throws Fault when the query is refused
 */
export async function query(
  ledger: Ledger,
  service: string,
  name: string,
  request: Uint8Array,
  height: bigint,
): Promise<Uint8Array> {
  const found = methodOf(service, name);
  const books = ledger.booksAt(height);
  let decoded: unknown;
  try {
    decoded = found.request.decode(request);
  } catch {
    throw new Fault(13, "grpc: error unmarshalling request: unexpected EOF", {
      code: 18,
      log: "unexpected EOF: invalid request",
    });
  }
  const answer = await answerOf(found, ledger, books, decoded, height);
  return found.response.encode(found.response.fromPartial(answer)).finish();
}

/** @throws Fault when the query is refused, or a fork cannot answer it */
async function answerOf(
  found: Method,
  ledger: Ledger,
  books: Books,
  request: unknown,
  height: bigint,
): Promise<object> {
  const at = height === 0n ? ledger.height : height;
  try {
    return await found.answer({ books, ledger, height: at }, request);
  } catch (error) {
    throw asFault(error);
  }
}

/**
 * Answers a query given as a message.
 *
 * @param path `service/Method`
 * @param height 0 for the newest block
 * @throws Fault when the query is refused
 */
export async function ask(
  ledger: Ledger,
  path: string,
  request: object,
  height: bigint,
): Promise<Readonly<Record<string, unknown>>> {
  const [service = "", name = ""] = path.split("/");
  const found = methodOf(service, name);
  const message = found.request.fromPartial(request);
  const books = ledger.booksAt(height);
  const answer = await answerOf(found, ledger, books, message, height);
  return found.response.fromPartial(answer) as Readonly<
    Record<string, unknown>
  >;
}

import { parseAddress } from "../../address/index.js";
import type { Validator } from "../../framework/query/answers.js";
import { validator as validatorQuestion } from "../../framework/query/staking.js";
import { DualstackError } from "../../support/errors.js";
import { taskCommand } from "../../support/major.js";
import type { ModuleReader } from "./reader.js";

/**
 * The validator of that operator address, in any form.
 *
 * @throws DualstackError when there is none
 */
export async function requireValidator(
  reader: ModuleReader,
  text: string,
): Promise<Validator> {
  const { facts, name } = reader.network;
  const { valoper } = parseAddress(text, {
    prefix: facts.bech32Prefix,
    what: "validator",
  });
  const found = await reader.ask(validatorQuestion, { validator: valoper });
  if (found === null) {
    throw new DualstackError("there is no such validator", {
      network: name,
      address: valoper,
      fix: `${taskCommand("staking validators", name)} lists them.`,
    });
  }
  return found;
}

/** The validators at these addresses, as many at once as the provider takes; null for one that is gone. */
export const validatorsAt = async (
  reader: ModuleReader,
  operators: readonly string[],
): Promise<(Validator | null)[]> =>
  await reader.each(operators, validatorQuestion, (validator) => ({
    validator,
  }));

import { parseAddress } from "../../address/index.js";
import type { Validator } from "../../framework/query/answers.js";
import {
  validator as validatorQuestion,
  validators as validatorsQuestion,
} from "../../framework/query/staking.js";
import { DualstackError } from "../../support/errors.js";
import { taskCommand } from "../../support/major.js";
import { cleanText } from "../../support/text.js";
import type { ModuleReader } from "./reader.js";
import { nameOf } from "./values.js";

/**
 * The validator with an operator address, in any form, or with a moniker.
 *
 * @throws DualstackError if there is none, or several have the moniker
 */
export async function requireValidator(
  reader: ModuleReader,
  text: string,
): Promise<Validator> {
  const { facts, name } = reader.network;
  const options = { prefix: facts.bech32Prefix, what: "validator" };
  if (!looksLikeAddress(text)) {
    return await byMoniker(reader, text);
  }
  const { valoper } = parseAddress(text, options);
  const found = await reader.ask(validatorQuestion, { validator: valoper });
  if (found === null) {
    throw noSuch(name, { address: valoper });
  }
  return found;
}

// A mistyped address is reported as such, not as an unknown moniker.
const looksLikeAddress = (text: string) =>
  /^0x/i.test(text.trim()) || /^[a-z]+1[a-z0-9]{20,}$/i.test(text.trim());

async function byMoniker(
  reader: ModuleReader,
  text: string,
): Promise<Validator> {
  const { name } = reader.network;
  const wanted = text.trim().toLowerCase();
  const monikerOf = ({ operator, description }: Validator) =>
    nameOf(operator, description).moniker;
  const found = (await reader.all(validatorsQuestion, {})).filter(
    (validator) => monikerOf(validator).toLowerCase() === wanted,
  );
  const exact = found.filter(
    (validator) => monikerOf(validator) === text.trim(),
  );
  const [only, ...others] = exact.length === 1 ? exact : found;
  if (only === undefined) {
    throw noSuch(name, { moniker: cleanText(text, 70) });
  }
  if (others.length > 0) {
    // Anybody can take any moniker.
    throw new DualstackError(
      `${found.length} validators are called "${cleanText(text, 70)}"`,
      {
        network: name,
        fix: `Name one by its operator: ${found
          .slice(0, MAX_NAMED)
          .map(({ operator }) => operator.valoper)
          .join(", ")}.`,
      },
    );
  }
  return only;
}

const MAX_NAMED = 5;

const noSuch = (
  network: string,
  of: { readonly address?: string; readonly moniker?: string },
) =>
  new DualstackError(
    of.moniker === undefined
      ? "there is no such validator"
      : `no validator is called "${of.moniker}"`,
    {
      network,
      address: of.address,
      fix: `${taskCommand("staking validators", network)} lists them.`,
    },
  );

/**
 * The validators at these addresses, in as few requests as the provider allows;
 * null for one that is gone.
 */
export const validatorsAt = async (
  reader: ModuleReader,
  operators: readonly string[],
): Promise<(Validator | null)[]> =>
  await reader.each(operators, validatorQuestion, (validator) => ({
    validator,
  }));

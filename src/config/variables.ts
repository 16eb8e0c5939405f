import { ENDPOINT_NAMES, hasEndpoint } from "../chain/endpoints.js";
import { NETWORK_KINDS } from "../chain/facts.js";
import { variableName } from "../chain/variables.js";
import { PRECOMPILE_NAMES } from "../precompiles/addresses.js";
import { FACT_FIELDS } from "./resolve.js";

/** The names of all variables, for documentation and checks. */
export function allVariableNames(): string[] {
  return [
    variableName("privateKey"),
    ...NETWORK_KINDS.flatMap((kind) => [
      variableName("privateKey", kind),
      variableName("baseUrl", kind),
      ...ENDPOINT_NAMES.filter((name) => hasEndpoint(name, kind)).map((name) =>
        variableName(name, kind),
      ),
    ]),
    ...FACT_FIELDS.map((field) => variableName(field)),
    ...PRECOMPILE_NAMES.map((name) => variableName(`${name}Address`)),
    variableName("gasMultiplier"),
  ];
}

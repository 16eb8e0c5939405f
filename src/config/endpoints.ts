import {
  deriveEndpoints,
  ENDPOINT_NAMES,
  type EndpointInputs,
  type EndpointOptions,
  type Endpoints,
} from "../chain/endpoints.js";
import type { NetworkKind } from "../chain/facts.js";
import { variableName } from "../chain/variables.js";
import type {
  ConfigValue,
  EndpointUserSettings,
  ValueFetcher,
} from "./user-config.js";

/** A network's endpoints, from the configuration and variables. */
export async function fetchEndpoints(
  settings: EndpointUserSettings,
  fetchValue: ValueFetcher,
  options: EndpointOptions,
): Promise<Endpoints> {
  const inputs: [string, string | undefined][] = [];
  for (const [field, value] of endpointValues(settings, options.kind)) {
    inputs.push([field, await fetchValue(value)]);
  }
  return deriveEndpoints(Object.fromEntries(inputs), options);
}

/** The same, for variables that can be read at once. */
export function readEndpoints(
  settings: EndpointUserSettings,
  readValue: (value: ConfigValue) => string | undefined,
  options: EndpointOptions,
): Endpoints {
  const inputs = endpointValues(settings, options.kind).map(
    ([field, value]) => [field, readValue(value)],
  );
  return deriveEndpoints(Object.fromEntries(inputs) as EndpointInputs, options);
}

const endpointValues = (
  settings: EndpointUserSettings,
  kind: NetworkKind,
): [string, ConfigValue][] =>
  (["baseUrl", ...ENDPOINT_NAMES] as const).map((field) => [
    field,
    settings[field] ?? {
      _type: "ConfigurationVariable",
      name: variableName(field, kind),
    },
  ]);

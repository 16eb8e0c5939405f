import {
  deriveEndpoints,
  ENDPOINT_NAMES,
  type EndpointInputs,
  type EndpointOptions,
  type Endpoints,
} from "../chain/endpoints.js";
import { variableName } from "../chain/variables.js";
import type { ValueFetcher } from "./resolve.js";
import type { EndpointUserSettings } from "./user-config.js";

/** A network's endpoints from what is configured and what variables hold. */
export async function fetchEndpoints(
  settings: EndpointUserSettings,
  fetchValue: ValueFetcher,
  options: EndpointOptions,
): Promise<Endpoints> {
  const inputs: { -readonly [name in keyof EndpointInputs]: string } = {};
  for (const field of ["baseUrl", ...ENDPOINT_NAMES] as const) {
    const value = await fetchValue(
      settings[field] ?? {
        _type: "ConfigurationVariable",
        name: variableName(field, options.kind),
      },
    );
    if (value !== undefined) {
      inputs[field] = value;
    }
  }
  return deriveEndpoints(inputs, options);
}

import { z } from "zod";

import {
  ENDPOINTS,
  ENDPOINT_NAMES,
  type EndpointName,
  hasEndpoint,
} from "../chain/endpoints.js";
import {
  DEFAULT_FACTS,
  NETWORK_KINDS,
  type NetworkKind,
  NETWORKS,
} from "../chain/facts.js";
import { faucetSchema } from "../faucet/settings.js";
import { fetchVariable } from "../support/major.js";
import { type Pattern, PATTERNS } from "./patterns.js";
import { isPrivateKey, privateKeyRule } from "./private-key.js";
import {
  localnetSchema,
  validateLocalnet,
} from "../localnet/settings/settings.js";
import {
  DEFINITIONS,
  ofPrecompiles,
  PRECOMPILE_NAMES,
} from "../precompiles/addresses.js";

const text = (what: string) =>
  z.string({
    required_error: `${what} is missing`,
    invalid_type_error: `must be a string: ${what}`,
  });

const variable = z.object({
  _type: z.literal("ConfigurationVariable"),
  name: z.string(),
  format: z.string().optional(),
  default: z.string().optional(),
});

const value = (what: string) =>
  z.union([z.string(), variable], {
    errorMap: () => ({
      message: `must be a string or ${fetchVariable("…")}: ${what}`,
    }),
  });

const matching = ({ regex, message }: Pattern) =>
  z.string().regex(regex, message);

const key = () => ({ message: privateKeyRule() });
const privateKey = z.union([z.string().refine(isPrivateKey, key), variable], {
  errorMap: key,
});

const accounts = z.union(
  [
    z.literal("remote"),
    z.array(privateKey),
    z
      .object({
        mnemonic: value("the mnemonic"),
        passphrase: value("the passphrase").optional(),
        path: z.string().optional(),
        initialIndex: z.number().int().nonnegative().optional(),
        count: z.number().int().positive().optional(),
      })
      .strict(),
  ],
  {
    errorMap: (issue, context) => ({
      message:
        issue.code === "invalid_union"
          ? `must be "remote", a list of private keys (each ${fetchVariable("…")} or 32 bytes in hex), or { mnemonic, path?, initialIndex?, count?, passphrase? }`
          : context.defaultError,
    }),
  },
);

const endpointFields = (kind: NetworkKind) => {
  const fields: {
    [name in EndpointName]?: z.ZodOptional<ReturnType<typeof value>>;
  } = {};
  for (const name of ENDPOINT_NAMES) {
    if (hasEndpoint(name, kind)) {
      const { title } = ENDPOINTS[name];
      fields[name] = value(`the address of ${title}`).optional();
    }
  }
  return fields;
};

const CHAIN_ID = "must be the EVM chain ID, a whole number such as 26218";

const network = (kind: NetworkKind) =>
  z
    .object({
      name: matching(PATTERNS.networkName).optional(),
      chainId: z
        .number({ invalid_type_error: CHAIN_ID })
        .int(CHAIN_ID)
        .positive(CHAIN_ID)
        .max(Number.MAX_SAFE_INTEGER, CHAIN_ID)
        .optional(),
      baseUrl: value("the network's base URL").optional(),
      ...endpointFields(kind),
      accounts: accounts.optional(),
      allowInsecure: z
        .boolean({ invalid_type_error: "must be true or false" })
        .optional(),
      ...(NETWORKS[kind].hasFaucet ? { faucet: faucetSchema.optional() } : {}),
    })
    .strict();

const address = matching(PATTERNS.address);

const precompile = z
  .object({
    address: address.optional(),
    abi: z
      .union(
        [
          z.literal("string-description"),
          z.array(z.object({ type: z.string() }).passthrough()),
        ],
        {
          errorMap: () => ({
            message:
              'must be an ABI as a list, or "string-description" for staking',
          }),
        },
      )
      .optional(),
    active: z.boolean().optional(),
  })
  .strict();

const precompiles = z
  .object(ofPrecompiles(() => precompile.optional()))
  .strict()
  .superRefine((entries, context) => {
    for (const name of PRECOMPILE_NAMES) {
      if (name !== "staking" && entries[name]?.abi === "string-description") {
        context.addIssue({
          code: "custom",
          path: [name, "abi"],
          message: '"string-description" is a shape of the staking ABI only',
        });
      }
      if (
        entries[name]?.active === false &&
        DEFINITIONS[name].presence === "documented"
      ) {
        context.addIssue({
          code: "custom",
          path: [name, "active"],
          message: "the chain's networks always have this precompile",
        });
      }
    }
  });

const GAS_CAP = "must be a whole number of gas, at least 21000";

export const gasSchema = z
  .object({
    multiplier: z
      .number({ invalid_type_error: "must be a number, such as 1.2" })
      .min(
        1,
        "must be at least 1: a lower limit than the estimate makes transactions fail",
      )
      .max(10, "must be at most 10")
      .optional(),
    rewardsAllowance: z
      .boolean({ invalid_type_error: "must be true or false" })
      .optional(),
    transactionGasCap: z
      .union(
        [
          z.number().int(GAS_CAP).min(21_000, GAS_CAP),
          z.bigint().min(21_000n, GAS_CAP),
        ],
        { errorMap: () => ({ message: GAS_CAP }) },
      )
      .optional(),
  })
  .strict();

/** `dualstack` of the user's configuration, field by field. */
export const userConfigSchema = z
  .object({
    ...(Object.fromEntries(
      NETWORK_KINDS.map((kind) => [kind, network(kind).optional()]),
    ) as Record<NetworkKind, z.ZodOptional<ReturnType<typeof network>>>),
    localnet: localnetSchema.optional(),
    currency: z
      .object({
        name: text("the native token's name").min(1).optional(),
        symbol: matching(PATTERNS.currencySymbol).optional(),
      })
      .strict()
      .optional(),
    baseDenom: matching(PATTERNS.baseDenom).optional(),
    stableToken: z
      .object({
        symbol: text("the token's symbol").min(1).optional(),
        decimals: z.number().int().min(0).max(36).optional(),
        address: address.optional(),
        denom: text("the token's denomination").min(3).optional(),
      })
      .strict()
      .optional(),
    bech32Prefix: matching(PATTERNS.bech32Prefix).optional(),
    moduleAccounts: z.array(text("a module's name").min(1)).optional(),
    frameworkPrefix: matching(PATTERNS.frameworkPrefix).optional(),
    networkPrefix: matching(PATTERNS.networkPrefix).optional(),
    precompiles: precompiles.optional(),
    gas: gasSchema.optional(),
  })
  .strict();

export interface ConfigIssue {
  readonly path: (string | number)[];
  readonly message: string;
}

/** The names of the fields that a schema has at a path. */
function fieldsAt(
  schema: z.ZodTypeAny,
  path: readonly (string | number)[],
): string[] {
  if (schema instanceof z.ZodOptional) {
    return fieldsAt(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodEffects) {
    return fieldsAt(schema.innerType(), path);
  }
  if (schema instanceof z.ZodUnion) {
    const options: readonly z.ZodTypeAny[] = schema.options;
    return options.flatMap((option) => fieldsAt(option, path));
  }
  const [first, ...rest] = path;
  if (schema instanceof z.ZodArray) {
    return fieldsAt(schema.element, rest);
  }
  if (!(schema instanceof z.ZodObject)) {
    return [];
  }
  const shape: Readonly<Record<string, z.ZodTypeAny>> = schema.shape;
  if (first === undefined) {
    return Object.keys(shape);
  }
  const field = shape[first];
  return field === undefined ? [] : fieldsAt(field, rest);
}

/**
 * The mistakes in `dualstack` of a user's configuration; paths begin with it.
 *
 * @param simulated the names of the simulated networks
 */
export function validateUserConfig(
  config: unknown,
  simulated: readonly string[],
): ConfigIssue[] {
  const result = userConfigSchema.optional().safeParse(config);
  if (!result.success) {
    return result.error.issues.map((issue) => ({
      path: ["dualstack", ...issue.path],
      message:
        issue.code === "unrecognized_keys"
          ? `unknown field: ${issue.keys.join(", ")}; there are ${fieldsAt(userConfigSchema, issue.path).join(", ")}`
          : issue.message,
    }));
  }
  const localnet = result.data?.localnet;
  if (localnet === undefined) {
    return [];
  }
  const strange = Object.keys(localnet.networks ?? {}).filter(
    (name) => !simulated.includes(name),
  );
  return [
    ...strange.map((name) => ({
      path: ["networks", name],
      message: `is not a simulated network; there ${simulated.length === 1 ? "is" : "are"} ${simulated.join(", ")}`,
    })),
    // What the schema alone cannot check: addresses, duplicates, amounts
    // compared with each other.
    ...validateLocalnet(localnet, {
      ...DEFAULT_FACTS,
      ...definedFacts(result.data ?? {}),
    }),
  ].map(({ path, message }) => ({
    path: ["dualstack", "localnet", ...path],
    message,
  }));
}

const definedFacts = ({
  bech32Prefix,
  baseDenom,
}: {
  bech32Prefix?: string;
  baseDenom?: string;
}) => ({
  ...(bech32Prefix === undefined ? {} : { bech32Prefix }),
  ...(baseDenom === undefined ? {} : { baseDenom }),
});

/** The form that a text must have, for the configuration and for variables. */
export interface Pattern {
  readonly regex: RegExp;
  /** What the text must be, beginning with "must be". */
  readonly message: string;
}

const pathPrefix: Pattern = {
  regex: /^[a-z][a-z0-9]*(?:[./][a-z][a-z0-9]*)*$/,
  message:
    'must be like "cosmos" or "cosmos.evm": lower-case parts between dots',
};

export const PATTERNS = {
  networkName: {
    regex: /^[A-Za-z][A-Za-z0-9_-]*$/,
    message: "must be a network name: letters, digits, - and _",
  },
  address: {
    regex: /^0x[0-9a-fA-F]{40}$/,
    message: "must be an address: 0x followed by 40 hexadecimal digits",
  },
  currencySymbol: {
    regex: /^[A-Za-z][A-Za-z0-9]{0,10}$/,
    message:
      "must be 1 to 11 letters and digits (browser wallets accept up to 6)",
  },
  baseDenom: {
    regex: /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/,
    message: "must be a denomination of 3 to 128 characters, such as anative",
  },
  bech32Prefix: {
    regex: /^[a-z][a-z0-9]{0,40}$/,
    message:
      "must be lower-case letters and digits: the prefix of account addresses",
  },
  frameworkPrefix: pathPrefix,
  networkPrefix: pathPrefix,
} as const satisfies Record<string, Pattern>;

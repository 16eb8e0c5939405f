import { cleanText } from "./text.js";

/** A failure in words that follow the name of what failed. */
export interface Told {
  readonly what: string;
  /** What to do about it, in whole sentences. */
  readonly fix: string;
}

const FAULTS: readonly (Told & { readonly pattern: RegExp })[] = [
  {
    pattern:
      /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|CERT_UNTRUSTED|self-signed|unable to (?:verify|get)/i,
    what: "has a certificate from an unknown authority",
    fix: "If you trust it, name the file with the authority's certificate in NODE_EXTRA_CA_CERTS before you start Hardhat.",
  },
  {
    pattern: /ALTNAME|does not match certificate/i,
    what: "has a certificate for another name",
    fix: "Write the host as the certificate names it.",
  },
  {
    pattern: /CERT_HAS_EXPIRED|certificate has expired/i,
    what: "has a certificate that has expired",
    fix: "Its operator must renew it; check the clock of this machine too.",
  },
  {
    pattern: /CERT_NOT_YET_VALID|not yet valid/i,
    what: "has a certificate that is not valid yet",
    fix: "Check the clock of this machine.",
  },
  {
    pattern:
      /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|wrong version number|packet length too long/i,
    what: "does not use encryption on this port",
    fix: "Use the encrypted port; or write http://, ws:// or grpc://, which needs allowInsecure: true for hosts other than this machine.",
  },
  {
    pattern: /sent an HTTP request to an HTTPS|plain HTTP request was sent/i,
    what: "expects encryption on this port",
    fix: "Write https://, wss:// or grpcs://.",
  },
  {
    pattern: /ERR_(?:TLS|SSL)_|\bCERT_|EPROTO|before secure TLS connection/,
    what: "offers no encryption that can be trusted",
    fix: "Check the address; the server, or a proxy in front of it, may speak another version of TLS.",
  },
];

/**
 * What is wrong with an endpoint's encryption, from the code and text of a
 * failure; `undefined` if it is something else.
 */
export function encryptionFault(
  code: string | undefined,
  text: string,
): Told | undefined {
  const found = FAULTS.find(({ pattern }) =>
    pattern.test(`${code ?? ""} ${text}`),
  );
  if (found === undefined) {
    return undefined;
  }
  const names = /cert's altnames: (.+)$/.exec(text)?.[1];
  const detail = names === undefined ? code : cleanText(names, 120);
  return {
    what: `${found.what}${detail === undefined ? "" : ` (${detail})`}`,
    fix: found.fix,
  };
}

import { parseAddress } from "../../address/index.js";
import { DualstackError } from "../../support/errors.js";

/** Where the compiler left room for library addresses: by source, then name, in bytes. */
export type LinkReferences = Readonly<
  Record<
    string,
    Readonly<
      Record<
        string,
        readonly { readonly start: number; readonly length: number }[]
      >
    >
  >
>;

/** Bytecode that is ready to deploy, and the libraries linked into it. */
export interface LinkedCode {
  readonly bytecode: string;
  /** Addresses by name. */
  readonly libraries: ReadonlyMap<string, string>;
}

/**
 * Links libraries into bytecode.
 *
 * @param bytecode as 0x…
 * @param libraries such as `Math=0x…,src/Lib.sol:Math=0x…`
 * @throws DualstackError naming the library that is missing, unknown or
 * ambiguous
 */
export function linkLibraries(
  contract: string,
  bytecode: string,
  references: LinkReferences,
  libraries: string | undefined,
  bech32Prefix: string,
): LinkedCode {
  const wanted = Object.entries(references).flatMap(([source, names]) =>
    Object.entries(names).map(([name, places]) => ({ source, name, places })),
  );
  const given = parseLibraries(libraries, bech32Prefix);
  const shown = (items: readonly { source: string; name: string }[]) =>
    items.map(({ source, name }) => `${source}:${name}`).join(", ");
  const addresses = new Map<(typeof wanted)[number], string>();
  for (const [key, address] of given) {
    const found = wanted.filter(
      ({ source, name }) =>
        // The compiler's names of sources may begin with a root, such as project/.
        key === name || `/${source}:${name}`.endsWith(`/${key}`),
    );
    const [library] = found;
    if (library === undefined) {
      throw new DualstackError(`${contract} uses no library "${key}"`, {
        fix:
          wanted.length === 0
            ? "Leave out --libraries."
            : `It uses ${shown(wanted)}.`,
      });
    }
    if (found.length > 1) {
      throw new DualstackError(`"${key}" is the name of several libraries`, {
        fix: `Write it with its source: ${shown(found)}.`,
      });
    }
    addresses.set(library, address);
  }
  const missing = wanted.filter((library) => !addresses.has(library));
  if (missing.length > 0) {
    throw new DualstackError(
      `${contract} uses libraries whose addresses are not given: ${shown(missing)}`,
      {
        fix: `Deploy them first, then add --libraries ${missing.map(({ name }) => `${name}=0x…`).join(",")}.`,
      },
    );
  }
  let linked = bytecode;
  for (const [{ places }, address] of addresses) {
    for (const { start, length } of places) {
      const at = 2 + start * 2;
      linked =
        linked.slice(0, at) +
        address.slice(2).toLowerCase() +
        linked.slice(at + length * 2);
    }
  }
  return {
    bytecode: linked,
    libraries: new Map(
      [...addresses].map(([{ name }, address]) => [name, address]),
    ),
  };
}

function parseLibraries(
  text: string | undefined,
  prefix: string,
): Map<string, string> {
  const libraries = new Map<string, string>();
  for (const entry of (text ?? "").split(",")) {
    if (entry.trim() === "") {
      continue;
    }
    const at = entry.lastIndexOf("=");
    const name = entry.slice(0, Math.max(at, 0)).trim();
    if (name === "") {
      throw new DualstackError(
        `"${entry.trim().slice(0, 80)}" is not of the form Name=0x…`,
        { fix: "Write --libraries Name=0x…,Other=0x…." },
      );
    }
    const address = parseAddress(entry.slice(at + 1), {
      prefix,
      what: `address of the library ${name}`,
    });
    libraries.set(name, address.hex);
  }
  return libraries;
}

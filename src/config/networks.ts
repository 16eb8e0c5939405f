import {
  LOCALNET,
  NETWORK_KINDS,
  type NetworkKind,
  NETWORKS,
} from "../chain/facts.js";
import { variableName } from "../chain/variables.js";
import { DualstackError } from "../support/errors.js";
import { PLUGIN_ID } from "../support/plugin-id.js";
import type { ConfigValue, DualstackUserConfig } from "./user-config.js";

// Settings of the chain's networks that both majors of Hardhat share.

/**
 * Milliseconds that the node has for an answer: it may hold back the answer for
 * a missing receipt for 30 s.
 */
export const TIMEOUT_MS = 40_000;

/** How often Ignition looks for a transaction, once a second, before it takes it for dropped. */
export const IGNITION_RETRIES = 60;

/** The name of one of the chain's networks in Hardhat. */
export function networkName(
  dualstack: DualstackUserConfig | undefined,
  kind: NetworkKind,
): string {
  // The user's configuration is not validated yet.
  const name: unknown = dualstack?.[kind]?.name;
  return typeof name === "string" && name !== "" ? name : kind;
}

/** The chain ID of one of the chain's networks. */
export function chainIdOf(
  dualstack: DualstackUserConfig | undefined,
  kind: NetworkKind,
): number {
  // The user's configuration is not validated yet.
  const chainId: unknown = dualstack?.[kind]?.chainId;
  return typeof chainId === "number" &&
    Number.isSafeInteger(chainId) &&
    chainId > 0
    ? chainId
    : kind === "localnode"
      ? // It stands for the test network.
        chainIdOf(dualstack, "testnet")
      : NETWORKS[kind].chainId;
}

/** @throws DualstackError if two networks share a name or a chain ID */
export function checkNetworks(
  dualstack: DualstackUserConfig | undefined,
  localName: string = LOCALNET.name,
): void {
  const names = new Map<string, string>([[localName, "the local network"]]);
  for (const kind of NETWORK_KINDS) {
    const name = networkName(dualstack, kind);
    const other = names.get(name);
    if (other !== undefined) {
      throw new DualstackError(
        `dualstack.${kind}.name: "${name}" is already the name of ${other}`,
        { fix: "Choose another one." },
      );
    }
    names.set(name, NETWORKS[kind].title);
  }
  for (const kind of ["testnet", "localnode"] as const) {
    const chainId = chainIdOf(dualstack, kind);
    if (chainId === chainIdOf(dualstack, "mainnet")) {
      throw new DualstackError(
        `dualstack.${kind}.chainId and dualstack.mainnet.chainId are both ${chainId}: the chain ID tells the networks apart`,
        {
          fix: "Give each network its own; one that does not exist can keep its default.",
        },
      );
    }
  }
}

/**
 * The error for a user's network with the name of one of ours. @param what such
 * as "has chain ID 5"
 */
export const nameTaken = (
  name: string,
  kind: NetworkKind,
  chainId: number,
  what: string,
) =>
  new DualstackError(
    `The network "${name}" of your configuration ${what}, but ${PLUGIN_ID} uses that name for chain ID ${chainId}`,
    {
      fix: `Give ours another name, dualstack.${kind}.name: "…", or rename yours. If yours is the chain itself, set dualstack.${kind}.chainId.`,
    },
  );

/** The explorer's address, if it is known without asking for a password. */
export function explorerUrl(
  given: ConfigValue | undefined,
  kind: NetworkKind,
  read: (name: string) => string | undefined,
): string | undefined {
  const text =
    typeof given === "string"
      ? given
      : read(given?.name ?? variableName("explorerUrl", kind));
  const url = text?.trim().replace(/\/+$/, "");
  return url === undefined || url === "" ? undefined : url;
}

/** Where an explorer of this kind accepts verification requests. */
export const explorerApi = (url: string): string => `${url}/api`;

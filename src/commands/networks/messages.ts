import { PRECOMPILE_NAMES } from "../../precompiles/index.js";
import { capitalize } from "../../support/text.js";
import type { EndpointRecord, NetworkRecord } from "./index.js";
import { labelled } from "../shared/layout.js";

export function networksText(networks: readonly NetworkRecord[]): string[] {
  return networks.flatMap((network, index) => [
    ...(index === 0 ? [] : [""]),
    `${network.name}: ${network.title}`,
    ...labelled([
      ["Chain ID", String(network.chainId)],
      [
        "Currency",
        `${network.currency.symbol} (${network.currency.name}), ${network.currency.decimals} decimals, base unit ${network.baseDenom}`,
      ],
      ["Addresses", `0x… and ${network.bech32Prefix}1…`],
      ...network.endpoints.map(
        (record) => [record.title, endpointText(record)] as const,
      ),
      [
        "Faucet",
        network.kind === "mainnet"
          ? "none on the main network"
          : network.kind === "local" && !network.hasFaucet
            ? "the node itself grants tokens"
            : undefined,
      ],
      [
        "Endpoints",
        network.endpoints.length === 0
          ? "none: it runs in the process that uses it"
          : undefined,
      ],
      ...PRECOMPILE_NAMES.map(
        (name) =>
          [
            capitalize(name),
            network.activePrecompiles.includes(name)
              ? network.precompiles[name]
              : `${network.precompiles[name]} (not active)`,
          ] as const,
      ),
    ]),
  ]);
}

function endpointText({ address, variable, note }: EndpointRecord): string {
  const text =
    address ??
    `not configured${variable === undefined ? "" : `: set ${variable}`}`;
  return note === undefined ? text : `${text} (${note})`;
}

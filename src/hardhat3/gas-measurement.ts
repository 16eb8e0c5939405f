import type { NetworkHooks } from "hardhat/types/hooks";

type Measurement = Parameters<NetworkHooks["onGasMeasurement"]>[1];

/** What Hardhat calls a proxy that it has not compiled. */
const UNRECOGNIZED = "<UnrecognizedContract>";

/**
 * Takes the emulation's own proxies out of a measurement. A contract that pays
 * a precompile may have them in front of its code for that transaction, and
 * Hardhat would show the contract a second time, behind unknown ones.
 */
export function takePayerOut(measurement: Measurement): void {
  if (measurement.type === "function") {
    const { proxyChain } = measurement;
    const unknown = proxyChain.findIndex((name) => name !== UNRECOGNIZED);
    if (unknown > 0) {
      // A chain without proxies is empty; the same list is in Hardhat's report.
      const isAlone = proxyChain.length === unknown + 1;
      proxyChain.splice(0, isAlone ? proxyChain.length : unknown);
    }
  }
}

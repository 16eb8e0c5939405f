import type { NetworkHooks } from "hardhat/types/hooks";

type Measurement = Parameters<NetworkHooks["onGasMeasurement"]>[1];

/** Hardhat's name for a proxy that it has not compiled. */
const UNRECOGNIZED = "<UnrecognizedContract>";

/**
 * Removes the emulation's own proxies from a measurement. A contract that pays
 * a precompile may have them in front of its code for that transaction, and
 * Hardhat would list the contract a second time, behind unknown ones.
 */
export function takePayerOut(measurement: Measurement): void {
  if (measurement.type === "function") {
    const { proxyChain } = measurement;
    const unknown = proxyChain.findIndex((name) => name !== UNRECOGNIZED);
    if (unknown > 0) {
      // Changed in place, since Hardhat's report has the same list. Without
      // proxies it is empty.
      const isAlone = proxyChain.length === unknown + 1;
      proxyChain.splice(0, isAlone ? proxyChain.length : unknown);
    }
  }
}

import type { NetworkHooks } from "hardhat/types/hooks";

type Measurement = Parameters<NetworkHooks["onGasMeasurement"]>[1];

/** What Hardhat calls a proxy that it has not compiled. */
const UNRECOGNIZED = "<UnrecognizedContract>";

/**
 * Takes the emulation's own proxy out of a measurement. A contract that pays a
 * precompile has it in front of its code for that transaction, and Hardhat
 * would show the contract a second time, behind an unknown one.
 */
export function takePayerOut(measurement: Measurement): void {
  if (measurement.type === "function") {
    const { proxyChain } = measurement;
    if (proxyChain[0] === UNRECOGNIZED) {
      // A chain without proxies is empty; the same list is in Hardhat's report.
      proxyChain.splice(0, proxyChain.length === 2 ? 2 : 1);
    }
  }
}

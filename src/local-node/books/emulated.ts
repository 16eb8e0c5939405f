import type { Views } from "./views.js";
import { EmulatedAuthBooks } from "./auth.js";
import { EmulatedBankBooks } from "./bank.js";
import type { Books } from "./books.js";
import { EmulatedDistributionBooks } from "./distribution.js";
import { EmulatedEvmBooks } from "./evm.js";
import { EmulatedGovernanceBooks } from "./governance.js";
import { EmulatedMintBooks } from "./mint.js";
import { Reading, type Surroundings } from "./reading.js";
import { EmulatedSlashingBooks } from "./slashing.js";
import { EmulatedStakingBooks } from "./staking.js";

/**
 * Returns the books of the emulated modules at the end of one block.
 *
 * @param views of the modules at that block
 */
export function emulatedBooks(views: Views, around: Surroundings): Books {
  const reading = new Reading(views, around);
  const staking = new EmulatedStakingBooks(reading);
  const bank = new EmulatedBankBooks(reading);
  return {
    staking,
    distribution: new EmulatedDistributionBooks(reading),
    governance: new EmulatedGovernanceBooks(reading),
    bank,
    auth: new EmulatedAuthBooks(reading),
    mint: new EmulatedMintBooks(reading, staking, bank),
    slashing: new EmulatedSlashingBooks(reading, staking),
    evm: new EmulatedEvmBooks(reading),
    nextDue: async () => BigInt((await reading.state()).nextDue),
  };
}

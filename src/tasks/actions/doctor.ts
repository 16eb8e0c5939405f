import { doctor } from "../../commands/doctor/index.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import { precompileAbis } from "../abis.js";
import { action } from "../host.js";

interface DoctorArguments {
  readonly address: string | undefined;
  readonly timeout: string;
}

export default action(async ({ address, timeout }: DoctorArguments, host) => {
  const opened = await host.openNetwork();
  return await doctor(
    {
      ...opened,
      abis: precompileAbis(host.config),
      account: async () =>
        address ?? (await host.accountAtHand(opened.network)),
      timeoutMs: milliseconds(timeout),
    },
    host.ui,
  );
});

function milliseconds(seconds: string): number {
  const value = Number(seconds);
  if (!(value > 0 && value <= 600)) {
    throw new DualstackError(
      `--timeout "${cleanText(seconds, 20)}" is not a number of seconds up to 600`,
    );
  }
  return value * 1000;
}

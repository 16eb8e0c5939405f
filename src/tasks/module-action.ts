import { ModuleReader } from "../commands/modules/reader.js";
import { printResult } from "../commands/output.js";
import type { Sender } from "../commands/sending.js";
import type { Ui } from "../commands/ui.js";
import { accountsOf } from "./connect.js";
import { action } from "./host.js";

/** An action that asks the chain's modules; no key is needed for that. */
export const readingAction = <Options, Report>(
  command: (reader: ModuleReader, options: Options) => Promise<Report>,
  text: (report: Report) => readonly string[],
) =>
  action(async (options: Options, host) => {
    const reader = new ModuleReader(await host.connectForReading());
    const report = await command(reader, options);
    return printResult(host.ui, report, text(report));
  });

/** The same about one account, by default the network's first one. */
export const accountAction = <Report>(
  command: (reader: ModuleReader, address: string, ui: Ui) => Promise<Report>,
  text: (report: Report) => readonly string[],
) =>
  action(
    async ({ address }: { readonly address: string | undefined }, host) => {
      const [first = ""] =
        address === undefined
          ? await accountsOf(await host.connectForSending())
          : [];
      const reader = new ModuleReader(await host.connectForReading());
      const report = await command(reader, address ?? first, host.ui);
      return printResult(host.ui, report, text(report));
    },
  );

/** An action that sends a transaction of the network's first account. */
export const sendingAction = <Options, Report>(
  command: (sender: Sender, ui: Ui, options: Options) => Promise<Report>,
  text: (report: Report) => readonly string[],
) =>
  action(async (options: Options, host) => {
    const sender = await host.connectForSending();
    if (host.isSimulated(sender.network.name)) {
      host.ui.note(
        "This network exists only until the task ends, and what is done on it with it.",
      );
    }
    const report = await command(sender, host.ui, options);
    return printResult(host.ui, report, text(report));
  });

import { LocalChainControl } from "../commands/local/control.js";
import { ModuleReader } from "../commands/modules/reader.js";
import { printResult } from "../commands/shared/output.js";
import type { Sender } from "../commands/shared/sending.js";
import type { Ui } from "../commands/shared/ui.js";
import { accountsOf } from "./connect.js";
import { action, type TaskHost } from "./host.js";

/** A report as lines; `width` is that of the terminal, `undefined` in a pipe. */
type ReportText<Report> = (report: Report, width?: number) => readonly string[];

/** An action that asks the chain's modules; needs no key. */
export const readingAction = <Options, Report>(
  command: (reader: ModuleReader, options: Options) => Promise<Report>,
  text: ReportText<Report>,
) =>
  action(async (options: Options, host) => {
    const reader = new ModuleReader(await host.connectForReading());
    const report = await command(reader, options);
    return printResult(host.ui, report, text(report, host.ui.columns?.()));
  });

/** A reading action about one account, by default the network's first one. */
export const accountAction = <Report>(
  command: (reader: ModuleReader, address: string, ui: Ui) => Promise<Report>,
  text: ReportText<Report>,
) =>
  action(
    async ({ address }: { readonly address: string | undefined }, host) => {
      const [first = ""] =
        address === undefined
          ? await accountsOf(await host.connectForSending())
          : [];
      const reader = new ModuleReader(await host.connectForReading());
      const report = await command(reader, address ?? first, host.ui);
      return printResult(host.ui, report, text(report, host.ui.columns?.()));
    },
  );

/** Simulated networks that a notice was shown for. */
const told = new Set<string>();

/** Warns that a network exists only in this process, once for all tasks of a script. */
function tellOfItsEnd(host: TaskHost, name: string): void {
  if (host.isSimulated(name) && !told.has(name)) {
    told.add(name);
    host.ui.note(
      `The network ${name} exists only in this process: what is done on it is lost afterwards. "npx hardhat node" runs one that stays.`,
    );
  }
}

/** The network and the account that a task sends with. */
export async function openSender(
  host: TaskHost,
  from: string | undefined,
): Promise<Sender> {
  const sender = await host.connectForSending();
  tellOfItsEnd(host, sender.network.name);
  return from === undefined ? sender : { ...sender, from };
}

/** An action that sends a transaction from one of the network's accounts. */
export const sendingAction = <Options, Report>(
  command: (sender: Sender, ui: Ui, options: Options) => Promise<Report>,
  text: ReportText<Report>,
) =>
  action(
    async (options: Options & { readonly from: string | undefined }, host) => {
      const sender = await openSender(host, options.from);
      const report = await command(sender, host.ui, options);
      return printResult(host.ui, report, text(report, host.ui.columns?.()));
    },
  );

/** An action that controls a local chain, in another process or in this one. */
export const localAction = <Options, Report>(
  command: (control: LocalChainControl, options: Options) => Promise<Report>,
  text: ReportText<Report>,
) =>
  action(async (options: Options, host) => {
    const connected = await host.connectForReading();
    const control = new LocalChainControl(connected);
    tellOfItsEnd(host, connected.network.name);
    const report = await command(control, options);
    return printResult(host.ui, report, text(report, host.ui.columns?.()));
  });

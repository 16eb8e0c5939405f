import { createRequire } from "node:module";
import path from "node:path";

import { checkLibrary, createStarter } from "../../commands/init/index.js";
import { initText } from "../../commands/init/messages.js";
import { printResult } from "../../commands/shared/output.js";
import { PLUGIN_ID } from "../../support/plugin-id.js";
import { action } from "../host.js";

interface InitArguments {
  readonly folder: string | undefined;
  readonly library: string;
}

export default action(
  async (
    { folder = "dualstack-starter", library }: InitArguments,
    { projectRoot, ui },
  ) => {
    // The installed package: this module may be bundled anywhere in it.
    const manifest = createRequire(
      path.join(projectRoot, "package.json"),
    ).resolve(`${PLUGIN_ID}/package.json`);
    const report = await createStarter({
      folder: path.resolve(folder),
      library: checkLibrary(library),
      packageRoot: path.dirname(manifest),
    });
    const shown = path.relative(process.cwd(), report.folder) || ".";
    return printResult(ui, report, initText(report, shown));
  },
);

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import ts from "typescript";

import { parseAddress } from "../../src/address/index.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { NETWORKS } from "../../src/chain/facts.js";
import { deadLinks } from "../docs/links.js";
import { UNTOLD } from "../helpers/typescript.js";
import {
  install,
  NAME,
  node,
  pack,
  remove,
  ROOT,
  temporary,
} from "./package.js";

const require = createRequire(import.meta.url);
const PEERS = ["hardhat", "@nomicfoundation/hardhat-ethers", "ethers"];
const OWN = ["viem", "solc", "typescript", "@types/node"];
const ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

/** The program of a project's own settings, in which libraries can be checked, too. */
function programOf(project: string): ts.Program {
  const { config } = ts.readConfigFile(
    path.join(project, "tsconfig.json"),
    (file) => ts.sys.readFile(file),
  );
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    project,
    { skipLibCheck: false },
  );
  return ts.createProgram({ rootNames: fileNames, options });
}

describe("the package from its tarball", () => {
  let place: string;
  let project: string;
  let bare: string;
  let files: string[];
  let tarball: string;
  let program: ts.Program | undefined;

  before(async () => {
    place = await temporary();
    project = path.join(place, "project");
    bare = path.join(place, "bare");
    const packed = await pack();
    files = packed.files;
    tarball = packed.tarball;
    await install(tarball, project, [...PEERS, ...OWN]);
    // Here not even Hardhat is installed.
    await install(tarball, bare, []);
  });
  after(() => remove(place));

  const hardhat = async (...args: string[]) => {
    const ran = await node(
      project,
      "node_modules/hardhat/dist/src/cli.js",
      ...args,
    );
    assert.equal(ran.code, 0, ran.stderr + ran.stdout);
    return ran.stdout;
  };
  const script = async (directory: string, file: string, code: string) => {
    await writeFile(path.join(directory, file), code);
    return await node(directory, file);
  };

  it("has what users need, and nothing that only builds or tests it", async () => {
    for (const file of [
      "dist/esm/index.js",
      "dist/esm/index.d.ts",
      "require.cjs",
      "contracts/IStaking.sol",
      "contracts/IDistribution.sol",
      "contracts/IGovernance.sol",
      "contracts/IBech32.sol",
      "contracts/Types.sol",
      "package.json",
      "README.md",
      "LICENSE",
      "CHANGELOG.md",
    ]) {
      assert.ok(files.includes(file), file);
    }
    const strange = files.filter((file) =>
      /^(?:test|bench|scripts|node_modules|\.|fixtures\/(?!staking-vault\/|starter\/))|\/(?:artifacts|cache|types|node_modules)\//.test(
        file,
      ),
    );
    assert.deepEqual(strange, []);
    for (const file of files.filter((name) =>
      /\.(?:js|cjs|ts|sol|json|map)$/.test(name),
    )) {
      const text = await readFile(
        path.join(project, "node_modules", NAME, file),
        "utf8",
      );
      assert.ok(
        !text.includes(ROOT),
        `${file} names a path of the machine that built it`,
      );
    }
  });

  it("has the documentation, and every link in it leads somewhere", async () => {
    const pages: Record<string, string> = {};
    for (const file of files.filter((name) => name.endsWith(".md"))) {
      pages[file] = await readFile(
        path.join(project, "node_modules", NAME, file),
        "utf8",
      );
    }
    assert.ok(
      Object.keys(pages).filter((name) => /^docs\//.test(name)).length > 8,
    );
    assert.deepEqual(deadLinks(pages, files), []);
    const readme = pages["README.md"] ?? "";
    assert.ok(
      readme.split("\n").length <= 250,
      "the README has more than 250 lines",
    );
    for (const page of Object.keys(pages).filter((name) =>
      /^docs\//.test(name),
    )) {
      assert.ok(
        readme.includes(`](${page})`),
        `the README does not link to ${page}`,
      );
    }
  });

  /** The errors in some files of the project's program, which can be libraries. */
  const errorsIn = (
    isMeant: (file: string, roots: readonly string[]) => boolean,
  ): string[] => {
    const all = (program ??= programOf(project));
    const sources = all
      .getSourceFiles()
      .filter(({ fileName }) => isMeant(fileName, all.getRootFileNames()));
    assert.ok(sources.length > 0);
    return sources.flatMap((source) =>
      ts
        .getPreEmitDiagnostics(all, source)
        .map(
          ({ messageText }) =>
            `${source.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
        ),
    );
  };

  it("its types resolve with moduleResolution node16", () => {
    const errors = errorsIn((file, roots) => roots.includes(file));
    assert.deepEqual(errors, []);
  });

  it("its declarations stand on their own", () => {
    // The whole program's errors would be those of all its libraries.
    const ours = path.join(project, "node_modules", NAME, "dist");
    const errors = errorsIn((file) => file.startsWith(ours));
    assert.deepEqual(errors, []);
  });

  for (const [resolution, module] of [
    ["nodenext", "nodenext"],
    ["bundler", "esnext"],
  ] as const) {
    it(`its types resolve with moduleResolution ${resolution}`, async () => {
      const tsc = require.resolve("typescript/bin/tsc");
      const ran = await node(
        project,
        tsc,
        "-p",
        ".",
        "--module",
        module,
        "--moduleResolution",
        resolution,
      );
      assert.equal(ran.code, 0, ran.stdout);
    });
  }

  it("adds no type error to a project with Hardhat alone that checks libraries too", async () => {
    const alone = path.join(place, "alone");
    await install(tarball, alone, [...PEERS, "solc", "@types/node"]);
    await writeFile(
      path.join(alone, "hardhat2.ts"),
      `import "${NAME}/hardhat2";`,
    );
    await writeFile(
      path.join(alone, "tsconfig.alone.json"),
      JSON.stringify({
        extends: "./tsconfig.json",
        compilerOptions: { skipLibCheck: false },
        include: ["hardhat.config.ts", "scripts"],
      }),
    );
    const tsc = require.resolve("typescript/bin/tsc");
    const checked = await node(
      alone,
      tsc,
      ...["-p", "tsconfig.alone.json", "--listFiles"],
    );
    assert.equal(checked.code, 0, checked.stdout);
    // The declarations of @cosmjs fail such a check: neither entry may lead there.
    for (const reached of [
      checked,
      await node(
        alone,
        tsc,
        "--listFilesOnly",
        ...["--module", "node16", "--types", "node", "hardhat2.ts"],
      ),
    ]) {
      assert.match(reached.stdout, /node-rpc\/sender\.d\.ts/);
      assert.doesNotMatch(reached.stdout, /@cosmjs\//);
    }
  });

  it("its tasks run", async () => {
    const networks = JSON.parse(
      await hardhat("dualstack", "networks", "--json"),
    );
    assert.ok(
      JSON.stringify(networks).includes(
        "https://testnet.dualstack.example/evm",
      ),
    );
    assert.ok(
      JSON.stringify(networks).includes(String(NETWORKS.mainnet.chainId)),
    );
    const address = JSON.parse(
      await hardhat("dualstack", "address", ADDRESS, "--json"),
    );
    assert.ok(JSON.stringify(address).includes(parseAddress(ADDRESS).account));
    assert.match(
      await hardhat("dualstack", "balance", ADDRESS, "--network", "localnet"),
      /10000/,
    );
  });

  it("contracts that import its interfaces stake on the local network", async () => {
    assert.match(await hardhat("build"), /Compiled/);
    const printed = await hardhat("run", "scripts/stake.ts", "--no-compile");
    const result = JSON.parse(printed.trim().split("\n").at(-1) ?? "");
    assert.equal(result.governance, PRECOMPILE_ADDRESSES.governance);
    assert.equal(result.staked, "7");
    assert.notEqual(result.moniker, "");
  });

  for (const subpath of ["chain", "address", "precompiles"]) {
    it(`${subpath} can be imported and required without Hardhat, ethers or viem`, async () => {
      const use = `console.log(Object.keys(m).length > 3 && Object.values(m).every((v) => v !== undefined));`;
      const imported = await script(
        bare,
        `${subpath}.mjs`,
        `import * as m from "${NAME}/${subpath}"; ${use}`,
      );
      assert.equal(imported.stdout.trim(), "true", imported.stderr);
      const required = await script(
        bare,
        `${subpath}.cjs`,
        `const m = require("${NAME}/${subpath}"); ${use}`,
      );
      assert.equal(required.stdout.trim(), "true", required.stderr);
    });

    it(
      `${subpath} loads neither the plugin nor a peer, though they are installed`,
      { skip: UNTOLD },
      async () => {
        const { stdout, stderr } = await script(
          project,
          `${subpath}-loads.mjs`,
          `import { registerHooks } from "node:module";
         const urls = [];
         registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
         await import("${NAME}/${subpath}");
         console.log(JSON.stringify(urls));`,
        );
        const urls = JSON.parse(stdout || JSON.stringify(stderr));
        assert.ok(
          urls.some((url: string) =>
            url.includes(`${NAME}/dist/esm/${subpath}/`),
          ),
        );
        const unwanted =
          /\/dist\/esm\/index\.js$|node_modules\/(?:hardhat|ethers|viem|@nomicfoundation)\//;
        assert.deepEqual(
          urls.filter((url: string) => unwanted.test(url)),
          [],
        );
      },
    );
  }

  it("says in one line that it needs Hardhat 3 when it is required", async () => {
    const { code, stderr } = await script(
      project,
      "required.cjs",
      `require("${NAME}");`,
    );
    assert.notEqual(code, 0);
    const [line] = stderr
      .split("\n")
      .filter((text) => /^(?:HardhatPlugin)?Error/.test(text));
    assert.match(
      line ?? "",
      /^HardhatPluginError: hardhat-dualstack .*Hardhat 3.*import dualstack from "hardhat-dualstack"/,
    );
  });

  it("lets nobody import what it does not export", async () => {
    const { code, stderr } = await script(
      project,
      "inside.mjs",
      `import "${NAME}/dist/esm/index.js";`,
    );
    assert.notEqual(code, 0);
    assert.match(stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });
});

import {
  type Block,
  blocksOf,
  type Command,
  consoleCode,
  trimmed,
} from "./blocks.js";
import { Project, type Major } from "./project.js";

/** The test network of a page's readers, which pages call `https://testnet.example`. */
export interface Testnet {
  /** Environment variables that lead the plugin to it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Puts the addresses that readers would see into what is printed. */
  disguise(output: string): string;
}

export interface PageRun {
  /** The page with the outputs as they are now. */
  readonly text: string;
  /** What went wrong, and on which lines of the page. */
  readonly problems: readonly string[];
}

interface Runner {
  readonly major: Major;
  readonly tarball: string;
  readonly testnet: Testnet;
  /** What readers have when they come to the page: packages, and files of their project. */
  readonly packages: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Does what a reader does who follows a page: writes its files and runs its
 * commands. In the end it runs the scripts and tests that no command ran.
 */
export async function runPage(
  name: string,
  text: string,
  { major, tarball, testnet, packages, files }: Runner,
): Promise<PageRun> {
  await using project = await Project.create(major, tarball);
  await project.install(packages);
  for (const [file, code] of Object.entries(files)) {
    await project.write(file, code);
  }
  const problems: string[] = [];
  const left = new Set<string>();
  let isStale = false;

  const build = async (at: string) => {
    if (isStale) {
      isStale = false;
      const { code, output } = await project.run("npx hardhat compile --quiet");
      if (code !== 0) {
        problems.push(`${at}: the contracts do not compile:\n${output}`);
      }
    }
  };
  /** @returns what it prints; `undefined` if it fails, or only prepares something */
  const run = async (at: string, command: string, shown?: string) => {
    const install = /^npm install (?:--save-dev|-D) (.+)$/.exec(command);
    if (install !== null) {
      await project.install(String(install[1]).split(/\s+/).map(nameOf));
      return undefined;
    }
    const variable = /^export (\w+)=(\S+)$/.exec(command);
    if (variable !== null) {
      const [, key = "", value = ""] = variable;
      project.export(
        value.endsWith("testnet.example")
          ? testnet.variables
          : { [key]: value },
      );
      return undefined;
    }
    await build(at);
    if (/^npx hardhat node\b/.test(command)) {
      await project.startNode(command);
      return undefined;
    }
    for (const file of left) {
      if (
        command.includes(file) ||
        (isTest(file) && /^npx hardhat test(?: \w+)?$/.test(command))
      ) {
        left.delete(file);
      }
    }
    const { code, output } = await (/ dualstack watch\b/.test(command)
      ? project.runUntil(shown?.split("\n").length ?? 1, command)
      : project.run(command));
    if (code !== 0) {
      problems.push(`${at}: \`${command}\` ended with ${code}:\n${output}`);
      return undefined;
    }
    return trimmed(testnet.disguise(output).replace(/[ \t]+$/gm, ""));
  };

  let result = "";
  let copied = 0;
  for (const block of blocksOf(name, text)) {
    const at = `${name}:${block.line}`;
    if (block.kind === "file") {
      await project.write(block.path, block.code);
      isStale ||= /\.sol$|^hardhat\.config/.test(block.path);
      if (isScript(block.path) || isTest(block.path)) {
        left.add(block.path);
      }
    } else if (block.kind === "commands") {
      const ran: Command[] = [];
      for (const { text: command, output } of block.commands) {
        const printed = await run(at, command, output);
        const isSame =
          output === undefined ||
          printed === undefined ||
          squeezed(output) === squeezed(printed);
        ran.push({ text: command, output: isSame ? output : printed });
        if (!isSame) {
          problems.push(
            `${at}: \`${command}\` prints something else (npm run docs writes it):\n${printed}`,
          );
        }
      }
      if (ran.some(({ output }) => output !== undefined)) {
        result += text.slice(copied, block.start) + consoleCode(ran);
        copied = block.end;
      }
    }
  }
  await build(name);
  for (const file of left) {
    await run(name, `npx hardhat ${isTest(file) ? "test" : "run"} ${file}`);
  }
  return { text: result + text.slice(copied), problems };
}

/** Returns the files of a page that TypeScript checks. */
export const typedFiles = ({
  name,
  text,
}: {
  readonly name: string;
  readonly text: string;
}) =>
  blocksOf(name, text).filter(
    (block): block is Block & { readonly kind: "file" } =>
      block.kind === "file" && block.path.endsWith(".ts"),
  );

const isScript = (file: string) => file.startsWith("scripts/");
const isTest = (file: string) =>
  /^test\/.*\.[jt]s$/.test(file) || file.endsWith(".t.sol");

/** Returns a package's name without its version. */
const nameOf = (asked: string) => asked.replace(/(?<=.)@.*$/, "");

/** Removes from what a command prints what differs between two runs. */
export const squeezed = (output: string): string =>
  output
    // Mocha shows how long a test took only if that was long.
    .replace(/ \(\d+m?s\)/g, "")
    .replace(/\d+(?:\.\d+)? ?m?s\b/g, "<duration>")
    .replace(/^\d\d:\d\d:\d\d\b/gm, "<time>")
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?/g, "<time>")
    .replace(/\b(head|block|EVM|RPC|REST) \d{3,}\b/g, "$1 <height>")
    .replace(/0x[0-9a-f]{64}\b/g, "<hash>")
    .replace(/[ \t]+/g, " ")
    .trim();

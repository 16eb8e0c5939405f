import assert from "node:assert/strict";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Interface } from "ethers";

import { KeptOnDisk } from "../../src/live-state/kept.js";
import { LiveReader } from "../../src/live-state/reader.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { PRECOMPILES } from "../../src/precompiles/catalog.js";
import { HttpClient } from "../../src/rpc/http-client.js";
import { DualstackError } from "../../src/support/errors.js";
import {
  type ArchiveServer,
  open,
  serve,
} from "../servers/archive/archive.mjs";
import {
  answerOf,
  archive,
  ARCHIVE_FILE,
  FACTS,
  type Fork,
  fork,
  viewsAt,
} from "./archive.js";
import {
  compounds,
  delegationsOf,
  DELEGATOR,
  HEIGHT,
  OPERATORS,
} from "./cast.js";

/** Changes an answer, or sends another one itself. */
type Fault = (
  answer: string,
  response: ServerResponse,
  url: string,
) => string | undefined;

describe("reading a chain that does not answer as it should", () => {
  let server: ArchiveServer;
  let cache: string;
  let fault: Fault = (answer) => answer;
  let number = 0;

  /** Stands in front of the recorded chain. */
  const front = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const behind = await fetch(`${server.url}${request.url ?? ""}`, {
      method: "POST",
      body: Buffer.concat(chunks),
    });
    const text = fault(await behind.text(), response, request.url ?? "");
    if (text === undefined) return;
    response.setHeader("content-type", "application/json");
    response.end(text);
  };

  before(async () => {
    server = await serve(archive);
    cache = await mkdtemp(path.join(tmpdir(), "faults-"));
    await new Promise<void>((done) => front.listen(0, "127.0.0.1", done));
  });
  after(async () => {
    front.closeAllConnections();
    front.close();
    await server.close();
    await rm(cache, { recursive: true, maxRetries: 5 });
  });

  const client = (url: string) =>
    new HttpClient({ url, retries: 1, backoffMs: 1, timeoutMs: 2_000 });

  const frontUrl = () =>
    `http://127.0.0.1:${(front.address() as AddressInfo).port}`;

  const openReader = async (
    file: string,
    { hash = archive.data.blocks[HEIGHT - 1].hash, height = HEIGHT } = {},
  ) => {
    const url = frontUrl();
    return new LiveReader({
      evm: client(`${url}/evm`),
      nodeRpc: client(`${url}/rpc`),
      height: BigInt(height),
      hash,
      prefix: FACTS.bech32Prefix,
      addresses: PRECOMPILE_ADDRESSES,
      kept: await KeptOnDisk.open(file),
    });
  };

  /**
   * Checks that nothing is read or kept, and that all is there once the chain
   * answers again.
   */
  const refuses = async (
    broken: Fault,
    message: RegExp,
    options: Parameters<typeof openReader>[1] = {},
  ) => {
    const file = path.join(cache, `${number++}.jsonl`);
    fault = broken;
    const reader = await openReader(file, options);
    await assert.rejects(reader.base(), (error) => {
      assert.ok(DualstackError.is(error), String(error));
      assert.match(error.message, message);
      assert.ok(error.message.length < 2_000);
      return true;
    });
    await assert.rejects(access(file));
    fault = (text) => text;
    if (Object.keys(options).length > 0) return;
    const base = await reader.base();
    assert.equal(base.validators.length, OPERATORS.length);
    const { delegations } = await reader.account(DELEGATOR, base);
    assert.equal(delegations.length, delegationsOf(DELEGATOR, HEIGHT).length);
  };

  const calls =
    (change: (answer: string) => string): Fault =>
    (text, _, url) =>
      url === "/evm" ? change(text) : text;

  it("says that a node has pruned the block", async () => {
    const pruned = {
      code: -32000,
      message: `version ${HEIGHT} does not exist`,
    };
    await refuses(
      calls((text) =>
        text.replaceAll(
          /"result":"0x[^"]*"/g,
          `"error":${JSON.stringify(pruned)}`,
        ),
      ),
      new RegExp(
        `at block ${HEIGHT}: the node no longer has that block's state\\. Fork a newer block`,
      ),
    );
  });

  it("says that a node lags behind", async () => {
    const behind = await serve(open(ARCHIVE_FILE, HEIGHT >> 1));
    const real = server;
    server = behind;
    try {
      await refuses(
        (text) => text,
        new RegExp(`block ${HEIGHT}.*lags behind`),
        {
          height: HEIGHT,
        },
      );
    } finally {
      server = real;
      await behind.close();
    }
  });

  it("says that the chain was reorganized", async () => {
    await refuses(
      (text) => text,
      new RegExp(
        `block ${HEIGHT} of the node is another than the fork's.*reorganized`,
      ),
      { hash: `0x${"12".repeat(32)}` },
    );
  });

  it("says that a node limits requests", async () => {
    await refuses((_, response) => {
      response.statusCode = 429;
      return "slow down";
    }, /\(HTTP 429\)/);
  });

  it("rejects an answer that is cut off", async () => {
    await refuses((text, response) => {
      response.writeHead(200, { "content-length": String(text.length) });
      response.write(text.slice(0, text.length / 2));
      setImmediate(() => response.destroy());
      return undefined;
    }, /broke before the whole answer was there/);
  });

  it("rejects lists of the wrong length", async () => {
    await refuses(
      calls((text) => text.replaceAll(/("0x[0-9a-f]{1000})[0-9a-f]*"/g, '$1"')),
      new RegExp(`staking\\.validators cannot be read at block ${HEIGHT}`),
    );
  });

  it("rejects numbers that no chain has", async () => {
    // The first validator's tokens.
    const { tokens } = await (await openReader(path.join(cache, "x")))
      .base()
      .then(({ validators: [first] }) => first ?? { tokens: 0n });
    const word = tokens.toString(16).padStart(64, "0");
    await refuses(
      calls((text) => text.replaceAll(word, "f".repeat(64))),
      /a number of tokens that no chain has/,
    );
  });

  it("rejects malformed store values", async () => {
    await refuses(
      (text, _, url) =>
        url === "/rpc"
          ? text.replaceAll(/"value":"[^"]+"/g, '"value":"////"')
          : text,
      /that no chain has/,
    );
  });

  it("rejects answers without an end", async () => {
    await refuses(
      calls((text) => text + " ".repeat(50_000_000)),
      /too large|more than|bigger|exceeds|longer/,
    );
  });

  it("reads again what a truncated file held", async () => {
    const file = path.join(cache, "cut.jsonl");
    await (await openReader(file)).base();
    const text = await readFile(file, "utf8");
    await writeFile(file, `${text.slice(0, text.length / 2)}\n["broken`);
    const base = await (await openReader(file)).base();
    assert.equal(base.validators.length, OPERATORS.length);
  });

  describe("through a simulated network", () => {
    const open = async (folder: string) =>
      await fork({
        url: frontUrl(),
        height: HEIGHT,
        stores: false,
        cache: folder,
      });

    const [validators] = viewsAt(HEIGHT).filter(({ name }) =>
      name.startsWith("staking.validators "),
    );
    assert.ok(validators !== undefined);

    /**
     * Reads from the emulation: a call with overrides never goes to the chain.
     */
    const view = async ({ request }: Fork) => {
      const { to, data } = validators;
      return await request("eth_call", { to, data }, "latest", {});
    };

    const TOKENS = validatorsTokens(validators.answer);
    const cases: readonly {
      readonly what: string;
      readonly broken: Fault;
      readonly message: RegExp;
    }[] = [
      {
        what: "limits requests",
        broken: (_, response) => {
          response.statusCode = 429;
          response.setHeader("retry-after", "60");
          return "slow down";
        },
        message: /takes no more requests|HTTP 429/,
      },
      {
        what: "answers lists of a wrong length",
        broken: calls((text) =>
          text.replaceAll(/("0x0{62}[24]0[0-9a-f]{1000})[0-9a-f]*"/g, '$1"'),
        ),
        message: new RegExp(`cannot be read at block ${HEIGHT}`),
      },
      {
        what: "answers numbers that no chain has",
        broken: calls((text) => text.replaceAll(TOKENS, "f".repeat(64))),
        message: /a number of tokens that no chain has/,
      },
      {
        what: "answers state that is none",
        broken: calls((text) =>
          text.replaceAll(/"result":"0x[0-9a-f]{1,66}"/g, '"result":"0xnone"'),
        ),
        message: new RegExp(
          `cannot be read at block ${HEIGHT}|is not a quantity`,
        ),
      },
      {
        what: "answers without end",
        broken: calls((text) => text + " ".repeat(50_000_000)),
        message: /too large|more than|bigger|exceeds|longer/,
      },
    ];

    for (const { what, broken, message } of cases) {
      it(`changes and keeps nothing where the chain ${what}`, async () => {
        const folder = path.join(cache, `fork-${number++}`);
        fault = (text) => text;
        const network = await open(folder);
        fault = broken;
        await assert.rejects(compounds(network.request), message);
        await assert.rejects(view(network), message);
        assert.equal(Number(await network.request("eth_blockNumber")), HEIGHT);
        fault = (text) => text;
        assert.equal(await answerOf(view(network)), validators.answer);
        assert.ok(await compounds(network.request));
        await network.close();
        const again = await open(folder);
        assert.equal(await answerOf(view(again)), validators.answer);
        assert.ok(await compounds(again.request));
        await again.close();
      });
    }

    it("waits for a slow chain, and asks again where an answer was cut", async () => {
      let cuts = 3;
      fault = (text, response) => {
        if (cuts-- > 0) {
          response.writeHead(200, { "content-length": String(text.length) });
          response.write(text.slice(0, text.length / 2));
          setImmediate(() => response.destroy());
        } else {
          setTimeout(() => {
            response.setHeader("content-type", "application/json");
            response.end(text);
          }, 100);
        }
        return undefined;
      };
      const network = await open(path.join(cache, `fork-${number++}`));
      cuts = 3;
      assert.ok(await compounds(network.request));
      await network.close();
      fault = (text) => text;
    });
  });
});

/**
 * Returns the first validator's tokens in an answer of `validators`, as a word.
 */
function validatorsTokens(answer: string): string {
  const [validators] = new Interface(
    PRECOMPILES.staking.abi,
  ).decodeFunctionResult("validators", answer);
  return BigInt(validators[0].tokens).toString(16).padStart(64, "0");
}

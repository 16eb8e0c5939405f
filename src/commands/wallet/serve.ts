import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

import { DualstackError } from "../../support/errors.js";
import { PAGE_HEADERS } from "../../support/page/headers.js";
import { cleanText, errorText } from "../../support/text.js";
import { type Forward, Refusal } from "./forward.js";
import { pageHtml } from "./page/html.js";
import { PAGE_SCRIPTS } from "./page/script/index.js";
import { PAGE_STYLE } from "./page/style.js";

/** A page that is served until it is closed. */
export interface WalletServer {
  readonly url: string;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const NAMES = [HOST, "localhost"];
const MAX_BODY = 64 * 1024;

type File = readonly [type: string, text: string];

const filesOf = ({ page }: Forward): ReadonlyMap<string, File> =>
  new Map<string, File>([
    ["/", ["text/html; charset=utf-8", pageHtml(page)]],
    ["/page.css", ["text/css; charset=utf-8", PAGE_STYLE]],
    ...Object.entries(PAGE_SCRIPTS).map(([name, text]): [string, File] => [
      `/${name}`,
      ["text/javascript; charset=utf-8", text],
    ]),
  ]);

/**
 * Serves the page on this machine only. Its requests go to the configured
 * endpoints through `forward`, since nodes of this kind refuse requests from
 * pages.
 *
 * @param port 0 for any free port
 * @throws DualstackError if the port is taken
 */
export async function serveWallet(
  forward: Forward,
  port = 0,
): Promise<WalletServer> {
  const files = filesOf(forward);
  const server = createServer((request, response) => {
    void answer(request, response, server, forward, files);
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      reject(
        new DualstackError(
          `the page cannot be served on port ${port}: ${errorText(cause, 120)}`,
          { fix: "Choose another with --port, or leave it out.", cause },
        ),
      );
    });
    server.listen(port, HOST, resolve);
  });
  return {
    url: `http://${HOST}:${portOf(server)}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  server: Server,
  forward: Forward,
  files: ReadonlyMap<string, File>,
): Promise<void> {
  const send = (status: number, type: string, text: string) => {
    response
      .writeHead(status, { ...PAGE_HEADERS, "content-type": type })
      .end(request.method === "HEAD" ? undefined : text);
  };
  const sendJson = (status: number, body: unknown) => {
    send(
      status,
      "application/json",
      JSON.stringify(body, (_key, value: unknown) =>
        typeof value === "bigint" ? value.toString() : value,
      ),
    );
  };
  try {
    checkCaller(request, portOf(server));
    const url = new URL(request.url ?? "/", `http://${HOST}`);
    const isGet = request.method === "GET" || request.method === "HEAD";
    const file = files.get(url.pathname);
    if (isGet && file !== undefined) {
      send(200, ...file);
    } else if (isGet && url.pathname === "/facts.json") {
      sendJson(200, await forward.facts());
    } else if (isGet && url.pathname === "/framework.json") {
      sendJson(200, await forward.framework());
    } else if (isGet && url.pathname === "/precompiles.json") {
      sendJson(200, await forward.precompiles());
    } else if (isGet && url.pathname === "/account") {
      sendJson(
        200,
        await forward.account(url.searchParams.get("address") ?? ""),
      );
    } else if (isGet && url.pathname.startsWith("/api/")) {
      // Passed on as it is: the REST client checks the path itself.
      sendJson(
        200,
        await forward.rest((request.url ?? "").slice("/api".length)),
      );
    } else if (request.method === "POST" && url.pathname === "/evm") {
      sendJson(200, await forward.evm(await jsonBody(request)));
    } else if (request.method === "POST" && url.pathname === "/faucet") {
      sendJson(200, await forward.grant(await jsonBody(request)));
    } else {
      throw new Refusal(isGet ? 404 : 405, "there is nothing here");
    }
  } catch (error) {
    if (!response.headersSent) {
      sendJson(error instanceof Refusal ? error.status : 502, {
        error: errorText(error, 400),
      });
    }
  }
}

/**
 * Accepts only the page itself. A page of another origin can send requests to
 * this machine, and through a name that it controls even read the answers.
 */
function checkCaller({ headers }: IncomingMessage, port: number): void {
  const host = headers.host?.toLowerCase() ?? "";
  if (!NAMES.some((name) => host === `${name}:${port}`)) {
    throw new Refusal(
      403,
      `this page is served only on this machine, not as "${cleanText(host, 60)}"`,
    );
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new Refusal(403, "other pages may not use this server");
  }
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    throw new Refusal(403, "other pages may not use this server");
  }
}

async function jsonBody(request: IncomingMessage): Promise<unknown> {
  // Browsers ask for permission before another page may send this type.
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    throw new Refusal(415, "the body must be JSON");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) {
      throw new Refusal(413, "the body is too large");
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
  } catch {
    throw new Refusal(400, "the body is not JSON");
  }
}

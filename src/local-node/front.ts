import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

import { type WebSocket, WebSocketServer } from "ws";

import { isLoopback } from "../chain/endpoints.js";
import { type Prefixes, pathPrefixes } from "../framework/services.js";
import { cleanText, errorText } from "../support/text.js";
import type { DualChain } from "./chain.js";
import { answerEvmBody } from "./evm-rpc.js";
import { serveEvmSocket } from "./evm-socket.js";
import type { LocalFaucet } from "./faucet.js";
import type { EvmSide } from "./like-chain.js";
import { answerBody, answerUri } from "./node-rpc/answer.js";
import { serveSocket } from "./node-rpc/socket.js";
import type { LocalPage } from "./page/index.js";
import { servePageSocket } from "./page/socket.js";
import { answerRest, HEIGHT_HEADER } from "./rest/index.js";

/** What to serve, and where. */
export interface FrontOptions {
  readonly chain: DualChain;
  /** Answers the EVM's JSON-RPC and WebSocket. */
  readonly evm: EvmSide;
  readonly faucet: LocalFaucet;
  readonly prefixes: Prefixes;
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Returns what the base URL shows to clients other than browsers. */
  readonly index: () => string;
  /** What the base URL shows to browsers. */
  readonly page: LocalPage;
}

/** A running server of all HTTP and WebSocket endpoints under one base URL. */
export interface Front {
  readonly port: number;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Refuses a request with an HTTP status. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

// Size limits in bytes: of a body, of what is read of a larger one, and of a
// WebSocket message.
const MAX_BODY = 5 * 1024 * 1024;
const MOST_READ = 8 * MAX_BODY;
const MAX_FRAME = 1024 * 1024;
const JSON_TYPE = "application/json";
/** Origins of browser extensions, such as wallets. */
const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\//;

const json = (status: number, body: unknown): Answer => ({
  status,
  type: JSON_TYPE,
  body: JSON.stringify(body),
});
const text = (status: number, body: string): Answer => ({
  status,
  type: "text/plain; charset=utf-8",
  body,
});

/**
 * Serves all endpoints except gRPC.
 *
 * @throws Error when the port cannot be used
 */
export async function serveFront(options: FrontOptions): Promise<Front> {
  const server = createServer((request, response) => {
    // A failure ends this request, and no other.
    serve(options, request, response).catch(() => response.destroy());
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
  });
  server.on("upgrade", (request, socket, head) => {
    upgrade(options, sockets, request, socket, head);
  });
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.hostname, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      await close(server, sockets);
    },
  };
}

const GOING_AWAY = 1001;
const CLOSE_MS = 1_000;

async function close(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const client of sockets.clients) {
    client.close(GOING_AWAY);
  }
  const stubborn = setTimeout(() => {
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
  }, CLOSE_MS);
  server.closeIdleConnections();
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  clearTimeout(stubborn);
}

/**
 * Admits pages of this machine and browser extensions. Any other page could
 * send requests to this machine, and read the answers through a host name that
 * it controls (DNS rebinding).
 *
 * @throws Refused for any other page
 */
function checkCaller(
  { headers }: IncomingMessage,
  { hostname }: FrontOptions,
): void {
  const nameIn = (url: string) => {
    try {
      return new URL(url).hostname;
    } catch {
      return undefined;
    }
  };
  const host = nameIn(`http://${headers.host ?? ""}`);
  // A hostname other than loopback asks for clients on other machines.
  const isOpen = !isLoopback(hostname);
  if (!isOpen && (host === undefined || !isLoopback(host))) {
    throw new Refused(
      403,
      `this network is served on this machine alone, not as "${cleanText(headers.host, 60)}"`,
    );
  }
  const { origin } = headers;
  const page = origin === undefined ? undefined : nameIn(origin);
  const isOwn =
    origin === undefined ||
    EXTENSION.test(origin) ||
    (page !== undefined && (isLoopback(page) || (isOpen && page === host)));
  if (!isOwn) {
    throw new Refused(403, "pages of other hosts may not ask here");
  }
}

/** Returns the CORS headers that let the requesting page read the answer. */
const corsOf = ({
  headers: { origin },
}: IncomingMessage): Readonly<Record<string, string>> =>
  origin === undefined
    ? {}
    : {
        "access-control-allow-origin": origin,
        "access-control-allow-headers": `content-type, ${HEIGHT_HEADER}`,
        "access-control-allow-methods": "GET, POST, OPTIONS",
        "access-control-expose-headers": HEIGHT_HEADER,
        vary: "origin",
      };

async function serve(
  options: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let answer: Answer;
  let cors: Readonly<Record<string, string>> = {};
  try {
    checkCaller(request, options);
    const { page } = options;
    if (page.takes(request)) {
      answer = await page.answer(request, async () => await bodyOf(request));
    } else {
      cors = corsOf(request);
      answer =
        request.method === "OPTIONS"
          ? { status: 204 }
          : await route(options, request);
    }
  } catch (error) {
    answer =
      error instanceof Refused
        ? json(error.status, { error: error.message })
        : json(500, { error: errorText(error) });
  }
  if (response.destroyed || response.headersSent) return;
  const { status, type, headers, body } = answer;
  response.writeHead(status, {
    ...(type === undefined ? {} : { "content-type": type }),
    "x-content-type-options": "nosniff",
    ...cors,
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

async function route(
  { chain, evm, faucet, prefixes, index }: FrontOptions,
  request: IncomingMessage,
): Promise<Answer> {
  const { url = "/", method = "GET" } = request;
  const [, name = "", rest = ""] = /^\/([^/?]*)(.*)$/s.exec(url) ?? [];
  switch (name) {
    case "":
      return method === "GET" || method === "HEAD"
        ? text(200, index())
        : notAllowed(": JSON-RPC is at /evm and at /rpc");
    case "evm":
      if (rest !== "" && rest !== "/") return notFound();
      return method === "POST"
        ? json(200, await answerEvmBody(evm, await bodyOf(request)))
        : notAllowed();
    case "rpc":
      return await nodeRpc(chain, request, rest);
    case "api":
      return await restApi(chain, prefixes, request, rest);
    case "faucet":
      return await grant(faucet, request, rest);
    default:
      return notFound();
  }
}

const notFound = () => text(404, "404 page not found\n");
const notAllowed = (why = "") => text(405, `405 method not allowed${why}\n`);

async function nodeRpc(
  chain: DualChain,
  request: IncomingMessage,
  rest: string,
): Promise<Answer> {
  if (request.method === "POST") {
    return await answerBody(chain, await bodyOf(request));
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return notAllowed();
  }
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  return await answerUri(chain, new URL(path.replace(/^\/+/, "/"), "http://x"));
}

async function restApi(
  chain: DualChain,
  prefixes: Prefixes,
  { method = "GET", headers }: IncomingMessage,
  path: string,
): Promise<Answer> {
  const height = headers[HEIGHT_HEADER];
  const answer = await answerRest(chain, {
    method,
    path: referencePath(path, prefixes),
    ...(height === undefined ? {} : { height: String(height) }),
  });
  return {
    status: answer.status,
    headers: answer.headers,
    ...(answer.body === undefined
      ? {}
      : { type: JSON_TYPE, body: JSON.stringify(answer.body) }),
  };
}

// The query services go by the reference chain's names and paths.
function referencePath(path: string, prefixes: Prefixes): string {
  const { framework, network } = pathPrefixes(prefixes);
  if (path.startsWith(network)) {
    return `/cosmos/evm/${path.slice(network.length)}`;
  }
  return path.startsWith(framework)
    ? `/cosmos/${path.slice(framework.length)}`
    : "/";
}

async function grant(
  faucet: LocalFaucet,
  request: IncomingMessage,
  rest: string,
): Promise<Answer> {
  const { method, headers } = request;
  if (rest === "/status" && method === "GET") {
    return json(200, faucet.status());
  }
  if (rest !== "/credit") return notFound();
  if (method !== "POST") {
    return text(405, "This endpoint requires a POST request");
  }
  if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) {
    return text(415, "Content-type application/json expected");
  }
  const { status, body } = await faucet.credit(await bodyOf(request));
  return typeof body === "string" ? text(status, body) : json(status, body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_READ) break;
    // Drain the rest: a client that is still sending does not read the refusal.
    if (size <= MAX_BODY) chunks.push(chunk);
  }
  if (size > MAX_BODY) {
    throw new Refused(413, "the body is too large");
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * WebSocket paths and what serves them; development tools expect the EVM's at
 * the JSON-RPC path.
 */
const SOCKETS: Readonly<
  Record<string, (options: FrontOptions, socket: WebSocket) => void>
> = {
  "/ws": evmSocket,
  "/evm": evmSocket,
  "/page/socket": ({ chain }, socket) => {
    servePageSocket(chain, socket);
  },
  "/rpc/websocket": ({ chain }, socket) => {
    serveSocket(chain, socket);
  },
};

function evmSocket({ chain, evm }: FrontOptions, socket: WebSocket): void {
  serveEvmSocket(chain, evm, socket);
}

function upgrade(
  options: FrontOptions,
  sockets: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const refuse = (status: string) => {
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
  };
  socket.on("error", () => {
    socket.destroy();
  });
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const serveOne = Object.hasOwn(SOCKETS, path) ? SOCKETS[path] : undefined;
  if (serveOne === undefined) {
    refuse("404 Not Found");
    return;
  }
  // A real node opens its EVM WebSocket to no web page.
  const isRefused =
    serveOne === evmSocket &&
    options.evm.isLikeChain &&
    request.headers.origin !== undefined;
  try {
    checkCaller(request, options);
  } catch {
    refuse("403 Forbidden");
    return;
  }
  if (isRefused) {
    refuse("403 Forbidden");
    return;
  }
  sockets.handleUpgrade(request, socket, head, (client) => {
    serveOne(options, client);
  });
}

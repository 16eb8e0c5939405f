import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts an HTTP server for a test's listener, which may never answer. */
export async function hostileServer(
  listener: RequestListener,
): Promise<AsyncDisposable & { readonly url: string; readonly port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Hostile answers, with what every client must say about them. */
export const HOSTILE: readonly (readonly [string, RequestListener, RegExp])[] =
  [
    ["hangs", () => undefined, /did not answer within/],
    [
      "stops in the middle",
      (_request, response) => {
        response.write('{"a":');
        setTimeout(() => response.destroy(), 10);
      },
      /broke before the whole answer/,
    ],
    [
      "never ends",
      (_request, response) => {
        const chunk = "x".repeat(64 * 1024);
        const more = () => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on("drain", more).on("error", () => undefined);
        more();
      },
      /more than \d+ KiB/,
    ],
    [
      "sends HTML",
      (_request, response) => response.end("<html>\u001b[2J</html>"),
      /not JSON/,
    ],
    [
      "nests without end",
      (_request, response) => response.end("[".repeat(500_000)),
      /not JSON/,
    ],
    ["sends another value", (_request, response) => response.end("42"), /./],
    ["sends null", (_request, response) => response.end("null"), /./],
    [
      "redirects",
      (_request, response) =>
        response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      /redirects to/,
    ],
    [
      "answers 502",
      (_request, response) =>
        response.writeHead(502).end("Bad gateway\u001b]0;x\u0007"),
      /gateway's error \(HTTP 502\)/,
    ],
  ];

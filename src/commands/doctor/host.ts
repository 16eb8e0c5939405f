import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

import { GRPC_PORT } from "../../chain/facts.js";

const LIMIT_MS = 3_000;
/** Faults that concern the whole host, whatever the port. */
const OF_THE_HOST = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Host and port of an endpoint, and whether it is encrypted. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** @param address a URL, or `host:port` as gRPC's is */
export function placeOf(address: string): Place | undefined {
  const hasScheme = /^[a-z]+:\/\//i.test(address);
  try {
    const url = new URL(hasScheme ? address : `tcp://${address}`);
    const secure = /^(?:https|wss|grpcs):$/.test(url.protocol);
    const usual = /^(?:tcp|grpcs?):$/.test(url.protocol)
      ? GRPC_PORT
      : secure
        ? 443
        : 80;
    return {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? usual : Number(url.port),
      secure,
    };
  } catch {
    return undefined;
  }
}

/**
 * Why no connection can be made, as a key that is equal for all places with the
 * same cause: a name that does not resolve, a port where nothing listens, or a
 * certificate that is not trusted.
 *
 * @returns `undefined` if a connection can be made
 */
export async function connectionFault({
  host,
  port,
  secure,
}: Place): Promise<string | undefined> {
  const code = await new Promise<string | undefined>((resolve) => {
    let socket: Socket | undefined;
    let isResolved = isIP(host) !== 0;
    const done = (found?: string) => {
      clearTimeout(timer);
      socket?.destroy();
      resolve(found);
    };
    const timer = setTimeout(() => {
      // Looking up a name that does not exist may take longer than any limit.
      done(isResolved ? "ETIMEDOUT" : "EAI_AGAIN");
    }, LIMIT_MS);
    try {
      socket = secure
        ? connectTls({
            host,
            port,
            ...(isIP(host) === 0 ? { servername: host } : {}),
          })
        : connectTcp({ host, port });
      socket.once("lookup", (error: Error | null) => {
        isResolved = error === null;
      });
      socket.once(secure ? "secureConnect" : "connect", () => {
        done();
      });
      socket.once("error", (error: NodeJS.ErrnoException) => {
        done(error.code ?? error.message);
      });
    } catch (error) {
      done(String(error));
    }
  });
  if (code === undefined) {
    return undefined;
  }
  return OF_THE_HOST.has(code)
    ? `unreachable ${host}`
    : `${code} ${host}:${port}`;
}

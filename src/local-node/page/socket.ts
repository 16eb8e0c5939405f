import type { WebSocket } from "ws";

import type { DualChain } from "../chain.js";

/**
 * Tells a page that there is something new: a block, or a transaction that
 * waits. A socket of its own, since a real node's, which `--like-chain` acts
 * like, is open to no page.
 */
export function servePageSocket(chain: DualChain, socket: WebSocket): void {
  const tell = () => {
    if (socket.readyState === socket.OPEN) socket.send("new");
  };
  const stopBlocks = chain.onBlock(tell);
  const stopPending = chain.onPending(tell);
  const stop = () => {
    stopBlocks();
    stopPending();
  };
  socket.on("close", stop);
  socket.on("error", stop);
}

import type { WebSocket } from "ws";

import type { DualChain } from "../chain.js";

/**
 * Notifies the page of each new block and pending transaction. The page has a
 * socket of its own because with `--like-chain`, the EVM's socket admits no web
 * page, like a real node's.
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

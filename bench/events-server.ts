import { recordedChain } from "../test/servers/recorded-state.js";
import { Chain } from "../test/servers/state.js";
import { WsServer } from "../test/servers/ws.js";

/**
 * The benchmark's server, in its own process: blocks with one log each, which
 * contains the time at which it was made.
 */
const chain = new Chain(recordedChain().state, { height: 1n, keep: 100 });
const server = await WsServer.start(chain);
process.on("message", (message: "block" | "height") => {
  if (message === "height") {
    process.send?.({ height: chain.height });
    return;
  }
  const made = process.hrtime.bigint().toString(16).padStart(64, "0");
  chain.mine([
    {
      address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
      topics: [`0x${"ab".repeat(32)}`],
      data: `0x${made}`,
    },
  ]);
});
process.send?.({ url: server.url });

/** The light: the newest block's height, and how long ago it came. */
export const LIFE_SCRIPT = `
import { ask, at } from "./elements.js";

const ASK_EVERY = 2000;
/** Seconds without a block after which a network seems to have stopped, unless it is a local one. */
const STILL_AFTER = 60;

export const startLife = (isLocal) => {
  let height;
  let came = 0;
  let answers = true;
  let told = "asking";

  const since = () => {
    const seconds = Math.max(0, Math.round((Date.now() - came) / 1000));
    if (seconds < 60) return seconds + " s";
    if (seconds < 3600) return Math.floor(seconds / 60) + " min";
    return Math.floor(seconds / 3600) + " h";
  };

  const show = () => {
    const still = !isLocal && Date.now() - came > STILL_AFTER * 1000;
    const state = !answers ? "down" : height === undefined ? "asking" : still ? "still" : "alive";
    at("life").dataset.state = state;
    at("life-text").textContent = {
      asking: "Asking the network …",
      down: "The network does not answer",
      still: "Block " + height?.toLocaleString("en") + ", the last one " + since() + " ago",
      alive: "Block " + height?.toLocaleString("en") + ", " + since() + " ago",
    }[state];
    // Screen readers hear of changes only, not of every second.
    if (state !== told && told + state !== "askingalive") {
      at("life-news").textContent = {
        down: "The network does not answer.",
        still: "The network has produced no block for more than a minute.",
        alive: "The network is producing blocks again.",
      }[state] ?? "";
    }
    told = state;
  };

  const look = async () => {
    if (document.hidden && height !== undefined) return;
    try {
      const { result } = await ask("/evm", { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["latest", false] });
      const found = Number(result.number);
      // When the first block came was not seen, so its own time counts, if the clocks agree.
      if (height === undefined) came = Math.min(Date.now(), Number(result.timestamp) * 1000);
      else if (found !== height) came = Date.now();
      height = found;
      answers = true;
    } catch {
      answers = false;
    }
    show();
  };

  look();
  setInterval(look, ASK_EVERY);
  setInterval(show, 1000);
};
`;

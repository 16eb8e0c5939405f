/** Whether a host name means this machine, where plain connections are allowed. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}

/** Whether a URL points to this machine. */
export function isLocalUrl(url: string): boolean {
  try {
    return isLoopback(new URL(url).hostname);
  } catch {
    return false;
  }
}

/** Whether a URL is that of `hardhat node`: the local network's endpoints have paths or schemes of their own. */
function isPlainNode(url: string): boolean {
  const { protocol, pathname } = new URL(url);
  return /^https?:$/.test(protocol) && pathname === "/";
}

/** The fix for a refused connection: on this machine it may be a local network's. */
export const fixRefused = (url: string, fix: string): string =>
  isLocalUrl(url)
    ? `${fix} ${
        isPlainNode(url)
          ? 'Start a node with "npx hardhat node"'
          : 'Start the local network with "npx hardhat dualstack node"'
      }.`
    : fix;

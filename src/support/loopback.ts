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

/** What to do where nothing listens at an address. */
export const fixRefused = (url: string, otherwise: string): string =>
  isLocalUrl(url)
    ? 'Start the local network with "npx hardhat dualstack node", or correct the address.'
    : otherwise;

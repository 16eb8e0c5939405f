/** Labels and values below each other, the values aligned; what is undefined is left out. */
export function labelled(
  entries: readonly (readonly [label: string, value: string | undefined])[],
): string[] {
  const shown = entries.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}

/** The heading of everything that is about one network. */
export const onNetwork = (
  what: string,
  { network, chainId }: { readonly network: string; readonly chainId: number },
): string => `${what} on ${network} (chain ID ${chainId})`;

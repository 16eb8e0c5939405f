const link = (explorerUrl: string | undefined, path: string) =>
  explorerUrl === undefined
    ? undefined
    : `${explorerUrl.replace(/\/+$/, "")}/${path}`;

/** Links in the form that explorers of EVM chains share (EIP-3091). */
export const explorerLinks = {
  transaction: (explorerUrl: string | undefined, hash: string) =>
    link(explorerUrl, `tx/${hash}`),
  address: (explorerUrl: string | undefined, address: string) =>
    link(explorerUrl, `address/${address}`),
};

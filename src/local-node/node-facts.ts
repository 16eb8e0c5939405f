/**
 * What the node reports about itself: the versions whose behaviour it imitates.
 */
export const NODE = {
  version: "0.39.0",
  moniker: "testnode",
  channels: "40202122233038606100",
  listenAddress: "tcp://127.0.0.1:26656",
  rpcAddress: "tcp://127.0.0.1:26657",
  goVersion: "go version go1.26.8 linux/amd64",
  app: "<appd>",
  frameworkVersion: "v0.54.3",
  evmVersion: "v0.2.0",
  id: "598064c5d3efb56f38718f093235b5a09780237e",
} as const;

/**
 * Clients of the framework's side of the chain: events, node RPC, REST and
 * gRPC. Imports no Hardhat, and none of the libraries behind the clients: each
 * is loaded when it is first used.
 */
export type {
  DecodedEvent,
  EventArgs,
  ViewAnswer,
  ViewArgs,
  ViewName,
} from "./abi.js";
export * from "./clients.js";
export { FrameworkError, type FrameworkFault } from "./errors.js";
export { EventsClient, type EventsOptions } from "./events/client.js";
export type { DecodedLog, LogFilter, TopicFilter } from "./events/filter.js";
export { Subscription } from "./events/subscription.js";
export type { Head, Log } from "./events/wire.js";
export { GrpcClient, type GrpcOptions } from "./grpc.js";
export { type Json, parseJson } from "./json.js";
export type * from "./node-rpc/answers.js";
export {
  NodeRpcClient,
  type NodeRpcOptions,
  type StoredValue,
} from "./node-rpc/client.js";
export type {
  FrameworkMessage,
  FrameworkSender,
  SenderOptions,
  SendOptions,
} from "./node-rpc/sender.js";
export type {
  Broadcast,
  IncludedTransaction,
} from "./node-rpc/transactions.js";
export type { Turns } from "./node-rpc/turns.js";
export * from "./query/index.js";
export * from "./rest-modules.js";
export { type RestAnswer, RestClient, type RestRequest } from "./rest.js";
export type { Prefixes, QueryOptions, Rpc } from "./services.js";

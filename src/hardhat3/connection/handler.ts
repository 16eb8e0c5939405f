import type { ChainType, NetworkConnection } from "hardhat/types/network";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import type { ConnectionServices } from "../../connection/extension.js";

export type AnyConnection = NetworkConnection<ChainType | string>;
export type NextRequest = (request: JsonRpcRequest) => Promise<JsonRpcResponse>;

/** Answers the requests of a connection that the plugin handles. */
export interface RequestHandler extends ConnectionServices {
  handle(request: JsonRpcRequest, next: NextRequest): Promise<JsonRpcResponse>;
  close(): Promise<void>;
}

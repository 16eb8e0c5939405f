import type { HookContext, NetworkHooks } from "hardhat/types/hooks";
import type { ChainType, NetworkConnection } from "hardhat/types/network";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import type { AttachedConnection } from "../connection/attach.js";

type AnyConnection = NetworkConnection<ChainType | string>;

export default async (): Promise<Partial<NetworkHooks>> => {
  const attached = new WeakMap<AnyConnection, AttachedConnection>();

  return {
    async newConnection<C extends ChainType | string>(
      context: HookContext,
      next: (nextContext: HookContext) => Promise<NetworkConnection<C>>,
    ) {
      const { openedBehindGateway } = await import(
        "../connection/fork-gateway.js"
      );
      const { opened: connection, gateway } = await openedBehindGateway(
        async () => await next(context),
      );
      const { attach } = await import("../connection/attach.js");
      attached.set(connection, await attach(context, connection, gateway));
      return connection;
    },

    async onRequest<C extends ChainType | string>(
      context: HookContext,
      connection: NetworkConnection<C>,
      request: JsonRpcRequest,
      next: (
        nextContext: HookContext,
        nextConnection: NetworkConnection<C>,
        nextRequest: JsonRpcRequest,
      ) => Promise<JsonRpcResponse>,
    ) {
      const handler = attached.get(connection)?.handler;
      // Other networks only pay for this lookup.
      return handler === undefined
        ? await next(context, connection, request)
        : await handler.handle(request, (r) => next(context, connection, r));
    },

    async closeConnection<C extends ChainType | string>(
      context: HookContext,
      connection: NetworkConnection<C>,
      next: (
        nextContext: HookContext,
        nextConnection: NetworkConnection<C>,
      ) => Promise<void>,
    ) {
      const ours = attached.get(connection);
      attached.delete(connection);
      try {
        await ours?.close();
      } finally {
        await next(context, connection);
      }
    },
  };
};

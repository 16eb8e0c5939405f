import "./check-version.js";

import {
  extendConfig,
  extendEnvironment,
  extendProvider,
} from "hardhat/config";

import { useVariableStore } from "../chain/variable-store.js";
import { extendResolvedConfig } from "./config.js";
import { addExtensions } from "./environment.js";
import { adoptNode } from "./other-providers.js";
import { extendNetworkProvider } from "./provider.js";
import { defineTasks } from "./tasks.js";

export type * from "./type-extensions.js";
export type * from "../config/user-config.js";
export type * from "../connection/types.js";

useVariableStore("vars");
extendConfig(extendResolvedConfig);
extendProvider(extendNetworkProvider);
extendEnvironment(addExtensions);
defineTasks();
adoptNode();

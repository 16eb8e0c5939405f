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

useVariableStore("vars");
extendConfig(extendResolvedConfig);
extendProvider(extendNetworkProvider);
extendEnvironment(addExtensions);
defineTasks();
adoptNode();

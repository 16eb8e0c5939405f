import {
  extendConfig,
  extendEnvironment,
  extendProvider,
} from "hardhat/config";

import { useMajor } from "../support/major.js";
import { extendResolvedConfig } from "./config.js";
import { addExtensions } from "./environment.js";
import { adoptNode } from "./other-providers.js";
import { extendNetworkProvider } from "./provider.js";
import { defineTasks } from "./tasks.js";

useMajor(2);
extendConfig(extendResolvedConfig);
extendProvider(extendNetworkProvider);
extendEnvironment(addExtensions);
defineTasks();
adoptNode();

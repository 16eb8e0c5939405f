// Must come first: the other modules cannot even be loaded on another major.
import "./check-version.js";
import "./plugin.js";

export type * from "./type-extensions.js";
export type * from "../config/user-config.js";
export type * from "../connection/types.js";

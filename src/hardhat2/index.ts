// The first: what follows cannot even be loaded with another major.
import "./check-version.js";
import "./plugin.js";

export type * from "./type-extensions.js";
export type * from "../config/user-config.js";
export type * from "../connection/types.js";

export * from "./buffer.js";
export * from "./rewards.js";
export * from "./settings.js";

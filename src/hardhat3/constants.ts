export { PLUGIN_ID } from "../support/plugin-id.js";

/** The plugin's id, also the name of its package. */
export const PLUGIN_ID = "hardhat-dualstack";

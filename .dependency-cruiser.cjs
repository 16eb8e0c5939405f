/**
 * Which way imports may point, type imports included: never round in a
 * circle, and from a floor of the house only to the same floor or below.
 */

/** From the ground up. Rooms on one floor may know each other. */
const FLOORS = [
  ["support"],
  ["chain", "address"],
  ["precompiles"],
  ["rpc"],
  ["faucet", "framework", "gas", "live-state"],
  // What may be configured of the emulation is below the configuration, the emulation above.
  ["localnet/settings"],
  ["config"],
  ["sending"],
  ["node", "localnet"],
  ["testing", "local-node", "replay"],
  ["connection"],
  ["commands"],
  ["tasks"],
  ["hardhat2", "hardhat3"],
];

const pathOf = (rooms) => `^src/(?:${rooms.join("|")})/`;

const floorRules = FLOORS.slice(0, -1).map((rooms, floor) => {
  const above = FLOORS.slice(floor + 1).flat();
  const upToHere = FLOORS.slice(0, floor + 1).flat();
  return {
    name: `${rooms.join("-and-").replaceAll("/", "-")}-knows-nobody-above`,
    comment: `${rooms.join(", ")}: imports only from the floors below, and from its own.`,
    severity: "error",
    from: { path: pathOf(rooms) },
    to: { path: pathOf(above), pathNot: pathOf(upToHere) },
  };
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circle",
      comment: "Give what two files share a file of its own.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...floorRules,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};

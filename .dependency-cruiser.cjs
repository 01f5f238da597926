// Turns the plan of the house into rules: which room may import which, and that a room is entered through its index.ts only.
// Circles between files are oxlint's (import/no-cycle), which unlike this tool's parser does not count a link that is types only.

/** The rooms of the engine, and what each may import besides itself. Nobody but the front door (src/index.ts) imports the journal. */
const engineRooms = {
  protocol: [],
  dialects: ["protocol"],
  settings: ["protocol", "dialects"],
  trust: ["protocol", "dialects", "settings"],
  firing: ["protocol", "dialects", "settings", "trust"],
  running: ["protocol", "dialects", "settings", "trust", "firing"],
  session: ["protocol", "dialects", "settings", "trust", "firing", "running"],
  // The session's types only: scripts/check-walls.mjs checks that part, because this parser does not tell types from values.
  journal: ["protocol", "running", "session"],
};

const engineWalls = Object.entries(engineRooms).map(([room, allowed]) => ({
  name: `engine-${room}`,
  comment: `The engine's rooms import one way: ${room} may import ${allowed.length > 0 ? allowed.join(", ") : "no other room"}.`,
  severity: "error",
  from: { path: `^packages/engine/src/${room}/` },
  to: { path: "^packages/engine/src/", pathNot: `^packages/engine/src/(${[room, ...allowed].join("|")})/` },
}));

module.exports = {
  forbidden: [
    ...engineWalls,
    {
      name: "engine-known-rooms",
      comment: "A room of the engine is one of those listed in .dependency-cruiser.cjs, so that its walls are known.",
      severity: "error",
      from: { path: "^packages/engine/src/[^/]+/", pathNot: `^packages/engine/src/(${Object.keys(engineRooms).join("|")})/` },
      to: {},
    },
    {
      name: "door",
      comment: "A room is entered from another room through its index.ts.",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/([^/]+)/" },
      to: { path: "^packages/$1/src/[^/]+/", pathNot: ["^packages/$1/src/$2/", "^packages/$1/src/[^/]+/index[.]ts$"] },
    },
    {
      name: "door-from-the-front",
      comment: "The front door of a package enters a room through its index.ts, too.",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/[^/]+[.]ts$" },
      to: { path: "^packages/$1/src/[^/]+/", pathNot: "^packages/$1/src/[^/]+/index[.]ts$" },
    },
    {
      name: "front-door-from-outside",
      comment:
        "A room does not import its own package's front door: that is a circle waiting to happen. The CLI has no rooms below its own words.",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/[^/]+/" },
      to: { path: "^packages/$1/src/[^/]+[.]ts$", pathNot: "^packages/cli/src/(command|io|version)[.]ts$" },
    },
    {
      name: "package-by-name",
      comment: "Another package is imported by its name, never by a path into its sources.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/[^/]+/src/", pathNot: "^packages/$1/" },
    },
    {
      name: "engine-alone",
      comment: "The engine knows nothing of the agent and the commands.",
      severity: "error",
      from: { path: "^packages/engine/" },
      to: { path: "^(packages/(agent|cli)/|@carabiner/agent|carabiner)" },
    },
    {
      name: "agent-below-cli",
      comment: "The agent knows nothing of the commands.",
      severity: "error",
      from: { path: "^packages/agent/" },
      to: { path: "^(packages/cli/|carabiner$|carabiner/)" },
    },
    {
      name: "engine-dependencies",
      comment: "The engine depends on zod, jsonc-parser and Node, and on nothing else.",
      severity: "error",
      from: { path: "^packages/engine/" },
      to: { path: "node_modules/", pathNot: "node_modules/(zod|jsonc-parser)/" },
    },
    {
      name: "declared-dependencies",
      comment: "What a package imports at run time is among its own dependencies.",
      severity: "error",
      from: { path: "^packages/(engine|agent)/src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "declared-bundled",
      comment: "The command line is shipped as a bundle: what it imports is among its own development dependencies.",
      severity: "error",
      from: { path: "^packages/cli/src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "resolvable",
      comment: "An import leads to a file.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^@carabiner/" },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    exclude: { path: "^packages/[^/]+/(test|bin)/" },
    doNotFollow: { path: ["node_modules", "/dist/"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};

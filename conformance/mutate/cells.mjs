// Turns a dialect's table into the list of its flips: one cell each, changed to every other value that means something else.
import { EQUIVALENT_CELLS } from "./equivalent.mjs";

/**
 * Each flip: `path` of the cell and what becomes of it, `apply` (changes the table in place and returns the way back), and `likely`,
 * a test of a case's text for those that should notice (`only`: nobody else is asked), `best` for those of them to ask first. Rows are replaced rather than changed: the engine remembers what it worked out of a row.
 */
export function cellFlips(dialect) {
  const flips = [
    ...Object.keys(dialect.rows).flatMap((event) => rowFlips(dialect, event)),
    ...headFlips(dialect),
    ...divergenceFlips(dialect),
  ];
  const known = new Set(flips.map(({ path }) => path));
  const equivalent = EQUIVALENT_CELLS[dialect.id] ?? {};
  for (const path of Object.keys(equivalent))
    if (!known.has(path)) throw new Error(`No flip of ${dialect.id} is called ${path}: take it off the list of equivalent ones.`);
  return flips.filter(({ path }) => !Object.hasOwn(equivalent, path)).map((flip) => ({ ...flip, path: `${dialect.id}: ${flip.path}` }));
}

function rowFlips(dialect, event) {
  const row = dialect.rows[event];
  const likely = (text) => text.includes(event);
  const flip = (path, change, ...words) => ({
    best: (text) => text.includes(`"event":"${event}"`) && words.some((word) => text.includes(word)),
    path: `rows.${event}.${path}`,
    likely,
    only: true,
    apply: () => {
      dialect.rows[event] = change({ ...row });
      return () => {
        dialect.rows[event] = row;
      };
    },
  });
  const others = (key, values, word) =>
    values.filter((value) => value !== row[key]).map((value) => flip(`${key} -> ${value}`, (now) => ({ ...now, [key]: value }), word));
  return [
    ...others("exit2", ["deny", "context", "ignored"], '"exit":2'),
    ...others("plainText", ["message", "context", "noted"], "OUTPUT_NOT_JSON"),
    ...others("failClosed", [true, false], "onFailure"),
    ...(row.contextLasts ? others("contextLasts", ["turn", "history"], '"contexts"') : []),
    ...patienceFlips(row, flip),
    ...matcherFlips(row, flip),
    ...Object.keys(row.stdin).flatMap((key) => [
      flip(`stdin.${key} removed`, (now) => ({ ...now, stdin: without(row.stdin, key) }), '"stdinKeys"'),
      flip(`stdin.${key} -> another value`, (now) => ({ ...now, stdin: { ...row.stdin, [key]: () => "flipped" } }), '"stdinKeys"'),
    ]),
    ...row.reads.flatMap((read, i) =>
      readFlips(row, read, (path, change, word = `"${read.at.split(".").at(-1)}":`) =>
        flip(`reads[${i}] (${read.at}) ${path}`, (now) => ({ ...now, reads: change(row.reads, i) }), word),
      ),
    ),
  ];
}

function patienceFlips(row, flip) {
  if (!row.patience)
    return [flip("patience -> left after 20 ms", (now) => ({ ...now, patience: { waitMs: 20, then: "leave" } }), "timedOut")];
  return [
    flip("patience removed", (now) => without(now, "patience"), '"left"'),
    flip("patience.waitMs -> 5000", (now) => ({ ...now, patience: { ...row.patience, waitMs: 5000 } }), '"left"'),
    flip("patience.waitMs -> 1", (now) => ({ ...now, patience: { ...row.patience, waitMs: 1 } }), '"left"'),
    flip("patience.then -> end", (now) => ({ ...now, patience: { ...row.patience, then: "end" } }), '"left"'),
  ];
}

function matcherFlips({ matcher }, flip) {
  const changed = (path, next) => flip(`matcher.${path}`, (now) => ({ ...now, matcher: next }), '"matcher"', "notThisVariant");
  const words = matcher.words ?? {};
  return [
    ...["exact", "regexElseLiteral", "namesElseRegex", "nothingToMatch"]
      .filter((as) => as !== matcher.as)
      .map((as) => changed(`as -> ${as}`, { ...matcher, as })),
    ...Object.keys(words).map((word) => changed(`words.${word} removed`, { ...matcher, words: without(words, word) })),
    ...Object.keys(words).map((word) =>
      changed(`words.${word} -> another word`, { ...matcher, words: { ...words, [word]: words[word].length > 0 ? ["flipped"] : [word] } }),
    ),
    ...(matcher.known ?? []).map((word) =>
      changed(`known without ${word}`, { ...matcher, known: matcher.known.filter((other) => other !== word) }),
    ),
    ...(matcher.known ? [changed("known removed", without(matcher, "known"))] : []),
  ];
}

function readFlips(row, read, flip) {
  const set = (path, next, word) => flip(path, (reads, i) => reads.with(i, { ...read, ...next }), word);
  const flips = [flip("removed", (reads, i) => reads.toSpliced(i, 1)), set("at another path", { at: `${read.at}Flipped` })];
  if (read.fills === "input")
    flips.push(set(`how -> ${read.how === "merge" ? "whole" : "merge"}`, { how: read.how === "merge" ? "whole" : "merge" }));
  for (const key of read.keys ?? [])
    flips.push(set(`keys without ${key}`, { keys: read.keys.filter((other) => other !== key) }, `"${key}"`));
  for (const key of ["yieldsTo", "onlyWith"])
    if (read[key]) flips.push(flip(`${key} removed`, (reads, i) => reads.with(i, without(read, key))));
  if (read.shown) flips.push(set("shown at another path", { shown: `${read.shown}Flipped` }));
  if (read.fills !== "ruling") return flips;
  for (const [value, means] of Object.entries(read.values)) {
    const word = `"${read.at}":${read.expected === "string" ? JSON.stringify(value) : value}`;
    flips.push(set(`${value} removed`, { values: without(read.values, value) }, word));
    for (const other of ["none", "ask", "deny", "endTurn", "endSession"].filter((kind) => kind !== means))
      if (canCarry(row, other)) flips.push(set(`${value} -> ${other}`, { values: { ...read.values, [value]: other } }, word));
  }
  for (const path of read.reason)
    flips.push(set(`reason without ${path}`, { reason: read.reason.filter((one) => one !== path) }, `"${path}":`));
  if (read.reason.length > 1) flips.push(set("reason in the other order", { reason: read.reason.toReversed() }));
  flips.push(set("expected of the other type", { expected: read.expected === "string" ? "boolean" : "string" }));
  return flips;
}
/** Only tool events can ask; a row that could not carry a ruling out would not compile. */
const canCarry = ({ on }, kind) => kind !== "ask" || on === "beforeTool";

function headFlips(dialect) {
  const flip = (path, key, value, likely) => ({ path: `${path}`, likely, apply: () => swapped(dialect, key, value) });
  const topic =
    (...words) =>
    (text) =>
      words.some((word) => text.includes(word));
  const { layers, scalarOrder, switches, timeout, expands, extensions, folderTrust, sanitising, environment, tools } = dialect;
  const trust = topic("folderTrust", "trustedFolders", "trustDirectories", "TRUST");
  const switching = topic("hooksConfig", '"enabled"', '"disabled"');
  const flips = [
    ...layers.flatMap((layer, i) => [
      flip(`layers without ${layer.scope}`, "layers", layers.toSpliced(i, 1), topic(`"${layer.scope}"`, layer.scope)),
      flip(
        `layers.${layer.scope}.file -> elsewhere`,
        "layers",
        layers.with(i, { ...layer, file: (where) => layer.file(where).replace(/settings|hooks|system-defaults/, "flipped") }),
        topic(layer.scope),
      ),
    ]),
    ...layers
      .slice(1)
      .map((layer, i) =>
        flip(
          `layers: ${layer.scope} before ${layers[i].scope}`,
          "layers",
          layers.with(i, layer).with(i + 1, layers[i]),
          topic("systemDefaults", "extensions", "user"),
        ),
      ),
    ...scalarOrder
      .slice(1)
      .map((scope, i) =>
        flip(
          `scalarOrder: ${scope} before ${scalarOrder[i]}`,
          "scalarOrder",
          scalarOrder.with(i, scope).with(i + 1, scalarOrder[i]),
          switching,
        ),
      ),
    ...scalarOrder.map((scope, i) => flip(`scalarOrder without ${scope}`, "scalarOrder", scalarOrder.toSpliced(i, 1), switching)),
    ...dialect.lookalikes.map((_, i) =>
      flip(`lookalikes without [${i}]`, "lookalikes", dialect.lookalikes.toSpliced(i, 1), topic("LOOKALIKE")),
    ),
    ...switches.allOff.flatMap((one, i) => [
      flip(
        `switches.allOff without ${one.at}`,
        "switches",
        { ...switches, allOff: switches.allOff.toSpliced(i, 1) },
        topic(one.at, "hooksConfig"),
      ),
      flip(
        `switches.allOff ${one.at} of the other value`,
        "switches",
        { ...switches, allOff: switches.allOff.with(i, { ...one, is: !one.is }) },
        topic(one.at, "hooksConfig"),
      ),
    ]),
    flip("switches.names elsewhere", "switches", { ...switches, names: "hooksConfig.flipped" }, switching),
    flip("switches.notifications elsewhere", "switches", { ...switches, notifications: "hooksConfig.flipped" }, topic("notifications")),
    ...switches.legacy.map((one, i) =>
      flip(`switches.legacy without ${one.at}`, "switches", { ...switches, legacy: switches.legacy.toSpliced(i, 1) }, topic("LEGACY")),
    ),
    ...switches.notEvents.map((key, i) =>
      flip(
        `switches.notEvents without ${key}`,
        "switches",
        { ...switches, notEvents: switches.notEvents.toSpliced(i, 1) },
        topic(`"${key}"`),
      ),
    ),
    ...["groupKeys", "handlerKeys"].flatMap((keys) =>
      dialect[keys].map((key, i) => flip(`${keys} without ${key}`, keys, dialect[keys].toSpliced(i, 1), topic(`"${key}"`))),
    ),
    ...["groupKeys", "handlerKeys"]
      .filter((keys) => !dialect[keys].includes("async"))
      .map((keys) => flip(`${keys} with async`, keys, [...dialect[keys], "async"], topic("async"))),
    ...dialect.notFiredHere.map((name, i) =>
      flip(`notFiredHere without ${name}`, "notFiredHere", dialect.notFiredHere.toSpliced(i, 1), topic(name)),
    ),
    flip("conditions", "conditions", dialect.conditions === "none" ? "toolGlob" : "none", topic('"if"')),
    ...Object.keys(dialect.permissionModes).map((mode) =>
      flip(
        `permissionModes.${mode}`,
        "permissionModes",
        { ...dialect.permissionModes, [mode]: "flipped" },
        topic("permissionMode", "permission_mode"),
      ),
    ),
    ...Object.entries(dialect.handlerTypes).map(([type, what]) =>
      flip(
        `handlerTypes.${type} -> ${what === "run" ? "unsupported" : "run"}`,
        "handlerTypes",
        { ...dialect.handlerTypes, [type]: what === "run" ? "unsupported" : "run" },
        topic(`"${type}"`),
      ),
    ),
    ...dialect.sameHook.map((key, i) =>
      flip(`sameHook without ${key}`, "sameHook", dialect.sameHook.toSpliced(i, 1), topic("duplicate", "layers")),
    ),
    flip("timeout.unitMs", "timeout", { ...timeout, unitMs: timeout.unitMs === 1 ? 1000 : 1 }, topic("timeout")),
    flip("timeout.unit", "timeout", { ...timeout, unit: "flipped" }, topic("TIMEOUT")),
    flip("timeout.defaultMs -> 40", "timeout", { ...timeout, defaultMs: 40 }, topic("sleepMs")),
    ...Object.entries(timeout.suspect).flatMap(([bound, number]) => [
      flip(`timeout.suspect.${bound} removed`, "timeout", { ...timeout, suspect: without(timeout.suspect, bound) }, topic("SUSPECT")),
      ...[number - 1, number + 1].map((other) =>
        flip(
          `timeout.suspect.${bound} -> ${other}`,
          "timeout",
          { ...timeout, suspect: { ...timeout.suspect, [bound]: other } },
          topic("SUSPECT", `"timeout":${number}`),
        ),
      ),
    ]),
    flip("expands.settingsStrings", "expands", { ...expands, settingsStrings: !expands.settingsStrings }, topic("$")),
    ...layers
      .filter(({ scope }) => scope === "extension")
      .map(() => flip("expands.extension", "expands", { ...expands, extension: !expands.extension }, topic("extensionPath"))),
    ...expands.inArgs.map((name, i) =>
      flip(`expands.inArgs without ${name}`, "expands", { ...expands, inArgs: expands.inArgs.toSpliced(i, 1) }, topic('"args"')),
    ),
    ...(extensions
      ? [
          ["extensions removed", undefined],
          ["extensions.manifest elsewhere", { ...extensions, manifest: "flipped.json" }],
          ["extensions.named elsewhere", { ...extensions, named: "flipped" }],
          ["extensions.installed elsewhere", { ...extensions, installed: "flipped.json" }],
          ["extensions.link -> none", { ...extensions, link: () => undefined }],
          ["extensions.link whatever the type", { ...extensions, link: (stored) => stored?.source }],
          ["extensions.enablement.file elsewhere", { ...extensions, enablement: { ...extensions.enablement, file: () => "/nowhere" } }],
          ["extensions.enablement.isOff -> always", { ...extensions, enablement: { ...extensions.enablement, isOff: () => true } }],
          ["extensions.enablement.isOff -> never", { ...extensions, enablement: { ...extensions.enablement, isOff: () => false } }],
        ].map(([what, value]) => flip(what, "extensions", value, topic("/extensions/")))
      : []),
    ...(folderTrust.variable ? [flip("folderTrust.variable removed", "folderTrust", { ...folderTrust, variable: undefined }, trust)] : []),
    ...(folderTrust.off
      ? [
          ["removed", undefined],
          ["of the other value", { ...folderTrust.off, is: !folderTrust.off.is }],
          ["elsewhere", { ...folderTrust.off, at: "security.flipped" }],
        ].map(([what, off]) => flip(`folderTrust.off ${what}`, "folderTrust", { ...folderTrust, off }, trust))
      : []),
    flip("folderTrust.store removed", "folderTrust", { ...folderTrust, store: undefined }, trust),
    flip(
      "folderTrust.store.file elsewhere",
      "folderTrust",
      { ...folderTrust, store: folderTrust.store && { ...folderTrust.store, file: () => "/nowhere" } },
      trust,
    ),
    flip(
      "folderTrust.store.read -> always",
      "folderTrust",
      { ...folderTrust, store: folderTrust.store && { ...folderTrust.store, read: () => true } },
      trust,
    ),
    flip(
      "folderTrust.store.read -> never",
      "folderTrust",
      { ...folderTrust, store: folderTrust.store && { ...folderTrust.store, read: () => false } },
      trust,
    ),
    ...Object.keys(dialect.stdin).flatMap((key) => [
      flip(`stdin.${key} removed`, "stdin", without(dialect.stdin, key), topic("stdinKeys")),
      flip(`stdin.${key} -> another value`, "stdin", { ...dialect.stdin, [key]: () => "flipped" }, topic("stdinKeys")),
    ]),
    ...Object.entries(environment).flatMap(([name, holds]) => [
      flip(`environment.${name} removed`, "environment", without(environment, name), topic('"environment"')),
      ...["projectDir", "cwd", "sessionId", "plansDir"]
        .filter((other) => other !== holds)
        .map((other) => flip(`environment.${name} -> ${other}`, "environment", { ...environment, [name]: other }, topic('"environment"'))),
    ]),
    ...["enabled", "allowed", "blocked"].map((key) =>
      flip(
        `sanitising.${key} elsewhere`,
        "sanitising",
        { ...sanitising, [key]: "security.flipped" },
        topic("environmentVariableRedaction"),
      ),
    ),
    flip("sanitising.strict -> never", "sanitising", { ...sanitising, strict: () => false }, topic("GITHUB_SHA")),
    flip("sanitising.strict -> always", "sanitising", { ...sanitising, strict: () => true }, topic('"environment"')),
    flip("runsIn", "runsIn", dialect.runsIn === "cwd" ? "projectDir" : "cwd", topic('"cwd"')),
    ...tools.tools
      .filter(({ aliases }) => aliases)
      .map((word) =>
        flip(
          `tools.${word.name} without aliases`,
          "tools",
          { ...tools, tools: tools.tools.map((other) => (other === word ? without(word, "aliases") : other)) },
          topic(word.name, ...word.aliases),
        ),
      ),
    flip("tools.mcpName", "tools", { ...tools, mcpName: (server, tool) => `flipped_${server}_${tool}` }, topic("mcp_context", '"mcp"')),
    flip("decodesTwice", "decodesTwice", !dialect.decodesTwice, topic("decoded")),
    flip("otherJson", "otherJson", dialect.otherJson === "noOpinion" ? "plainText" : "noOpinion", topic("NOT_OBJECT")),
    flip(
      "specificOutputNamesEvent",
      "specificOutputNamesEvent",
      dialect.specificOutputNamesEvent === "never" ? "checked" : "never",
      topic("hookEventName", "hookSpecificOutput"),
    ),
    flip("quietHides", "quietHides", dialect.quietHides === "record" ? "message" : "record", topic("suppressOutput")),
    flip("frame", "frame", (text) => `[${text}]`, topic("framed")),
  ];
  return flips;
}

function divergenceFlips(dialect) {
  const all = dialect.divergences;
  return all.flatMap((divergence, i) => {
    const flip = (path, next) => ({
      path: `divergences.${divergence.id} ${path}`,
      likely: (text) => text.includes(`"${divergence.id}"`),
      apply: () => swapped(dialect, "divergences", next),
    });
    return [flip("removed", all.toSpliced(i, 1)), flip("always", all.with(i, { ...divergence, when: () => true }))];
  });
}

function swapped(object, key, value) {
  const before = object[key];
  object[key] = value;
  return () => {
    object[key] = before;
  };
}
function without(object, key) {
  const { [key]: _, ...rest } = object;
  return rest;
}

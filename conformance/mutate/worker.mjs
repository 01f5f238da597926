// Turns its share of the flips into verdicts: each case's real runs are recorded once and replayed as long as the flip leaves the process order alone.
import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cellFlips } from "./cells.mjs";
import { EQUIVALENT_BRANCHES } from "./equivalent.mjs";

/** A flip under which a case has not ended by then has changed something. */
const PATIENCE_MS = 8000;
const AT_ONCE = 6;
const RECORDINGS = 3;

const running = new AsyncLocalStorage();
const hits = new Set();
let on = -1;
let collecting = false;
const isOn = (id) => {
  if (collecting) hits.add(id);
  return id === on;
};
globalThis.$flip = {
  not: (id, value) => (isOn(id) ? !value : value),
  and: (id, left, right) => (isOn(id) ? left || right() : left && right()),
  or: (id, left, right) => (isOn(id) ? left && right() : left || right()),
};
globalThis.$processes = async (really, order, patience) => {
  const run = running.getStore();
  const key = keyOf(order, patience);
  const known = run.live ? undefined : run.tape.get(key);
  if (known && !run.recording) {
    replayNotes(run, order);
    return known;
  }
  const end = await really(order, patience);
  if (run.recording) run.tape.set(key, end);
  return end;
};

const strays = [];
process.on("uncaughtException", (error) => strays.push(error));
process.on("unhandledRejection", (error) => strays.push(error));

/** Everything a process could tell from another one. The time of the firing is none of it. */
function keyOf({ line, cwd, env, stdin, timeoutMs, killGraceMs, drainMs, maxStdoutBytes }, patience) {
  const input = Buffer.from(stdin)
    .toString("utf8")
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, "now");
  return JSON.stringify([
    line.file,
    line.args,
    cwd,
    Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1)),
    input,
    timeoutMs,
    killGraceMs,
    drainMs,
    maxStdoutBytes,
    patience?.waitMs,
  ]);
}

function replayNotes({ stage, notes }, order) {
  const hook = /\/acts\/(\w+)/.exec(order.line.shown)?.[1];
  if (hook === undefined || notes === undefined) return;
  for (const [name, text] of Object.entries(notes)) if (name.startsWith(`${hook}.`)) writeFileSync(join(stage.acts.notes, name), text);
  appendFileSync(join(stage.acts.notes, "steps"), `${hook} started\n${hook} ended\n`);
}
function readNotes(folder) {
  if (!existsSync(folder)) return {};
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** How a case differs from what it must be, or `undefined`. */
async function differs(run, modules) {
  const { stage, one } = run;
  const { rows } = modules.dialect;
  // The engine keeps what it made of a matcher and of a row: a new row, and nothing kept, and it is made again.
  for (const kept of globalThis.$kept ?? []) kept.clear();
  for (const event of Object.keys(rows)) rows[event] = { ...rows[event] };
  for (const folder of [stage.acts.notes, stage.state]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(stage.acts.notes, { recursive: true });
  for (const [path, content] of Object.entries(one.files ?? {})) if (path.startsWith("state/")) stage.write(path, content);
  strays.length = 0;
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(["has not ended"]), PATIENCE_MS);
  });
  try {
    const found = await Promise.race([running.run(run, () => modules.runOn(stage, modules.dialect, one)), late]);
    return strays.length > 0 ? `threw ${String(strays[0])}` : found[0];
  } catch (error) {
    return `threw ${String(error)}`;
  } finally {
    clearTimeout(timer);
  }
}

/** Cases that are about order or time, whose notes a replay could not tell. */
const isLive = ({ hooks = {}, expect }) =>
  expect.sequence !== undefined ||
  expect.atLeastMs !== undefined ||
  expect.finishesLater !== undefined ||
  expect.leavesNothing === true ||
  Object.values(hooks).some(({ waitsFor }) => waitsFor !== undefined);
const isTimed = ({ event, expect }) => event === "SessionEnd" || expect.atMostMs !== undefined || expect.atLeastMs !== undefined;
const needsNotes = ({ expect }) => ["stdin", "stdinKeys", "environment", "cwd", "ran"].some((key) => expect[key] !== undefined);

async function main({ dialectId, only, folder, switches, known, share, shares }) {
  const { runOn } = await import(join(folder, "cases/run.js"));
  const { caseFiles } = await import(join(folder, "cases/cases.js"));
  const { stageOf } = await import(join(folder, "cases/stage.js"));
  const { dialectById } = await import(join(folder, "engine/dialects/index.js"));
  const dialect = dialectById(dialectId);
  const modules = { runOn, dialect };
  // Files are where the documents say, whatever becomes of the table.
  const asWritten = { ...dialect };
  const runs = caseFiles(dialectId, fileURLToPath(new URL("..", import.meta.url))).flatMap(({ cases }) =>
    cases.map((one) => ({
      one,
      text: JSON.stringify(one),
      stage: stageOf(one, asWritten),
      tape: new Map(),
      recording: true,
      live: false,
      hits: new Set(),
    })),
  );
  try {
    const unsound = await record(runs, modules);
    if (unsound.length > 0) return { unsound };
    const branches = told(switches).map(branchFlip);
    const flips = [...cellFlips(dialect), ...branches.filter(({ path }) => !known.includes(path))]
      .filter(({ path }) => path.includes(only))
      .filter((_, i) => i % shares === share);
    const [caught, survivors] = [[], []];
    const ages = [];
    for (const flip of flips) {
      const began = performance.now();
      ((await isCaught(flip, runs, modules)) ? caught : survivors).push(flip.path);
      if (process.env["VERBOSE"])
        console.error(`${Math.round(performance.now() - began)} ms${survivors.at(-1) === flip.path ? " SURVIVED" : ""} ${flip.path}`);
      ages.push({ path: flip.path, ms: Math.round(performance.now() - began) });
    }
    return { caught, survivors, slowest: ages.sort((a, b) => b.ms - a.ms).slice(0, 5) };
  } finally {
    for (const { stage } of runs) stage.remove();
  }
}

/** Without those on the list of equivalent ones. What stands several times in a file has its number behind it: ` (2)`. */
function told(switches) {
  const counts = new Map();
  return switches.filter(({ where, what, text }) => {
    const plain = `${basename(where).replace(/:\d+$/, "")}: ${what}: ${text}`;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    return !Object.hasOwn(EQUIVALENT_BRANCHES, count === 1 ? plain : `${plain} (${count})`);
  });
}
const branchFlip = ({ id, where, what, text }) => ({
  path: `${where} ${what}: ${text}`,
  id,
  apply: () => {
    on = id;
    return () => {
      on = -1;
    };
  },
});

/** Every case with real processes, those that measure time alone; then once more replayed, which must come to the same. */
async function record(runs, modules) {
  const unsound = [];
  const recorded = async (queue) => {
    for (let run = queue.shift(); run; run = queue.shift()) {
      const found = await recording(run, modules);
      if (found !== undefined) unsound.push(`${run.one.name}: ${found}`);
    }
  };
  const quick = runs.filter(({ one }) => !isTimed(one));
  await Promise.all(Array.from({ length: AT_ONCE }, () => recorded(quick)));
  await recorded(runs.filter(({ one }) => isTimed(one)));
  collecting = true;
  for (const run of runs) {
    hits.clear();
    const began = performance.now();
    const found = await differs(run, modules);
    run.ms = performance.now() - began;
    if (found !== undefined) unsound.push(`${run.one.name}, replayed: ${found}`);
    run.hits = new Set(hits);
  }
  collecting = false;
  return unsound;
}

/** A busy machine may spoil a recording: what counts is one that is as it must be. */
async function recording(run, modules) {
  let found;
  for (let attempt = 0; attempt < RECORDINGS; attempt++) {
    run.tape.clear();
    found = await differs(run, modules);
    if (found === undefined) break;
  }
  if (needsNotes(run.one)) run.notes = readNotes(run.stage.acts.notes);
  run.recording = false;
  run.live = isLive(run.one);
  return found;
}

/** The likely cases first, quick ones before slow ones; the first that is red decides. */
async function isCaught(flip, runs, modules) {
  const reached = runs.filter((run) => (flip.id === undefined ? !flip.only || flip.likely(run.text) : run.hits.has(flip.id)));
  const weight = (run) => (flip.likely?.(run.text) ? 0 : 1e6) + (flip.best?.(run.text) ? 0 : 1e5) + run.ms;
  const restore = flip.apply();
  try {
    for (const run of reached.toSorted((a, b) => weight(a) - weight(b))) if ((await differs(run, modules)) !== undefined) return true;
    return false;
  } finally {
    restore();
  }
}

process.once("disconnect", () => process.exit(1));
process.once("message", (task) => void answer(task));

async function answer(task) {
  process.send(await main(task), () => process.exit(0));
}

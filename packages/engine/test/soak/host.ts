// A host of its own: fires a thousand times at badly behaved hooks, and prints what became of them and of its memory as one JSON object.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine, type JournalLine } from "../../src/index.ts";

const [root = "", firings = "1000"] = process.argv.slice(2);
const COUNT = Number(firings);
const WARM = Math.min(200, COUNT);

const project = join(root, "project");
mkdirSync(join(root, "home", ".gemini"), { recursive: true });
mkdirSync(project, { recursive: true });
/** What each kind of hook does; the tool's name picks one. */
const HOOKS: Readonly<Record<string, { readonly command: string; readonly timeout?: number }>> = {
  fine: { command: `cat >/dev/null; echo '{"systemMessage":"fine"}'` },
  denies: { command: "echo no >&2; exit 2" },
  crashes: { command: "kill -SEGV $$" },
  exits: { command: "echo boom >&2; exit 7" },
  hangs: { command: "sleep 30", timeout: 40 },
  stubborn: { command: `trap "" TERM; sleep 30; sleep 30`, timeout: 40 },
  floods: { command: "head -c 3000000 /dev/zero" },
  deaf: { command: "exec 0<&-; echo deaf" },
  parent: { command: `sleep 30 & echo '{"systemMessage":"parent"}'` },
  garbage: { command: `printf '\\377\\376{"decision":'` },
  missing: { command: "./there-is-no-such-hook" },
};
writeFileSync(
  join(root, "home", ".gemini", "settings.json"),
  JSON.stringify({
    carabiner: { maxStdoutBytes: 1_000_000, killGraceMs: 30, drainMs: 30 },
    hooks: {
      BeforeTool: Object.entries(HOOKS).map(([name, hook]) => ({ matcher: `^${name}$`, hooks: [{ type: "command", name, ...hook }] })),
      SessionEnd: [{ hooks: [{ type: "command", name: "left", command: "sleep 1.2", timeout: 1_500 }] }],
    },
  }),
);

const kinds = Object.keys(HOOKS);
const statuses: Record<string, Record<string, number>> = {};
let recorded = 0;
let slowestMs = 0;
let warmBytes = 0;

const engine = createEngine({
  cwd: project,
  home: join(root, "home"),
  dialects: ["gemini"],
  env: { PATH: process.env["PATH"], HOME: join(root, "home"), GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(root, "none.json") },
  stateDir: join(root, "state"),
});
engine.subscribe((event) => {
  if (event.kind === "line") note(event.line);
});
function note(line: JournalLine): void {
  if (line.kind !== "fired" || line.event !== "beforeTool") return;
  recorded++;
  const name = String((line.facts?.["tool"] as { readonly name?: unknown } | undefined)?.name);
  for (const { status } of line.runs) {
    const counts = statuses[name] ?? {};
    statuses[name] = { ...counts, [status]: (counts[status] ?? 0) + 1 };
  }
}

// What is left behind at the end works in a directory of its own, where it can be told apart.
let cwd = project;
const session = engine.session({ cwd: () => cwd });
// A tool's input of some size: what hooks ignore has to go somewhere.
const input = { text: "x".repeat(200_000) };
for (let i = 0; i < COUNT; i++) {
  const began = performance.now();
  await session.fire("beforeTool", { tool: { name: kinds[i % kinds.length] ?? "fine", input } });
  slowestMs = Math.max(slowestMs, performance.now() - began);
  if (i + 1 === WARM) warmBytes = await settledBytes();
}
const endBytes = await settledBytes();
cwd = join(root, "end");
mkdirSync(cwd);
const end = await session.fire("sessionEnd", { reason: "exit" });
await engine.dispose();

process.stdout.write(
  JSON.stringify({
    firings: COUNT,
    recorded,
    slowestMs: Math.round(slowestMs),
    grownMiB: (endBytes - warmBytes) / 2 ** 20,
    statuses,
    left: end.record.kind === "fired" ? end.record.runs.map(({ status }) => status) : [],
  }),
);

/** Resident memory once garbage is gone. */
async function settledBytes(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    (globalThis as { gc?: () => void }).gc?.();
    await sleep(20);
  }
  return process.memoryUsage().rss;
}

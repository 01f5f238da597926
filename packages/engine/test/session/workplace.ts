// Turns hooks into a project of its own with real settings files, and an engine on it whose every line is checked and kept.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createEngine, type Engine, type EngineEvent, type EngineOptions, type JournalLine, type Problem } from "../../src/index.ts";
import { type JsonObject, journalLineSchema } from "../../src/protocol/index.ts";

/** Groups of one event as a settings file has them; a text alone is a command. */
export type Hooks = Readonly<Record<string, readonly (string | JsonObject)[]>>;

export interface Workplace {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  /** Writes the user's settings file. */
  readonly user: (hooks: Hooks, more?: JsonObject) => void;
  readonly projects: (hooks: Hooks, more?: JsonObject) => void;
  readonly path: (name: string) => string;
}

export function workplace(): Workplace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-session-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, "my project");
  const home = join(root, "home");
  for (const dir of [project, home]) mkdirSync(dir, { recursive: true });
  const write =
    (dir: string) =>
    (hooks: Hooks, more: JsonObject = {}) => {
      const path = join(dir, ".gemini", "settings.json");
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        JSON.stringify({ hooks: Object.fromEntries(Object.entries(hooks).map(([event, groups]) => [event, groups.map(group)])), ...more }),
      );
    };
  return { root, project, home, user: write(home), projects: write(project), path: (name) => join(root, name) };
}
function group(one: string | JsonObject): JsonObject {
  if (typeof one === "string") return { hooks: [{ type: "command", command: one }] };
  if ("hooks" in one) return one;
  const { matcher, sequential, ...handler } = one;
  return {
    ...(matcher === undefined ? {} : { matcher }),
    ...(sequential === undefined ? {} : { sequential }),
    hooks: [{ type: "command", ...handler }],
  };
}

export interface Watched {
  readonly engine: Engine;
  readonly events: EngineEvent[];
  readonly lines: () => readonly JournalLine[];
  readonly problems: () => readonly Problem[];
}
/** An engine on the workplace. Every line it tells is checked against the record's schema at once. */
export function watched(place: Workplace, options: Partial<EngineOptions> = {}): Watched {
  const engine = createEngine({
    cwd: place.project,
    home: place.home,
    dialects: ["gemini"],
    env: { PATH: process.env["PATH"], HOME: place.home, GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(place.root, "system", "settings.json") },
    stateDir: join(place.root, "state"),
    ...options,
  });
  const events: EngineEvent[] = [];
  engine.subscribe((event) => {
    events.push(event);
    if (event.kind !== "line") return;
    journalLineSchema.parse(event.line);
    if (JSON.stringify(JSON.parse(JSON.stringify(event.line))) !== JSON.stringify(event.line)) throw new Error("the line is no plain JSON");
  });
  onTestFinished(() => engine.dispose());
  const kept = <K extends EngineEvent["kind"]>(kind: K) =>
    events.filter((event): event is Extract<EngineEvent, { kind: K }> => event.kind === kind);
  return {
    engine,
    events,
    lines: () => kept("line").map(({ line }) => line),
    problems: () => kept("problem").map(({ problem }) => problem),
  };
}

/** A command that prints this object and reads nothing. */
export const prints = (value: unknown): string => `printf '%s' '${JSON.stringify(value).replaceAll("'", "'\\''")}'`;
export const denies = (reason: string): string => prints({ decision: "deny", reason });
export const stops = (reason: string): string => prints({ continue: false, stopReason: reason });

// A project with real sh hooks that keep what they read, and an agent opened on it over a loopback model server.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type EngineEvent, type JsonObject, problemText, type TurnDone } from "@carabiner/engine";
import { onTestFinished } from "vitest";
import { type OpenedAgent, type OpenOptions, openAgent } from "../../src/config/index.ts";
import type { AgentEvent } from "../../src/loop/index.ts";
import { type ModelServer, type Reply, startModelServer, type WireFormat } from "../servers/model-server.ts";

/** One hook: the event, what its sh script does after it has kept its stdin (`$n`: how often it has run), and keys of the group or the handler. */
export interface Hook {
  readonly on: string;
  readonly does?: string;
  /** The name in the records; default: the event. */
  readonly as?: string;
  readonly matcher?: string;
  readonly sequential?: boolean;
  readonly handler?: JsonObject;
}
export interface Run extends OpenedAgent {
  readonly events: AgentEvent[];
  readonly engineEvents: EngineEvent[];
  readonly ask: (text: string, signal?: AbortSignal) => Promise<TurnDone>;
  /** The texts of everything told to people, problems included. */
  readonly told: () => readonly string[];
  readonly texts: () => string;
}
export interface Stage {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => string;
  readonly read: (name: string) => string;
  /** Writes hooks as the user's settings of a product. */
  readonly hooks: (hooks: readonly Hook[], settings?: JsonObject, dialect?: Dialect) => void;
  /** What the hooks of that name have read, in order. */
  readonly seen: (name: string) => readonly JsonObject[];
  /** Names of hooks in the order in which they ran. */
  readonly order: () => readonly string[];
  readonly open: (options?: Partial<OpenOptions>) => Promise<Run>;
}
type Dialect = "gemini" | "qoder-cn";

/** Where a product keeps the user's settings. */
const USER_FILE: Readonly<Record<Dialect, string>> = { gemini: "home/.gemini/settings.json", "qoder-cn": "home/.qoder-cn/settings.json" };

export function stage(): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-loop-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const path = (name: string): string => join(root, name);
  const project = path("my project");
  for (const folder of [project, path("home"), path("seen")]) mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
    return path(name);
  };
  return {
    root,
    project,
    home: path("home"),
    path,
    write,
    read: (name) => readFileSync(path(name), "utf8"),
    hooks: (hooks, settings = {}, dialect = "gemini") => {
      write(USER_FILE[dialect], JSON.stringify({ ...settings, hooks: groups(hooks, dialect, root) }));
    },
    seen: (name) => lines(path(`seen/${name}.jsonl`)).map((line) => JSON.parse(line) as JsonObject),
    order: () => lines(path("seen/order")),
    open: async (options = {}) => {
      const events: AgentEvent[] = [];
      const engineEvents: EngineEvent[] = [];
      const opened = await openAgent({
        cwd: project,
        home: path("home"),
        env: { PATH: process.env["PATH"], HOME: path("home"), GEMINI_CLI_SYSTEM_SETTINGS_PATH: path("system/settings.json") },
        signal: new AbortController().signal,
        tell: (event) => events.push(event),
        onEngineEvent: (event) => engineEvents.push(event),
        ...options,
        flags: { mode: "yolo", skipTrust: true, ...options.flags },
      });
      if (!opened.ok) throw new Error(`${opened.exitCode}: ${opened.message}`);
      onTestFinished(() => opened.close("exit"));
      return {
        ...opened,
        events,
        engineEvents,
        ask: async (text, signal = new AbortController().signal) => {
          await opened.agent.begin();
          return opened.agent.prompt(text, signal);
        },
        told: () => [
          ...events.flatMap((event) => (event.kind === "notice" ? [event.text] : [])),
          ...engineEvents.flatMap((event) =>
            event.kind === "problem" ? [problemText(event.problem)] : event.kind === "message" ? [event.message.text] : [],
          ),
        ],
        texts: () => events.flatMap((event) => (event.kind === "text" && event.agent === undefined ? [event.text] : [])).join(""),
      };
    },
  };
}

function groups(hooks: readonly Hook[], dialect: Dialect, root: string): JsonObject {
  const byEvent: Record<string, JsonObject[]> = {};
  for (const { on, does = "", as = on, matcher, sequential, handler = {} } of hooks) {
    const script = join(root, "hooks", dialect, `${as}.sh`);
    mkdirSync(dirname(script), { recursive: true });
    const seen = join(root, "seen", `${as}.jsonl`);
    const count = does.includes("$n") ? `n=$(wc -l < '${seen}')\n` : "";
    writeFileSync(
      script,
      `#!/bin/sh\n{ cat; echo; } >> '${seen}'\necho '${as}' >> '${join(root, "seen", "order")}'\nhome='${root}'\n${count}${does}\n`,
    );
    chmodSync(script, 0o755);
    const group = {
      ...(matcher === undefined ? {} : { matcher }),
      ...(sequential === undefined ? {} : { sequential }),
      hooks: [{ type: "command", command: `'${script}'`, name: as, ...handler }],
    };
    byEvent[on] = [...(byEvent[on] ?? []), group];
  }
  return byEvent;
}

const lines = (file: string): readonly string[] => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []);

/** A script's part that prints this value as JSON. */
export const says = (value: unknown): string => `cat <<'END_OF_ANSWER'\n${JSON.stringify(value)}\nEND_OF_ANSWER`;
/** ... in the n-th run only. */
export const saysAt = (n: number, value: unknown): string => `if [ "$n" -eq ${n} ]; then\n${says(value)}\nfi`;

/** How a provider is reached, and what its requests are asked. */
export const WIRES = {
  gemini: { model: "google/gemini-3.5-flash", key: "GEMINI_API_KEY", base: "GOOGLE_GEMINI_BASE_URL" },
  openai: { model: "openai/gpt-5.2", key: "OPENAI_API_KEY", base: "OPENAI_BASE_URL" },
  anthropic: { model: "anthropic/claude-sonnet-4-5", key: "ANTHROPIC_API_KEY", base: "ANTHROPIC_BASE_URL" },
} as const satisfies Record<WireFormat, object>;

export interface Served extends Run {
  readonly server: ModelServer;
  /** The n-th request's body as text, from 0. */
  readonly sent: (n: number) => string;
}
/** An agent on the stage whose model answers with these replies, in order. */
export async function served(on: Stage, format: WireFormat, replies: Reply[], options: Partial<OpenOptions> = {}): Promise<Served> {
  const server = await startModelServer(format, replies);
  onTestFinished(() => server.close());
  const { model, key, base } = WIRES[format];
  const run = await on.open({
    env: {
      PATH: process.env["PATH"],
      HOME: on.home,
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: on.path("system/settings.json"),
      [key]: "key-of-a-test",
      [base]: server.url,
    },
    ...options,
    flags: { model, ...options.flags },
  });
  return { ...run, server, sent: (n) => JSON.stringify(server.requests[n]?.body ?? null) };
}

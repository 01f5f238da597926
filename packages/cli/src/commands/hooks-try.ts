/** Tries one hook with examples of its event, alone, in an empty project of its own: nothing of the real one is touched, and no other hook runs. */
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import { createEngine, type JsonObject } from "@carabiner/engine";
import type { Io } from "../io.ts";
import { firedView, viewOptions, wrapped } from "../views/index.ts";
import type { EventChoice } from "./fire-event.ts";
import { makeFacts } from "./fire-facts.ts";
import { fireOnce } from "./fire-once.ts";
import type { Example, Starter } from "./starters/index.ts";

export interface Trial {
  readonly choice: EventChoice;
  /** As it stands in the settings. */
  readonly group: JsonObject;
  readonly name: string;
  /** Absolute. */
  readonly script: string;
  readonly starter: Starter;
  readonly projectDir: string;
}

export async function tryHook(trial: Trial, io: Io): Promise<void> {
  if (trial.starter.examples.length === 0) {
    const text = `Not tried: its matcher fits no built-in tool of ${trial.choice.dialect.title}. carabiner doctor says whether it can fit any.`;
    io.out(`${wrapped(text, io.columns).join("\n")}\n\n`);
    return;
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "carabiner-try-")));
  try {
    const stage = stageOf(trial, folder, io);
    for (const example of trial.starter.examples) {
      io.out(`Tried with ${example.says}:\n${await tryOne(trial, example, stage, io)}\n`);
    }
  } finally {
    // A hook that was left may still be writing there.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

interface Stage {
  readonly project: string;
  readonly state: string;
}

/** A project whose settings have this hook only, and a copy of its script at the same place. */
function stageOf({ choice: { dialect, wireName }, group, script, projectDir }: Trial, folder: string, { home, env }: Io): Stage {
  const project = join(folder, "project");
  const settings = dialect.layers.find(({ scope }) => scope === "project")?.file({ home, env, cwd: project, platform: process.platform });
  if (settings === undefined) throw new TypeError(`${dialect.title} has no project settings.`);
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify({ hooks: { [wireName]: [group] } }));
  const inProject = relative(projectDir, script);
  if (!inProject.startsWith("..") && !isAbsolute(inProject)) {
    mkdirSync(dirname(join(project, inProject)), { recursive: true });
    copyFileSync(script, join(project, inProject));
  }
  return { project, state: join(folder, "state") };
}

async function tryOne({ choice, name }: Trial, { fields }: Example, { project, state }: Stage, io: Io): Promise<string> {
  const engine = createEngine({
    cwd: project,
    home: io.home,
    env: io.env,
    dialects: [choice.dialect.id],
    folderTrust: true,
    record: "every",
    stateDir: state,
  });
  for (const other of engine.hooks())
    if (other.name !== name && other.barred === undefined) engine.setEnabled(other.name, false, { scope: "project" });
  const facts = makeFacts(choice, { tool: undefined, mcp: undefined, input: fields });
  if (!facts.ok) throw new TypeError(facts.problem);
  const { story } = await fireOnce(
    engine,
    choice,
    facts,
    { options: { cwd: () => project }, agent: undefined },
    new AbortController().signal,
  );
  // A user's hook stands in the real settings, too, and runs from there.
  const mine = story.entries.filter((entry) => entry.name === name && entry.status !== "duplicate");
  return firedView({ ...story, entries: mine }, viewOptions(io));
}

/** `carabiner fire <event>`: fires one event at the hooks configured here, and says what comes of it. */
import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { createEngine, DIALECTS, type Engine, type EngineEvent, type EventName, type Problem } from "@carabiner/engine";
import type { CommandModule } from "../command.ts";
import { type Io, SIGNAL_EXIT } from "../io.ts";
import { people } from "../output/index.ts";
import { concerns, fileError, isDenial, viewOptions } from "../views/index.ts";
import { type EventChoice, readEvent } from "./fire-event.ts";
import { type EventFacts, makeFacts } from "./fire-facts.ts";
import { readInput } from "./fire-input.ts";
import { type FiredOnce, fireOnce } from "./fire-once.ts";
import { tellFired } from "./fire-output.ts";
import { sessionOf } from "./fire-session.ts";

/** As commander hands them over. */
export interface FireWords {
  readonly tool?: string;
  readonly mcp?: string;
  readonly input?: string;
  readonly json?: boolean;
  readonly explain?: boolean;
  readonly whyNot?: string;
  readonly dialect?: string;
  readonly settings?: readonly string[];
}

const each = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const HELP = `
The event has the name your product gives it: BeforeTool, PreToolUse and so on.
What is not given is made up. --input holds fields that hooks read on stdin; at
an event about a tool, an object without any such field is the tool's arguments.

Examples:
  carabiner fire SessionStart
  carabiner fire BeforeTool --tool run_shell_command --input '{"command":"ls"}'
  carabiner fire BeforeTool --mcp github/create_issue --input '{"title":"Hi"}'
  carabiner fire AfterAgent --input '{"prompt_response":"Done."}' --explain
  carabiner fire BeforeTool --tool replace --why-not format
  carabiner fire BeforeTool --input @event.json --json | jq .outcome

Exit codes:
  0    the agent would go on
  1    not fired as asked: event, input or a settings file cannot be used
  2    a hook blocked this, stopped the agent, or sent its answer back
  129, 130, 143   ended by SIGHUP, SIGINT, SIGTERM

The firing is kept in the journal: \`carabiner explain\` tells it in full.`;

export const fire: CommandModule = {
  define: (command, io, done) => {
    command
      .argument("<event>", "the event's name, in any product's words")
      .option("--tool <name>", "the tool the event is about")
      .option("--mcp <server/tool>", "the same for a tool of an MCP server")
      .option("--input <json>", "JSON, @FILE, or - for standard input")
      .option("--explain", "tell the whole story instead of the short answer")
      .option("--why-not <hook>", "say why this hook did not run, or did not decide")
      .option("--json", "print one JSON document: outcome, record, problems")
      .option("--settings <file>", "a further settings file; may be given several times", each)
      .option("--dialect <ids>", `whose hooks count, separated by commas: ${DIALECTS.map(({ id }) => id).join(", ")}`)
      .addHelpText("after", HELP)
      .action(async (event: string, words: FireWords) => done(await runFire(event, words, io)));
  },
};

async function runFire(word: string, words: FireWords, io: Io): Promise<number> {
  const refuse = (problem: string): number => {
    io.err(`${problem}\n`);
    return 1;
  };
  const dialects = words.dialect?.split(",").map((id) => id.trim());
  const unknown = dialects?.find((id) => !DIALECTS.some((dialect) => dialect.id === id));
  if (unknown !== undefined)
    return refuse(`--dialect ${JSON.stringify(unknown)}: expected one or more of ${DIALECTS.map(({ id }) => id).join(", ")}.`);
  const unreadable = (words.settings ?? []).map((path) => whyUnreadable(io, path)).find((why) => why !== undefined);
  if (unreadable !== undefined) return refuse(unreadable);

  const present = open(io, words, dialects);
  const choice = readEvent(word, present.dialects);
  if (!choice.ok) return refuse(choice.problem);
  const input = await readInput(words.input, io);
  if (!input.ok) return refuse(input.problem);
  const facts = makeFacts(choice, { tool: words.tool, mcp: words.mcp, input: words.input === undefined ? undefined : input.object });
  if (!facts.ok) return refuse(facts.problem);
  // Where nobody has hooks, the product whose word was used is the one that is meant.
  const whose = dialects ?? (present.hooks().length === 0 ? [choice.dialect.id] : undefined);
  const engine = open(io, words, whose, choice);
  return fireAndTell(engine, choice, facts, words, io);
}

/** With a choice the facts are in the words of the product whose event was named. */
function open({ cwd, home, env }: Io, { settings }: FireWords, dialects: readonly string[] | undefined, choice?: EventChoice): Engine {
  return createEngine({
    cwd,
    home,
    env,
    record: "every",
    ...(dialects ? { dialects } : {}),
    ...(settings ? { settingsFiles: settings } : {}),
    ...(choice ? { tools: choice.dialect.id } : {}),
  });
}

async function fireAndTell(engine: Engine, choice: EventChoice, facts: EventFacts, words: FireWords, io: Io): Promise<number> {
  const stopping = new AbortController();
  let signalled: keyof typeof SIGNAL_EXIT | undefined;
  const forget = io.onSignal((signal) => {
    signalled ??= signal;
    stopping.abort(new Error(`ended by ${signal}`));
  });
  const { hearEngine } = people(io);
  engine.subscribe((event: EngineEvent) => {
    if (event.kind === "unknownHook") hearEngine(event);
  });
  try {
    const layers = engine.layers();
    const fired = await fireOnce(
      engine,
      choice,
      facts,
      sessionOf(facts.fields, Object.keys(choice.row.stdin), choice.dialect),
      stopping.signal,
    );
    const isKnown = tellFired(
      { ...fired, notes: [...facts.notes, ...wordNotes(engine, choice), ...fired.notes] },
      layers,
      words,
      io,
      viewOptions(io),
    );
    if (signalled !== undefined) return SIGNAL_EXIT[signalled];
    return isKnown ? exitCode(fired) : 1;
  } finally {
    forget();
  }
}

/** A denial stands whatever else is wrong; without one, hooks that could not be read might have denied. */
function exitCode({ story, problems }: FiredOnce): 0 | 1 | 2 {
  if (isDenial(story)) return 2;
  return problems.some((problem) => losesHooks(problem, story.event)) ? 1 : 0;
}

/** Hooks that the event could have called are not even in the list: the file, its events or one of their groups cannot be used. */
function losesHooks(problem: Problem, event: EventName): boolean {
  const { code, hook, place } = problem;
  if (code === "SETTINGS_BAD_JSON" || code === "SETTINGS_UNREADABLE") return true;
  if (code !== "SETTINGS_BAD_SHAPE" || hook !== undefined) return false;
  const [first = ""] = ("jsonPath" in place ? place.jsonPath : "").split(/[.[]/);
  const holdsHooks = first === "" || first === "hooks" || DIALECTS.some(({ rows }) => Object.hasOwn(rows, first));
  return holdsHooks && concerns(problem, event);
}

/** Where the word is another product's than that of the hooks here. */
function wordNotes({ dialects }: Engine, { dialect, wireName, row }: EventChoice): readonly string[] {
  return dialects.flatMap((here) => {
    if (here.id === dialect.id) return [];
    const names = Object.entries(here.rows).flatMap(([name, other]) => (other.on === row.on ? [name] : []));
    if (names.length === 0) return [`${here.title} has no such event: its hooks are not called.`];
    return dialects.includes(dialect)
      ? []
      : [`${wireName} is a word of ${dialect.title}; ${here.title} calls this moment ${names.join(" or ")}.`];
  });
}

function whyUnreadable({ cwd }: Io, path: string): string | undefined {
  try {
    accessSync(resolve(cwd, path), constants.R_OK);
    return undefined;
  } catch (error) {
    return `--settings ${path}: the file cannot be read (${fileError(error)}).`;
  }
}

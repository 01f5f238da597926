/** `carabiner [prompt]`: one prompt to its end, headless. */
import { type AgentEvent, listSessions, ModelError, NoModel, type OpenedAgent, openAgent, profileOf, TurnsSpent } from "@carabiner/agent";
import { plain, type TurnDone } from "@carabiner/engine";
import type { CommandModule } from "../command.ts";
import { type Io, SIGNAL_EXIT } from "../io.ts";
import { type AgentOutput, banner, type Ending, jsonOutput, people, streamJsonOutput, textOutput } from "../output/index.ts";
import { type AgentWords, type Format, readWords } from "./agent-options.ts";
import { NO_TURN, slashOf } from "./agent-slash.ts";
import { promptOf } from "./prompt.ts";

const list = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(",").map((one) => one.trim()),
];
const each = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const EXIT_CODES = `
Exit codes:
  0    done; also when a hook blocked or stopped the turn
  1    the model or something else failed
  41   no model: no key was found, or the model named cannot be used
  42   the input cannot be used
  52   a file named with --settings cannot be read, or nothing of it counts
  53   --max-turns used up without a final answer
  55   nobody has decided whether to trust the folder, or it is not trusted
  129, 130, 143   ended by SIGHUP, SIGINT, SIGTERM`;

export const agent: CommandModule = {
  define: (command, io, done) => {
    command
      .argument("[prompt...]", "what to do; text piped to stdin goes before it; /compress or /clear with --resume")
      .option("-p, --prompt <text>", "the prompt, as an option")
      .option("-m, --model <name>", "google/NAME, openai/NAME, anthropic/NAME, or script/FILE")
      .option("-o, --output-format <format>", "text, json or stream-json", "text")
      .option("-y, --yolo", "allow every tool call without a question")
      .option("--approval-mode <mode>", "default, auto_edit, plan, dont_ask, auto or yolo")
      .option("--max-turns <n>", "answers of the model per prompt")
      .option("--resume [which]", "go on with a session: latest, its number, or the beginning of its id")
      .option("--list-sessions", "list the sessions of this project")
      .option("--settings <file>", "a further settings file; may be given several times", each)
      .option("--allowed-tools <names>", "tools that need no confirmation, separated by commas", list)
      .option("--include-directories <paths>", "further folders that tools may touch, separated by commas", list)
      .option("--allow-private-addresses", "let web requests reach this machine and private networks")
      .option("--skip-trust", "take the folder as trusted for this run")
      .option("--dialect <ids>", "whose hooks count, separated by commas; the first names the tools")
      .option("--fake-responses <file>", "play recorded answers, in Gemini CLI's format")
      .option("--fake-responses-non-strict <file>", "the same, each line used when its method is asked for")
      .addHelpText("after", EXIT_CODES)
      .action(async (words: readonly string[], options: AgentWords) => done(await runAgent(words, options, io)));
  },
};

async function runAgent(words: readonly string[], options: AgentWords, io: Io): Promise<number> {
  const read = readWords(options);
  if (!read.ok) return refuse(io, read.problem, 42);
  if (options.listSessions) return printSessions(io, options.dialect);
  const prompt = await promptOf(options.prompt ?? words.join(" "), io);
  if (prompt === "") return refuse(io, nothingToDo(options), 42);

  const output = outputs[read.format](io);
  let shows = true;
  const tells = people(io, () => shows);
  const stopping = new AbortController();
  let signalled: keyof typeof SIGNAL_EXIT | undefined;
  const forget = io.onSignal((signal) => {
    signalled ??= signal;
    stopping.abort(new Error(`ended by ${signal}`));
  });
  const hear = (event: AgentEvent): void => {
    output.hear(event);
    // The stream of JSON has its own lines for what people read on stderr.
    tells.hearAgent(event);
  };
  try {
    const opened = await openAgent({
      cwd: io.cwd,
      home: io.home,
      env: io.env,
      flags: read.flags,
      tell: hear,
      onEngineEvent: tells.hearEngine,
      signal: stopping.signal,
      now: io.now,
    });
    if (!opened.ok) {
      output.end({ kind: "error", type: "NotStarted", message: opened.message, code: opened.exitCode });
      return refuse(io, opened.message, opened.exitCode);
    }
    shows = opened.engine.snapshot().notifications;
    const code = await onePrompt(opened, prompt, output, io, { signal: stopping.signal, code: () => SIGNAL_EXIT[signalled ?? "SIGINT"] });
    return signalled === undefined ? code : SIGNAL_EXIT[signalled];
  } finally {
    forget();
  }
}

const outputs: Readonly<Record<Format, (io: Io) => AgentOutput>> = { text: textOutput, json: jsonOutput, "stream-json": streamJsonOutput };

/** What asks the run to end, and the exit code that says so. */
interface Stopping {
  readonly signal: AbortSignal;
  readonly code: () => number;
}

async function onePrompt(opened: OpenedAgent, prompt: string, output: AgentOutput, io: Io, stopping: Stopping): Promise<number> {
  const { agent } = opened;
  try {
    let ending: Ending;
    try {
      await agent.begin(stopping.signal);
      output.begin(prompt);
      ending = { kind: "done", done: await promptOrSlash(agent, prompt, io, stopping.signal) };
    } catch (error) {
      ending = endingOf(error, stopping);
    }
    output.end(ending);
    const said = ending.kind === "error" ? ending.message : banner(ending);
    const warns = ending.kind === "done" && ending.done.ended !== "stopped";
    // Hooks and providers word it, and a terminal would act on what they put in.
    if (said !== undefined) io.err(`${warns ? "[WARNING] " : ""}${plain(said)}\n`);
    return ending.kind === "error" ? ending.code : 0;
  } finally {
    // Also when the error is ours: hooks on the session's end and the journal are owed to the user.
    await opened.close("exit");
  }
}

async function promptOrSlash(agent: OpenedAgent["agent"], prompt: string, io: Io, signal: AbortSignal): Promise<TurnDone> {
  const slash = slashOf(prompt);
  if (!slash) return agent.prompt(prompt, signal);
  io.err(`${await slash(agent, signal)}\n`);
  return NO_TURN;
}

function endingOf(error: unknown, { signal, code }: Stopping): Ending {
  const message = error instanceof Error ? error.message : String(error);
  if (signal.aborted)
    return {
      kind: "error",
      type: "Aborted",
      message: signal.reason instanceof Error ? `The run was ${signal.reason.message}.` : message,
      code: code(),
    };
  if (error instanceof NoModel) return { kind: "error", type: "NoModel", message, code: 41 };
  if (error instanceof TurnsSpent) return { kind: "error", type: "TurnsSpent", message, code: 53 };
  if (error instanceof ModelError) return { kind: "error", type: error.kind, message, code: 1 };
  throw error;
}

async function printSessions(io: Io, dialect: string | undefined): Promise<number> {
  const profile = profileOf(dialect?.split(",")[0] ?? "");
  const sessions = await listSessions(profile.transcriptDir({ cwd: io.cwd, home: io.home, env: io.env }));
  if (sessions.length === 0) io.err(`There are no sessions of ${io.cwd} yet.\n`);
  sessions.forEach(({ id, updatedAt, firstPrompt, messages }, i) => {
    io.out(
      `${String(i + 1).padStart(3)}  ${updatedAt.slice(0, 16).replace("T", " ")}  ${id.slice(0, 8)}  ${String(messages).padStart(4)} message${messages === 1 ? " " : "s"}  ${plain(firstPrompt)}\n`,
    );
  });
  return 0;
}

/** `--resume "go on"` reads as a prompt, and its value is a session's name. */
function nothingToDo({ resume }: AgentWords): string {
  const task = typeof resume === "string" && /\s/.test(resume) ? resume : undefined;
  return task === undefined
    ? 'Give the agent something to do: carabiner "explain this project"\ncarabiner --help says what else there is.'
    : `Give the agent something to do: --resume took ${JSON.stringify(task)} for the session to go on with.\nTo go on with the latest: carabiner --resume latest ${JSON.stringify(task)}`;
}

function refuse(io: Io, message: string, code: number): number {
  io.err(`${plain(message)}\n`);
  return code;
}

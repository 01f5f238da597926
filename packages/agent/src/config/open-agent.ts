/** Turns flags, settings and surroundings into an agent ready for its first prompt, or into the reason why there is none and its exit code. */
import { randomUUID } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import { createEngine, type Engine, type EngineEvent, type EngineOptions, problemText, type ToolKind } from "@carabiner/engine";
import { attachJournal, type Journal } from "@carabiner/engine/journal";
import { readDefinitions } from "../agents/index.ts";
import { type Agent, type AgentOptions, type Confirm, createAgent, type Tell } from "../loop/index.ts";
import { connectServers, type McpTool, type McpTools, modelNames, readServers } from "../mcp/index.ts";
import { chooseModel, type Message, type Model, openFakeResponses } from "../models/index.ts";
import { flagRules, type Grants, isLoose, MODE_WORDS, type Mode, openGrants, type Rule } from "../permissions/index.ts";
import { PROFILES, type Profile, type ProfilePlace, profileOf } from "../profiles/index.ts";
import { openTranscript, readTranscript, resolveSession, type TranscriptProblem } from "../sessions/index.ts";
import type { Task } from "../tasks/index.ts";
import { attachTelemetry, type Telemetry, telemetrySettings } from "../telemetry/index.ts";
import { DEFAULT_LIMITS, type Question, TOOLS } from "../tools/index.ts";
import { agentSettings } from "./agent-settings.ts";
import { contextFiles } from "./context-files.ts";
import { loadEnvFile } from "./env-files.ts";
import { mcpServersOf } from "./mcp-servers.ts";
import { noModel } from "./no-model.ts";
import { rulesOf } from "./rules.ts";
import { systemPrompt } from "./system-prompt.ts";

/** What the user said on the command line; all of it optional. */
export interface AgentFlags {
  readonly model?: string | undefined;
  readonly fakeResponses?: string | undefined;
  readonly fakeResponsesStrict?: boolean | undefined;
  readonly mode?: Mode | undefined;
  readonly maxTurns?: number | undefined;
  /** `latest`, a number, an id or the beginning of one. */
  readonly resume?: string | undefined;
  readonly settingsFiles?: readonly string[] | undefined;
  readonly skipTrust?: boolean | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly includeDirectories?: readonly string[] | undefined;
  readonly dialects?: readonly string[] | undefined;
  readonly allowPrivateAddresses?: boolean | undefined;
}
export interface OpenOptions {
  readonly cwd: string;
  readonly home: string;
  /** Variables of environment files are added to it. */
  readonly env: Record<string, string | undefined>;
  readonly flags: AgentFlags;
  /** Asks a person about a call, about a project's hook, about the folder; absent: headless. */
  readonly confirm?: Confirm;
  readonly askTrust?: EngineOptions["askTrust"];
  readonly askFolder?: (folder: string) => Promise<boolean>;
  readonly askUser?: (questions: readonly Question[]) => Promise<Readonly<Record<string, string>> | undefined>;
  readonly tell: Tell;
  readonly onEngineEvent: (event: EngineEvent) => void;
  readonly signal: AbortSignal;
  readonly now?: () => Date;
}

export interface OpenedAgent {
  readonly ok: true;
  readonly agent: Agent;
  readonly engine: Engine;
  readonly model: Model;
  readonly profile: Profile;
  readonly grants: Grants;
  readonly setMode: (mode: Mode) => void;
  readonly mode: () => Mode;
  readonly journal: Journal;
  /** Fires session end once, then ends servers and closes the journal. */
  readonly close: (reason: "exit" | "logout" | "promptExit" | "other") => Promise<void>;
}
/** `exitCode` as documented: 42 bad input, 52 a settings file named on the command line that cannot be read, 55 the folder's trust. */
export interface NotOpened {
  readonly ok: false;
  readonly exitCode: 42 | 52 | 55;
  readonly message: string;
}
const refused = (exitCode: NotOpened["exitCode"], message: string): NotOpened => ({ ok: false, exitCode, message });

export async function openAgent(options: OpenOptions): Promise<OpenedAgent | NotOpened> {
  const { cwd, home, env, flags, tell } = options;
  const decided = flags.skipTrust || PROFILES.some(({ noFolderTrust }) => noFolderTrust !== undefined && env[noFolderTrust] === "true");
  const engine = createEngine({
    cwd,
    home,
    env,
    ...(flags.dialects ? { dialects: flags.dialects } : {}),
    ...(flags.settingsFiles ? { settingsFiles: flags.settingsFiles } : {}),
    ...(decided ? { folderTrust: true } : {}),
    ...(options.askTrust ? { trust: "ask", askTrust: options.askTrust } : {}),
    projectFiles: PROFILES.flatMap(({ contextFiles: names, envFiles }) => [...names, ...envFiles]).map((name) =>
      join(cwd, name.replace("/*.md", "")),
    ),
  });
  const unread = unreadNamed(options, engine);
  if (unread !== undefined) return refused(52, unread);
  engine.subscribe(options.onEngineEvent);
  const folder = engine.folder();
  if (folder.trusted === undefined) {
    if (!options.askFolder) return refused(55, undecided(cwd));
    const trusted = await options.askFolder(cwd);
    for (const found of engine.trust.decideFolder(cwd, trusted)) tell({ kind: "notice", level: "warning", text: problemText(found) });
    engine.refresh();
  } else if (!folder.trusted && !options.confirm && !options.askFolder) {
    return refused(55, `The folder ${cwd} is not trusted (${folder.by}). To change that: carabiner trust approve --folder`);
  }
  for (const found of engine.problems())
    tell({ kind: "notice", level: found.level === "note" ? "info" : found.level, text: problemText(found) });
  return assembled(options, engine);
}

async function assembled(options: OpenOptions, engine: Engine): Promise<OpenedAgent | NotOpened> {
  const { cwd, home, env, flags, tell } = options;
  const now = options.now ?? (() => new Date());
  const { trusted, carabiner } = engine.snapshot();
  const profile = profileOf(engine.dialects[0]?.id ?? "");
  const place: ProfilePlace = { cwd, home, env };
  loadEnvFile(profile, place, env, trusted);
  const notice = (text: string): void => tell({ kind: "notice", level: "warning", text });
  const said = agentSettings(profile, engine.setting, notice);

  const chosen = modelOf(options, engine, said.modelName);
  if (!chosen.ok && flags.fakeResponses !== undefined) return refused(42, chosen.message);
  const model = chosen.ok ? chosen.model : noModel(chosen.message);

  const started = await startOf(flags, profile, place, now());
  if (!started.ok) return refused(42, started.problem);
  const { id, path, messages, tasks } = started;
  for (const { what, now: then } of started.problems) notice(`${path}: ${what} ${then}`);
  const opened = openTranscript({
    path,
    id,
    cwd,
    model: model.name,
    now,
    onProblem: ({ what, now: then }) => notice(`${path}: ${what} ${then}`),
  });
  if (opened.problem) notice(`${opened.problem.path}: ${opened.problem.what} ${opened.problem.now}`);

  const { journal: kept } = carabiner;
  const journal = attachJournal(engine, {
    dir: kept.dir ?? join(engine.stateDir, "journal"),
    maxBytes: kept.maxBytes,
    maxDays: kept.maxDays,
    redact: kept.redact,
    leftDir: join(engine.stateDir, "left"),
    onProblem: (found) => notice(problemText(found)),
  });

  const grants = openGrants({ file: join(engine.stateDir, "grants.json"), project: cwd });
  if (grants.problem) notice(`${grants.problem.file}: ${grants.problem.what} ${grants.problem.now}`);
  const written = rulesOf(engine);
  for (const { file, jsonPath, what, now: then } of written.problems) notice(`${file} ${jsonPath}: ${what} ${then}`);
  const onCommandLine = flagRules(flags.allowedTools ?? [], "allow", "--allowed-tools", { syntax: profile.rules, words: engine.words });
  const named = mcpServersOf(engine, profile.settings.mcpServers, said.mayConnect);
  const fixed: readonly Rule[] = [...onCommandLine.rules, ...written.rules, ...named.rules];

  const { servers, problems } = readServers(named.servers, "settings");
  for (const { server, what, now: then } of problems) notice(`MCP server ${server}: ${what} ${then}`);
  const mcp = await connectServers(servers, {
    cwd,
    env,
    signal: options.signal,
    onProblem: ({ server, what, now: then, todo }) =>
      notice(`MCP server ${server}: ${what} ${then}${todo === undefined ? "" : ` ${todo}`}`),
  });

  const permitted = (wanted: Mode): Mode => {
    if (trusted || !isLoose(wanted)) return wanted;
    notice(`The folder ${cwd} is not trusted, so the permission mode ${MODE_WORDS[wanted]} does not count in it: the mode is default.`);
    return "default";
  };
  let mode: Mode = permitted(flags.mode ?? "default");
  const profiles = engine.dialects.map(({ id: dialect }) => profileOf(dialect));
  const context = profiles.flatMap((one) => contextFiles(one, place, said.contextFileNames ?? one.contextFiles, trusted, notice));
  const agents = readDefinitions(
    profiles.flatMap((one) => one.agentFolders(place, trusted).map((folder) => ({ folder, of: one.dialect }))),
    vocabularies(engine),
    ownKinds(engine),
  );
  for (const { file, what, now: then } of agents.problems) notice(`${file}: ${what}. ${then}`);
  let heard: Tell = () => undefined;
  const agentOptions: AgentOptions = {
    engine,
    profile,
    words: engine.words,
    model,
    system: systemPrompt({
      cwd,
      platform: process.platform,
      today: now().toISOString().slice(0, 10),
      interactive: options.confirm !== undefined,
      context,
    }),
    sessionId: id,
    transcript: opened.transcript,
    ...(messages ? { messages } : {}),
    tasks,
    resumed: messages !== undefined,
    cwd,
    plansDir: (sessionId) => profile.plansDir(place, sessionId),
    mcp: () => mcpByName(engine, mcp),
    toolContext: toolContext(options, profile, place),
    mode: () => mode,
    rules: () => [...grants.rules(), ...fixed],
    only: written.only,
    ...(options.confirm ? { confirm: options.confirm } : {}),
    agents: agents.definitions,
    subagentTranscript: (agentId) =>
      openTranscript({
        path: join(dirname(path), basename(path, ".jsonl"), `${agentId}.jsonl`),
        id: agentId,
        cwd,
        model: model.name,
        now,
      }).transcript,
    modelNamed: (name) => {
      const choice = chooseModel({ flag: name, env, cwd, contextWindow: carabiner.contextWindow });
      return choice.ok ? choice.model : noModel(choice.message);
    },
    maxTurns: flags.maxTurns ?? said.maxTurns ?? 100,
    compressionThreshold: said.compressionThreshold ?? 0.7,
    tell: (event) => {
      tell(event);
      heard(event);
    },
  };
  const agent = createAgent(agentOptions);
  const telemetry = telemetryOf(options, engine, profile, () => agent.sessionId(), now);
  heard = telemetry.hear;
  tell({ kind: "sessionStarted", id, model: model.name, transcriptPath: opened.transcript.path, resumed: messages !== undefined });
  let closed: Promise<void> | undefined;
  return {
    ok: true,
    agent,
    engine,
    model,
    profile,
    grants,
    journal,
    mode: () => mode,
    setMode: (next) => {
      mode = permitted(next);
    },
    close: (reason) => {
      closed ??= (async () => {
        await agent.end(reason);
        telemetry.close();
        await mcp.close();
        await journal.close();
      })();
      return closed;
    },
  };
}

function telemetryOf(
  { cwd, env, confirm, tell }: OpenOptions,
  engine: Engine,
  { telemetry }: Profile,
  sessionId: () => string,
  now: () => Date,
): Telemetry {
  const { setting, variables, prefix } = telemetry ?? { setting: "", variables: undefined, prefix: "" };
  const settings = variables
    ? telemetrySettings((key) => engine.setting(`${setting}.${key}`), variables, env, cwd)
    : { outfile: undefined, logPrompts: false };
  return attachTelemetry({
    engine,
    settings,
    prefix,
    interactive: confirm !== undefined,
    sessionId,
    now,
    onProblem: (text) => tell({ kind: "notice", level: "warning", text }),
  });
}

function modelOf(
  { cwd, env, flags, tell }: OpenOptions,
  engine: Engine,
  setting: string | undefined,
): { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly message: string } {
  const window = engine.snapshot().carabiner.contextWindow;
  if (flags.fakeResponses !== undefined) {
    const name = flags.model ?? setting ?? "fake-responses";
    return openFakeResponses({
      path: resolve(cwd, flags.fakeResponses),
      name,
      contextWindow: window ?? 1_000_000,
      strict: flags.fakeResponsesStrict ?? true,
    });
  }
  return chooseModel({
    flag: flags.model,
    setting,
    env,
    cwd,
    contextWindow: window,
    notice: (text) => tell({ kind: "notice", level: "warning", text }),
  });
}

type Start =
  | {
      readonly ok: true;
      readonly id: string;
      readonly path: string;
      readonly messages: readonly Message[] | undefined;
      readonly tasks: readonly Task[];
      readonly problems: readonly TranscriptProblem[];
    }
  | { readonly ok: false; readonly problem: string };
async function startOf({ resume }: AgentFlags, profile: Profile, place: ProfilePlace, at: Date): Promise<Start> {
  const dir = profile.transcriptDir(place);
  if (resume === undefined) {
    const id = randomUUID();
    return { ok: true, id, path: join(dir, profile.transcriptName(id, at)), messages: undefined, tasks: [], problems: [] };
  }
  const found = await resolveSession(dir, resume);
  if (!found.ok) return found;
  const stored = await readTranscript(found.session.path);
  if (!stored.ok) return { ok: false, problem: `${stored.problem.path}: ${stored.problem.what} ${stored.problem.now}` };
  return { ok: true, id: stored.id, path: found.session.path, messages: stored.messages, tasks: stored.tasks, problems: stored.problems };
}

/** Definitions and settings of one product may name tools in the other's words. */
const vocabularies = (engine: Engine) => [engine.words, ...engine.dialects.map(({ tools }) => tools)];

/** The kinds of the agent's own tools that the session has a word for. */
const ownKinds = ({ words }: Engine): ReadonlySet<ToolKind> =>
  new Set(words.tools.map(({ kind }) => kind).filter((one) => TOOLS.some(({ kind }) => kind === one)));

function mcpByName(engine: Engine, mcp: McpTools): ReadonlyMap<string, McpTool> {
  const kinds = ownKinds(engine);
  const own = new Set(engine.words.tools.filter(({ kind }) => kinds.has(kind)).map(({ name }) => name));
  return modelNames(mcp.tools, engine.words.mcpName, own);
}

function toolContext({ cwd, home, env, flags, askUser }: OpenOptions, profile: Profile, place: ProfilePlace): AgentOptions["toolContext"] {
  const roots = [cwd, ...(flags.includeDirectories ?? []).map((path) => resolve(cwd, path))];
  const limits = { ...DEFAULT_LIMITS, allowPrivateAddresses: flags.allowPrivateAddresses ?? false };
  return (signal, onOutput) => ({
    cwd,
    roots,
    home,
    env,
    signal,
    limits,
    ignoreFiles: profile.ignoreFiles,
    memory: profile.memory(place),
    onOutput,
    ...(askUser ? { askUser } : {}),
  });
}

/** Of the settings files named on the command line the first of which nothing counts, and why. */
function unreadNamed({ cwd, flags }: OpenOptions, engine: Engine): string | undefined {
  const named = new Set((flags.settingsFiles ?? []).map((path) => resolve(cwd, path)));
  const [why] = engine.snapshot().layers.find(({ path, settings }) => named.has(path) && settings === undefined)?.problems ?? [];
  return why && `${problemText({ ...why, now: "It was named with --settings, so nothing was started." })}`;
}

const undecided = (cwd: string): string =>
  [
    `Nobody has decided whether to trust the folder ${cwd}.`,
    "It holds settings, context files or variables that would count here, and its hooks run code on this machine.",
    "To trust it:             carabiner trust approve --folder",
    "For this one run:        --skip-trust",
    "To keep it untrusted:    carabiner trust revoke --folder",
  ].join("\n");

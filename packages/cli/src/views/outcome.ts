/** Says what an outcome means for the agent and its user: one table keyed by event and action, whatever dialect the hooks speak. */
import { type EventName, isObject, type Json, type JsonObject, type Story } from "@carabiner/engine";
import { jsonLines, quoted } from "./block.ts";
import { oneLine, wrapped } from "./fit.ts";
import { momentText } from "./moment.ts";
import type { Paint, Tone } from "./paint.ts";

/** A sentence, and what it introduces. */
interface Line {
  readonly says: string;
  readonly quotes?: Json;
}
type Effects = Readonly<Record<string, (outcome: JsonObject) => readonly Line[]>>;

interface ActionWords {
  readonly word: string;
  readonly tone: Tone;
  /** Does the agent go on as it was about to, if perhaps with something changed? */
  readonly proceeds: boolean;
}
const ACTIONS: Readonly<Record<string, ActionWords>> = {
  proceed: { word: "proceeds", tone: "good", proceeds: true },
  grant: { word: "allowed", tone: "good", proceeds: true },
  answer: { word: "answered", tone: "good", proceeds: true },
  block: { word: "blocked", tone: "bad", proceeds: false },
  discard: { word: "blocked", tone: "bad", proceeds: false },
  hide: { word: "blocked", tone: "bad", proceeds: false },
  cancel: { word: "blocked", tone: "bad", proceeds: false },
  retry: { word: "sent back", tone: "warning", proceeds: false },
  stop: { word: "stopped", tone: "bad", proceeds: false },
};

/** A tool call that proceeds may need a word of the user first, or none. */
const QUESTIONS: Readonly<Record<string, ActionWords>> = {
  ask: { word: "put to the user", tone: "warning", proceeds: true },
  skip: { word: "allowed", tone: "good", proceeds: true },
};

/** The outcome in a few words that go with "by" and a name, and whether it lets the agent go on. */
export function actionOf({ fired }: Pick<Story, "fired">): ActionWords {
  const action = textAt(fired.outcome, "action") ?? "";
  const question = textAt(fired.outcome, "question") ?? "";
  const words = Object.hasOwn(QUESTIONS, question) ? QUESTIONS[question] : Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  return words ?? { word: oneLine(action), tone: "none", proceeds: false };
}

/** ` by guard, format`: the hooks that decided, if any did. */
export function decidedBy({ fired, entries }: Story): string {
  const names = entries.filter(({ id }) => fired.verdict.because.includes(id)).map(({ name }) => oneLine(name));
  return names.length === 0 ? "" : ` by ${names.join(", ")}`;
}

/** `BeforeTool (write_file): blocked by guard`, in as many lines as it takes. */
export function headline(story: Story, columns: number, paint: Paint): readonly string[] {
  const { word, tone } = actionOf(story);
  const moment = momentText(story);
  const lines = wrapped(`${moment}: ${word}${decidedBy(story)}`, columns);
  const [only] = lines;
  if (lines.length !== 1 || only === undefined) return lines.map((line) => paint(tone, line));
  return [`${paint("strong", moment)}: ${paint(tone, only.slice(moment.length + 2))}`];
}

/** Does the agent not do what it was about to? */
export const isDenial = (story: Pick<Story, "fired">): boolean => !actionOf(story).proceeds;

/** What the agent does now, in sentences; what the hooks wrote stands behind a bar. */
export function effectLines(story: Story, indent: string, columns: number): readonly string[] {
  const { fired, event } = story;
  // A firing that is kept off the records has nothing but its action in the outcome; its verdict still has the reason.
  const outcome: JsonObject = { ...reasonOf(story), ...fired.outcome };
  const action = textAt(outcome, "action") ?? "";
  const effects = EFFECTS[event];
  const effect = Object.hasOwn(effects, action) ? effects[action] : undefined;
  const context = fired.verdict.contexts
    .filter(({ entry }) => reaches(outcome, entry))
    .map(({ text, lasts }): Line => ({ says: `Added to the conversation, ${LASTS[lasts]}:`, quotes: text }));
  return [...(effect?.(outcome) ?? [{ says: `The agent is told: ${action}.`, quotes: outcome }]), ...context].flatMap(
    ({ says, quotes }) => [
      ...wrapped(says, columns - indent.length).map((line) => indent + line),
      ...(quotes === undefined
        ? []
        : quoted(
            jsonLines(quotes === "" && fired.quiet ? "(kept off the records)" : quotes, columns - indent.length - 4).join("\n"),
            `${indent}  `,
            columns,
          )),
    ],
  );
}
const LASTS = { turn: "for this turn only", history: "to stay in the history" } as const;

const always = (says: string) => (): readonly Line[] => [{ says }];
const because =
  (says: string) =>
  (outcome: JsonObject): readonly Line[] => [{ says, quotes: outcome["reason"] ?? "" }];
const again =
  (who: string) =>
  (outcome: JsonObject): readonly Line[] => [
    { says: `${who} goes on, with this as the next prompt:`, quotes: outcome["prompt"] ?? outcome["reason"] ?? "" },
    ...cleared(outcome),
  ];
const stop =
  (also: string) =>
  (outcome: JsonObject): readonly Line[] => [
    {
      says: `${also}${outcome["ends"] === "session" ? "The session ends." : "The agent stops and waits for the user."} The user reads:`,
      quotes: outcome["reason"] ?? "",
    },
    ...(outcome["withheld"] === true ? [{ says: "A hook denied it as well: what that denial keeps back stays back." }] : []),
    ...cleared(outcome),
  ];
const cleared = ({ clearContext }: JsonObject): readonly Line[] => (clearContext === true ? [{ says: "The history is cleared." }] : []);

const EFFECTS: Readonly<Record<EventName, Effects>> = {
  sessionStart: { proceed: always("The session starts.") },
  sessionEnd: { proceed: always("The session ends.") },
  beforeAgent: {
    proceed: always("The prompt goes to the model."),
    discard: because("The prompt does not reach the model, and is not kept in the history. The user reads:"),
    stop: stop("The prompt does not reach the model. "),
  },
  afterAgent: { proceed: always("The answer stands."), retry: again("The answer is not accepted: the agent"), stop: stop("") },
  beforeModel: {
    proceed: ({ request }) =>
      request === undefined
        ? [{ says: "The request goes to the model as it is." }]
        : [{ says: "The request goes to the model with these changes:", quotes: request }],
    answer: ({ response }) => [{ says: "The model is not called. This response takes its place:", quotes: saidIn(response) }],
    block: ({ reason, response }) => [
      { says: "The request does not go to the model, and the turn ends. The user reads:", quotes: reason ?? "" },
      ...(response === undefined ? [] : [{ says: "This is shown as the answer:", quotes: saidIn(response) }]),
    ],
    stop: stop("The request does not go to the model. "),
  },
  beforeToolSelection: { proceed: ({ toolLimit }) => [toolLimitLine(toolLimit)] },
  afterModel: {
    proceed: ({ response }) =>
      response === undefined
        ? [{ says: "What the model said is used as it is." }]
        : [{ says: "This takes the place of what the model said:", quotes: saidIn(response) }],
    discard: because("What the model said is thrown away, and the turn ends. The user reads:"),
    stop: stop(""),
  },
  beforeTool: {
    proceed: ({ input, question, because: why }) => [
      ...(input === undefined
        ? [{ says: "The tool runs with its arguments as they are." }]
        : [{ says: "The tool runs with changed arguments:", quotes: input }]),
      ...(question === "ask" ? [{ says: "The user is asked first:", quotes: why ?? "(no reason given)" }] : []),
      ...(question === "skip" ? [{ says: "The user is not asked." }] : []),
    ],
    block: because("The tool does not run. The model reads this instead of a result:"),
    stop: stop("The tool does not run. "),
  },
  permissionRequest: {
    proceed: always("The user is asked, as without hooks."),
    grant: ({ input }) =>
      input === undefined
        ? [{ says: "The tool runs, and the user is not asked." }]
        : [{ says: "The user is not asked. The tool runs with changed arguments:", quotes: input }],
    block: because("The tool does not run, and the user is not asked. The model reads this instead of a result:"),
    stop: stop("The tool does not run. "),
  },
  afterTool: {
    proceed: ({ result, tailCall }) => [
      result === undefined
        ? { says: "The model reads the tool's result as it is." }
        : { says: "The model reads this instead of the tool's result:", quotes: result },
      ...(tailCall === undefined ? [] : [{ says: "This tool runs next, and its result takes the place of this one:", quotes: tailCall }]),
    ],
    hide: because("The model does not read the tool's result. It reads this instead:"),
    stop: stop(""),
  },
  subagentStart: { proceed: always("The sub-agent starts.") },
  subagentStop: {
    proceed: always("The sub-agent's answer stands."),
    retry: again("The answer is not accepted: the sub-agent"),
    stop: stop(""),
  },
  beforeCompress: {
    proceed: always("The history is compressed."),
    cancel: because("The history is not compressed. The user reads:"),
    stop: stop("The history is not compressed. "),
  },
  notification: { proceed: always("The notification is shown.") },
};

const MODES: Readonly<Record<string, { readonly some: string; readonly all: string }>> = {
  none: { some: "The model may use no tool.", all: "The model may use no tool." },
  any: { some: "The model must use one of these tools:", all: "The model must use a tool." },
  auto: { some: "The model may use these tools only:", all: "The model may use every tool." },
};
function toolLimitLine(limit: Json | undefined): Line {
  const mode = isObject(limit) ? String(limit["mode"]) : "auto";
  const allowed: Json | undefined = isObject(limit) ? limit["allowed"] : undefined;
  const names = Array.isArray(allowed) ? allowed.map(String) : [];
  const words = (Object.hasOwn(MODES, mode) ? MODES[mode] : undefined) ?? { some: `Tools, ${mode}:`, all: `Tools: ${mode}` };
  return names.length > 0 ? { says: words.some, quotes: names.join(", ") } : { says: words.all };
}

/** What a response says, where it is text: that is what people look for in it. */
function saidIn(response: Json | undefined): Json {
  const parts: Json | undefined = isObject(response) ? response["parts"] : undefined;
  return Array.isArray(parts) && parts.length > 0 ? parts.map(String).join("") : (response ?? "");
}

const reaches = ({ context }: JsonObject, entry: string): boolean =>
  Array.isArray(context) && context.some((one) => isObject(one) && one["entry"] === entry);
function textAt(object: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === "string" ? value : undefined;
}
function reasonOf({ fired }: Story): JsonObject {
  const reason = fired.verdict.ruling?.reason;
  return reason === undefined ? {} : { reason };
}

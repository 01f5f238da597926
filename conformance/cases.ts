/** Turns the case files of a dialect into checked values: what a case may say, as one schema that the published JSON Schema is made from. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const object = z.record(z.string(), z.json());
const text = z.string();
const texts = z.array(text);
/** Hook -> something about it. */
const byHook = <T extends z.ZodType>(value: T) => z.record(z.string(), value);

const act = z
  .strictObject({
    stdout: z
      .union([text, object])
      .optional()
      .describe("Printed on stdout: a text as it is, an object as JSON. In a text, {{project}} and its like are filled in."),
    stderr: text.optional().describe("Printed on stderr."),
    exit: z.int().min(0).max(255).optional().describe("The exit code. Default 0."),
    signal: text.optional().describe("It ends itself with this signal (KILL, TERM, ...) instead of exiting."),
    repeat: z.int().optional().describe("How many times stdout is printed. Default 1."),
    bytes: z.array(z.int()).optional().describe("Bytes printed on stdout before the text: for what is no UTF-8."),
    untilFired: z.boolean().optional().describe("It goes on until the firing has ended, and comes to its end then."),
    sleepMs: z.int().optional().describe("How long it sleeps after reading stdin and before printing."),
    waitsFor: text.optional().describe("It waits (at most 10 s, then it exits 99) until that other hook has started."),
    ignoresTerm: z.boolean().optional().describe("It and its children ignore SIGTERM."),
    readsNothing: z.boolean().optional().describe("It never reads stdin."),
    leavesChildMs: z.int().optional().describe("It leaves a child behind that holds stdout and stderr open for so long."),
    mode: z.enum(["executable", "plain"]).optional().describe("plain: its file has no execute permission. Default executable."),
  })
  .describe("What a hook does when it is started. Absent fields: it reads stdin, prints nothing, exits 0.");

const settings = z.union([object, text]).describe("A settings file: its JSON, or its text as it stands on disk.");
const layers = z.strictObject({
  local: settings.optional(),
  project: settings.optional(),
  user: settings.optional(),
  system: settings.optional(),
  systemDefaults: settings.optional(),
  extensions: z.record(z.string(), settings).optional().describe("Directory name -> its hooks/hooks.json."),
});

const problem = z.union([
  text.describe("A problem code."),
  z.strictObject({
    code: text,
    hook: text.optional(),
    mentions: texts.optional().describe("What the problem's text must contain."),
    lacks: texts.optional().describe("What it must not contain."),
  }),
]);

const message = z.union([
  z.strictObject({ from: text, text }).describe("What the hook itself says to the user: the whole text."),
  z.strictObject({ from: text, warns: texts }).describe("A warning about the hook, and what its text must contain."),
]);

const expectation = z
  .strictObject({
    outcome: object.optional().describe("The whole outcome, without contexts and messages. Default: { action: proceed }."),
    statuses: byHook(text).optional().describe("Every configured hook's status. Default: all ok."),
    verdict: z
      .strictObject({
        ruling: z.enum(["allow", "ask", "deny", "endTurn", "endSession"]),
        because: texts,
        overruled: texts.optional().describe("Default: none."),
        withheld: z.boolean().optional().describe("Default: true for a denial, else false."),
      })
      .optional()
      .describe("What was decided, and by which hooks. Default: nothing."),
    messages: z.array(message).optional().describe("What the user sees, in order. Default: nothing."),
    contexts: z
      .array(z.strictObject({ from: text, text, framed: text.optional(), lasts: z.enum(["turn", "history"]) }))
      .optional()
      .describe("What is added for the model, in order. Default: nothing. framed defaults to the dialect's frame."),
    kept: texts
      .optional()
      .describe("Hooks whose contexts the outcome still has. Default: all of those, unless the outcome has no place for any."),
    steps: z
      .array(z.strictObject({ from: text, what: text, says: text.optional() }))
      .optional()
      .describe("The merge, step by step: whose word on what, and a part of what is said of it. Looked at only where it is given."),
    problems: z.array(problem).optional().describe("Problems of this firing, in any order. Default: none."),
    settingsProblems: z.array(problem).optional().describe("Problems of the settings files, in any order. Default: none."),
    divergences: texts.optional().describe("Ids of the divergences that this firing shows, in any order. Default: none."),
    hidden: z.boolean().optional().describe("Input and output of the firing are kept out of the record. Default: false."),
    stdin: byHook(object).optional().describe("Hook -> fields it must have read. {{timestamp}} stands for any ISO 8601 time."),
    stdinKeys: byHook(texts).optional().describe("Hook -> all keys it read, in order."),
    environment: byHook(z.record(z.string(), z.union([text, z.null()])))
      .optional()
      .describe("Hook -> variables and their values; null: not there."),
    cwd: byHook(text).optional().describe("Hook -> the directory it ran in."),
    sequence: texts.optional().describe("Hooks of which each started only after the one before had ended."),
    ran: z.record(z.string(), z.int()).optional().describe("Hook -> how often it was started."),
    atLeastMs: z.number().optional(),
    atMostMs: z.number().optional().describe("Bounds on how long the firing took."),
    finishesLater: texts.optional().describe("Hooks that were left running and still reach their end."),
    leavesNothing: z.boolean().optional().describe("No child that a hook left behind is alive afterwards."),
  })
  .describe("What must come of it. Whatever is absent has its default: every case asserts everything.");

const firing = {
  event: text.describe("The event, by its wire name."),
  input: object.optional().describe("Fields of stdin, by their wire names; what is missing is taken from the dialect's example."),
  facts: object.optional().describe("What the host knows of the event and stdin has no field for."),
};

const caseSchema = z.strictObject({
  name: text.describe("What is so, as a sentence."),
  source: text.describe("Which document says so, and where."),
  ...firing,
  hooks: byHook(act).optional().describe("Hook -> what it does. {{name}} in a command is the path of its program. Default: none."),
  settings: layers
    .optional()
    .describe(
      "Settings files by layer. Default: every hook in the project layer, on the event, each in a group of its own, under its name.",
    ),
  handler: object.optional().describe("Without settings: keys added to every handler."),
  carabiner: object.optional().describe("Without settings: the project file's carabiner object."),
  env: z.record(z.string(), text).optional().describe("The host's environment besides PATH and HOME."),
  files: z.record(z.string(), text).optional().describe("Further files, by path below the case's directory."),
  folder: text.optional().describe("The name of the project's directory. Default: project."),
  cwd: text
    .optional()
    .describe("Where the event happens, below the case's directory; it need not exist. Default: the project's directory."),
  trust: z.enum(["warn", "require"]).optional(),
  folderTrust: z.boolean().optional(),
  permissionMode: text.optional().describe("The host's permission mode: default, autoEdit, plan, dontAsk, auto or yolo. Default: default."),
  agent: z.strictObject({ id: text, type: text }).optional().describe("The sub-agent in which the event happens."),
  before: z
    .array(z.strictObject({ event: text, input: object.optional(), settings: layers.optional() }))
    .optional()
    .describe("Firings of the same session before the one that is looked at, each with the settings files as they were then."),
  expect: expectation,
  binary: text.optional().describe("What the product's own binary does, where that differs from its documents."),
});
const fileSchema = z.strictObject({
  $schema: z.literal("../cases.schema.json"),
  about: text.describe("What this file is about."),
  cases: z.array(caseSchema).min(1),
});

export type Act = z.infer<typeof act>;
export type Layers = z.infer<typeof layers>;
export type Settings = z.infer<typeof settings>;
export type Expectation = z.infer<typeof expectation>;
export type ExpectedProblem = z.infer<typeof problem>;
export type ExpectedMessage = z.infer<typeof message>;
export type Case = z.infer<typeof caseSchema>;

export interface CaseFile {
  /** Below this folder: `gemini/before-tool.json`. */
  readonly file: string;
  readonly about: string;
  readonly cases: readonly Case[];
}

/** The JSON Schema of a case file, as published in cases.schema.json. */
export const casesJsonSchema = (): object => ({ title: "Conformance cases of the hooks of a coding agent", ...z.toJSONSchema(fileSchema) });

/** Every case file of a dialect, by name. Throws, naming file and path, at the first that is not as the schema says. */
export function caseFiles(dialect: string, folder: string = fileURLToPath(new URL(".", import.meta.url))): readonly CaseFile[] {
  const names = readdirSync(`${folder}/${dialect}`).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => {
    const file = `${dialect}/${name}`;
    const parsed: unknown = JSON.parse(readFileSync(`${folder}/${file}`, "utf8"));
    const checked = fileSchema.safeParse(parsed);
    if (!checked.success) throw new Error(`${file}: ${z.prettifyError(checked.error)}`);
    // As it stands in the file: the checked copy has lost keys such as __proto__, and cases are about those too.
    const { about, cases } = parsed as z.infer<typeof fileSchema>;
    return { file, about, cases };
  });
}

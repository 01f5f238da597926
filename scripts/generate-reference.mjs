// Turns the dialects' tables, the statuses and the catalogue of problems into the reference pages. `--check` writes nothing and fails where a page is stale.
import { publish, sources } from "./sources.mjs";

const engine = await sources(
  "packages/engine/src/dialects/index.ts",
  "packages/engine/src/firing/index.ts",
  "packages/engine/src/protocol/index.ts",
);
const code = (text) => `\`${String(text).replaceAll("|", "\\|")}\``;
const codes = (texts) => texts.map(code).join(", ");
const NOTE = "<!-- Generated from the tables by `npm run generate`. -->";

const MATCHERS = {
  regexElseLiteral: "a regular expression, unanchored; one that does not compile is compared as it is",
  exact: "compared as it is",
  namesElseRegex: "names separated by `|`; with any other character a regular expression, unanchored",
  nothingToMatch: "nothing to match",
};
const EXIT_2 = {
  deny: "denies, with stderr as the reason",
  context: "adds stderr for the agent",
  ignored: "is a warning; the event cannot be refused",
};
const TEXT = { message: "is shown to the user", context: "is added to the conversation", noted: "is recorded, and decides nothing" };
const QUIET = { record: "keeps the firing's input and output out of logs", message: "hides this hook's message from the user" };

for (const dialect of engine.DIALECTS) publish(`docs/reference/${dialect.id}.md`, dialectPage(dialect));
publish("docs/reference/statuses-and-problems.md", problemsPage());

function dialectPage(dialect) {
  const where = { home: "~", cwd: "<project>", env: {}, platform: "linux" };
  const { timeout, switches } = dialect;
  return `# ${dialect.title}: the contract as it is honoured here

${NOTE}

## Settings

| layer | file |
| --- | --- |
${dialect.layers.map(({ scope, file }) => `| ${scope} | ${code(file(where))} |`).join("\n")}

Highest precedence first; all of them run. Single values are looked for in the order ${dialect.scalarOrder.join(", ")}.

- Keys of a group: ${codes(dialect.groupKeys)}. Keys of a handler: ${codes(dialect.handlerKeys)}, and ours: ${codes(["onFailure", "budgetMs"])}.
- Handler types that run: ${codes(Object.keys(dialect.handlerTypes).filter((type) => dialect.handlerTypes[type] === "run"))}.
- A timeout is a number of ${timeout.unit}; without one it is ${timeout.defaultMs / timeout.unitMs}.
- Everything is off where ${switches.allOff.map(({ at, is }) => `${code(at)} is ${code(is)}`).join(", or ")}; single hooks where ${code(switches.names)} lists them.
- The same hook configured twice is told by its ${dialect.sameHook.join(" and ")}.
${extensionLine(dialect.extensions, where)}- Variables of a hook: ${Object.entries(dialect.environment)
    .map(([name, holds]) => `${code(name)} (${holds})`)
    .join(", ")}. It starts in the ${dialect.runsIn === "cwd" ? "directory of the event" : "project directory"}.

Common stdin: ${codes(Object.keys(dialect.stdin))}.

${Object.entries(dialect.rows)
  .map(([name, row]) => eventSection(dialect, name, row))
  .join("\n\n")}

## Where the real CLI does otherwise

These are printed by \`explain\` where a firing shows them. Others stand in [divergences that no record shows](../divergences-not-in-records.md).

| id | the real CLI |
| --- | --- |
${dialect.divergences.map(({ id, says }) => `| ${id} | ${says.replaceAll("|", "\\|")} |`).join("\n")}
`;
}

function extensionLine(extensions, where) {
  if (extensions === undefined) return "";
  const { manifest, named, installed, enablement } = extensions;
  return `- An extension is named by ${code(named)} in its ${code(manifest)}. Where ${code(enablement.file(where))} switches it off for the project, its hooks are disabled; where its ${code(installed)} says that it is a link, it is read in the folder the link leads to.\n`;
}

function eventSection(dialect, name, row) {
  const when = row.when ? `, where it is ${row.when.map((variant) => `"${variant}"`).join(" or ")}` : "";
  const patience = row.patience
    ? ` The host waits at most ${row.patience.waitMs} ms; a hook still running then may finish on its own.`
    : "";
  return `## ${name}

Canonical event ${code(row.on)}${when}. Source: ${row.source}.

- Matcher: ${MATCHERS[row.matcher.as]}${row.matcher.known ? ` (known: ${codes(row.matcher.known)})` : ""}.
- Exit 2 ${EXIT_2[row.exit2]}. Text that is no JSON object ${TEXT[row.plainText]}.${row.failClosed ? ' `onFailure: "block"` may deny here.' : ""}${row.contextLasts ? ` Added context lasts for ${row.contextLasts === "turn" ? "this turn" : "the history"}.` : ""}${patience}

| output field | means |
| --- | --- |
${row.reads.map((read) => `| ${code(read.at)} | ${meaning(dialect, read)} |`).join("\n")}

\`\`\`json
${JSON.stringify(exampleOf(dialect, name, row), null, 2)}
\`\`\``;
}

function meaning(dialect, read) {
  if (read.fills === "ruling")
    return `${Object.entries(read.values)
      .map(([value, kind]) => `${code(value)}: ${kind === "none" ? "decides nothing" : kind}`)
      .join(", ")}; reason in ${codes(read.reason)}`;
  if (read.fills === "input") return read.how === "merge" ? "laid over the tool's arguments" : "the tool's whole arguments";
  return {
    message: "shown to the user",
    context: "added for the model",
    quiet: QUIET[dialect.quietHides],
    clearContext: "clears the history",
    result: "replaces the tool's result",
    request: "changes the request",
    response: "replaces the response",
    toolLimit: "limits the tools",
    tailCall: "the tool to run next",
  }[read.fills];
}

function exampleOf(dialect, name, row) {
  const words = engine.translator(dialect.tools, dialect.tools);
  const session = {
    id: "9d0c1a2b-0000-4000-8000-000000000000",
    cwd: "/project",
    projectDir: "/project",
    transcriptPath: "/transcripts/session.jsonl",
    plansDir: "/plans",
    permissionMode: "default",
    agent: undefined,
    firedAt: "2026-01-02T03:04:05.678Z",
  };
  return engine.stdinObject(dialect, row, row.example, engine.speaker(dialect, row, name, row.on, row.example, words, session));
}

function problemsPage() {
  const facts = new Proxy({}, { get: (_target, key) => (key === "known" ? ["..."] : key === "now" ? "..." : `{${String(key)}}`) });
  return `# Statuses and problems

${NOTE}

## Statuses

Every configured hook ends every firing with one of these.

| status | class | means |
| --- | --- | --- |
${engine.STATUSES.map((status) => `| ${code(status)} | ${engine.statusClass(status)} | ${engine.STATUS_MEANING[status]} |`).join("\n")}

## Problems

| code | level | what |
| --- | --- | --- |
${engine.PROBLEM_CODES.map((name) => {
  const { level, what } = engine.problem(name, { entry: "" }, facts);
  return `| ${code(name)} | ${level} | ${what.replaceAll("|", "\\|")} |`;
}).join("\n")}
`;
}

/** Starters in JavaScript and TypeScript: the same lines under two ways to write the type of stdin. */

import type { Kind } from "./starter.ts";
import { HOLE, type Words } from "./words.ts";

/** `imports` stand before the reading of stdin, `body` after it; `event` is what was read. */
interface Parts {
  readonly imports?: string;
  readonly body: string;
}

export const NODE: Readonly<Record<Kind, (words: Words, reason: string) => Parts>> = {
  guard: (words, reason) => ({
    body: `// "rm" with an option that means "recursive", and a path that begins with / or ~ or $HOME.
const dangerous = /(?<![\\w-])rm\\s+([^;&|]*\\s)?(-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)\\s+([^;&|]*\\s)?["']?(\\/|~|\\$\\{?HOME)/;

const command = event.tool_input["${words.commandArgument}"];
if (typeof command === "string" && dangerous.test(command)) {
${refuse(words, reason)}
}
`,
  }),
  paths: (words, reason) => ({
    body: `const secretFile = /(^|\\/)\\.env(\\.[\\w-]+)?$|\\.pem$|(^|\\/)id_(rsa|ed25519)$/;

if (Object.values(event.tool_input).some((value) => typeof value === "string" && secretFile.test(value))) {
${refuse(words, reason)}
}
`,
  }),
  prompt: (words, reason) => ({
    body: `${SECRET}

if (event.prompt.search(secret) !== -1) {
${refuse(words, reason)}
}
`,
  }),
  request: (words) => ({
    body: `${SECRET}

const messages = event.llm_request.messages.map((message) => ({ ...message, content: message.content.replace(secret, "[removed]") }));
if (JSON.stringify(messages) !== JSON.stringify(event.llm_request.messages)) {
  console.log(JSON.stringify(${literal(words.output("request", { messages: HOLE }), "messages")}));
}
`,
  }),
  redact: (words) => ({
    body: `${SECRET}

// A streamed answer comes in pieces, and this sees one piece at a time.
const candidates = event.llm_response.candidates.map((candidate) => ({
  ...candidate,
  content: { ...candidate.content, parts: candidate.content.parts.map((part) => part.replace(secret, "[removed]")) },
}));
if (JSON.stringify(candidates) !== JSON.stringify(event.llm_response.candidates)) {
  const response = { ...event.llm_response, candidates };
  console.log(JSON.stringify(${literal(words.output("response"), "response")}));
}
`,
  }),
  check: (_, reason) => ({
    imports: 'import { spawnSync } from "node:child_process";\n\n',
    body: `// Conflict markers and white space at line ends in what has not been committed. Put your own check here.
const { stdout } = spawnSync("git", ["diff", "--check"], { encoding: "utf8" });
// Once is enough: stop_hook_active says that the agent is here again because of this hook.
if (stdout && !event.stop_hook_active) {
  console.error(\`${reason}\\n\${stdout}\`);
  process.exitCode = 2;
}
`,
  }),
  context: (words) => ({
    imports: 'import { spawnSync } from "node:child_process";\n\n',
    body: `let text = \`Today is \${new Date().toISOString().slice(0, 10)}.\`;
const branch = spawnSync("git", ["rev-parse", "--abbrev-ref", "HEAD"], { encoding: "utf8" }).stdout?.trim();
if (branch) {
  const changed = spawnSync("git", ["status", "--porcelain"], { encoding: "utf8" }).stdout.split("\\n").length - 1;
  text += \` The git branch is \${branch}, with \${changed} uncommitted files.\`;
}
console.log(JSON.stringify(${literal(words.output("context"), "text")}));
`,
  }),
  tools: (words) => ({
    imports: 'import { existsSync } from "node:fs";\n\n',
    body: `// Applies while this file exists.
if (existsSync(\`\${process.env.${words.projectVariable}}/${words.settingsDir}/read-only\`)) {
  console.log(JSON.stringify(${literal(words.output("toolLimit", { mode: "AUTO", allowedFunctionNames: [...words.readingTools] }), "")}));
}
`,
  }),
  log: (words) => ({
    imports: 'import { appendFileSync } from "node:fs";\n\n',
    body: `// One line of JSON an event.
appendFileSync(\`\${process.env.${words.projectVariable}}/${words.settingsDir}/${words.name}.jsonl\`, \`\${JSON.stringify(event)}\\n\`);
`,
  }),
};

const SECRET = `const secret = /-----BEGIN [A-Z ]*PRIVATE KEY-----|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|sk-[A-Za-z0-9_-]{20,}/g;`;

function refuse({ refusal }: Words, reason: string): string {
  if (refusal === undefined) return `  console.error("${reason}");\n  process.exitCode = 2;`;
  return `  console.log(JSON.stringify(${literal(refusal, `"${reason}"`)}));`;
}
const literal = (output: object, value: string): string =>
  JSON.stringify(output)
    .replace(JSON.stringify(HOLE), () => value)
    .replaceAll('":', '": ')
    .replaceAll('","', '", "');

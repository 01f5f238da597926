/** Starters in Python 3, with nothing but its standard library. */

import type { Kind } from "./starter.ts";
import { HOLE, type Words } from "./words.ts";

export const PYTHON: Readonly<Record<Kind, (words: Words, reason: string) => string>> = {
  guard: (words, reason) => `import json
import re
import sys

# "rm" with an option that means "recursive", and a path that begins with / or ~ or $HOME.
DANGEROUS = re.compile(r"""(?<![\\w-])rm\\s+([^;&|]*\\s)?(-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)\\s+([^;&|]*\\s)?["']?(/|~|\\$\\{?HOME)""")

event = json.load(sys.stdin.buffer)
command = event["tool_input"].get("${words.commandArgument}", "")
if isinstance(command, str) and DANGEROUS.search(command):
${refuse(words, reason)}
`,
  paths: (words, reason) => `import json
import re
import sys

SECRET_FILE = re.compile(r"(^|/)\\.env(\\.[\\w-]+)?$|\\.pem$|(^|/)id_(rsa|ed25519)$")

event = json.load(sys.stdin.buffer)
for value in event["tool_input"].values():
    if isinstance(value, str) and SECRET_FILE.search(value):
${indented(refuse(words, reason))}
`,
  prompt: (words, reason) => `import json
import re
import sys

${SECRET}

event = json.load(sys.stdin.buffer)
if SECRET.search(event["prompt"]):
${refuse(words, reason)}
`,
  request: (words) => `import json
import re
import sys

${SECRET}

event = json.load(sys.stdin.buffer)
messages = event["llm_request"]["messages"]
clean = [{**message, "content": SECRET.sub("[removed]", message["content"])} for message in messages]
if clean != messages:
    print(json.dumps(${literal(words.output("request", { messages: HOLE }), "clean")}))
`,
  redact: (words) => `import json
import re
import sys

${SECRET}

# A streamed answer comes in pieces, and this sees one piece at a time.
event = json.load(sys.stdin.buffer)
response = event["llm_response"]
found = False
for candidate in response.get("candidates", []):
    parts = candidate["content"]["parts"]
    clean = [SECRET.sub("[removed]", part) if isinstance(part, str) else part for part in parts]
    found = found or clean != parts
    candidate["content"]["parts"] = clean
if found:
    print(json.dumps(${literal(words.output("response"), "response")}))
`,
  check: (_, reason) => `import json
import subprocess
import sys

event = json.load(sys.stdin.buffer)
# The agent is here again because of this hook: once is enough.
if event.get("stop_hook_active"):
    sys.exit(0)

# Conflict markers and white space at line ends in what has not been committed. Put your own check here.
check = subprocess.run(["git", "diff", "--check"], capture_output=True, text=True)
if check.stdout:
    print("${reason}", check.stdout, sep="\\n", file=sys.stderr)
    sys.exit(2)
`,
  context: (words) => `import datetime
import json
import subprocess


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True).stdout.strip()


text = f"Today is {datetime.date.today().isoformat()}."
branch = git("rev-parse", "--abbrev-ref", "HEAD")
if branch:
    changed = len(git("status", "--porcelain").splitlines())
    text += f" The git branch is {branch}, with {changed} uncommitted files."
print(json.dumps(${literal(words.output("context"), "text")}))
`,
  tools: (words) => `import json
import os

# Applies while this file exists.
if os.path.exists(os.path.join(os.environ["${words.projectVariable}"], "${words.settingsDir}", "read-only")):
    print(json.dumps(${literal(words.output("toolLimit", { mode: "AUTO", allowedFunctionNames: [...words.readingTools] }), "")}))
`,
  log: (words) => `import os
import sys

# One line of JSON an event.
path = os.path.join(os.environ["${words.projectVariable}"], "${words.settingsDir}", "${words.name}.jsonl")
with open(path, "ab") as log:
    log.write(sys.stdin.buffer.read() + b"\\n")
`,
};

const SECRET = `SECRET = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|sk-[A-Za-z0-9_-]{20,}"
)`;

function refuse({ refusal }: Words, reason: string): string {
  if (refusal === undefined) return `    print("${reason}", file=sys.stderr)\n    sys.exit(2)`;
  return `    print(json.dumps(${literal(refusal, `"${reason}"`)}))\n    sys.exit(0)`;
}
const indented = (text: string): string => text.replace(/^/gm, "    ");
/** Texts, lists and objects are written alike in JSON and Python. */
const literal = (output: object, value: string): string =>
  JSON.stringify(output)
    .replace(JSON.stringify(HOLE), () => value)
    .replaceAll('":', '": ')
    .replaceAll('","', '", "');

/** Starters in POSIX sh: no jq, so they look at the JSON as text. */

import type { Kind } from "./starter.ts";
import { HOLE, type Words } from "./words.ts";

/** After the head; each ends the script. */
export const SH: Readonly<Record<Kind, (words: Words, reason: string) => string>> = {
  guard: (words, reason) => `input=$(cat)

# rm with an option that means "recursive", and a path that begins with / or ~ or $HOME.
# In JSON text a line end is \\n, and a double quote has a backslash before it.
gap='([[:space:]]|[\\][nt])'
start='(^|[^[:alnum:]_-]|[\\][nt])rm'
recursive='(-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)'
path='[\\]?["'\\'']?(/|~|[$][{]?HOME)'
if printf '%s\\n' "$input" | grep -Eq "$start$gap+([^;&|]*$gap)?$recursive$gap+([^;&|]*$gap)?$path"; then
${refuse(words, reason)}
fi
exit 0
`,
  paths: (words, reason) => `input=$(cat)

# A value that ends like a file of secrets. A value ends at a double quote.
if printf '%s\\n' "$input" | grep -Eq '["/]\\.env(\\.[[:alnum:]_-]+)?"|\\.pem"|id_(rsa|ed25519)"'; then
${refuse(words, reason)}
fi
exit 0
`,
  prompt: (words, reason) => secrets(words, reason),
  request: (words, reason) => secrets(words, reason),
  redact: (words, reason) => secrets(words, reason),
  check: (_words, reason) => `input=$(cat)

# The agent is here again because of this hook: once is enough.
case $input in *'"stop_hook_active":true'*) exit 0 ;; esac

# Conflict markers and white space at line ends in what has not been committed. Put your own check here.
found=$(git diff --check 2>/dev/null)
if [ -n "$found" ]; then
  printf '%s\\n%s\\n' ${shellText(reason)} "$found" >&2
  exit 2
fi
exit 0
`,
  context: (words) => `text="Today is $(date +%Y-%m-%d)."
branch=$(git rev-parse --abbrev-ref HEAD 2>/dev/null)
if [ -n "$branch" ]; then
  changed=$(git status --porcelain | wc -l | tr -d ' ')
  text="$text The git branch is $branch, with $changed uncommitted files."
fi

# A double quote or a backslash needs a backslash before it in JSON.
text=$(printf '%s' "$text" | sed 's/["\\\\]/\\\\&/g')
printf '${format(words.output("context"))}\\n' "$text"
`,
  tools: (words) => `# Applies while this file exists.
[ -e "\${${words.projectVariable}:?}/${words.settingsDir}/read-only" ] || exit 0

cat <<'JSON'
${JSON.stringify(words.output("toolLimit", { mode: "AUTO", allowedFunctionNames: words.readingTools }))}
JSON
`,
  log: (words) => `# One line of JSON an event.
{ cat; echo; } >> "\${${words.projectVariable}:?}/${words.settingsDir}/${words.name}.jsonl"
`,
};

/** Secrets cannot be cut out of JSON without a JSON parser, so that all of it is refused. */
function secrets(words: Words, reason: string): string {
  return `input=$(cat)

if printf '%s\\n' "$input" | grep -Eq -e '-----BEGIN [A-Z ]*PRIVATE KEY-----|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|sk-[A-Za-z0-9_-]{20}'; then
${refuse(words, reason)}
fi
exit 0
`;
}

function refuse({ refusal }: Words, reason: string): string {
  if (refusal === undefined) return `  echo ${shellText(reason)} >&2\n  exit 2`;
  return `  printf '${format(refusal)}\\n' ${shellText(reason)}\n  exit 0`;
}

/** A printf format: %s where the value goes. */
const format = (output: object): string => JSON.stringify(output).replaceAll("%", "%%").replace(JSON.stringify(HOLE), '"%s"');
/** Reasons are ours: they hold no quote, dollar or backslash. */
const shellText = (text: string): string => `"${text}"`;

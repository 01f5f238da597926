#!/bin/sh
# A message on the desktop when a person is asked, and another when the answer is there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$here/project" "$work/project"
mkdir "$work/home"
cd "$work/project"
export HOME="$work/home"

# Only this run has this osascript: it writes down what it would show.
mkdir "$work/bin"
cat > "$work/bin/osascript" <<OSASCRIPT
#!/bin/sh
while [ "\$1" = -e ]; do shift 2; done
echo "\$1: \$2" >> "$work/shown"
OSASCRIPT
chmod +x "$work/bin/osascript"
export PATH="$work/bin:$PATH"

node "$here/run.mjs" "$HOME" "$here/turns.jsonl"
expected="The agent needs you: Agent is requesting permission to run: git log -1 || true
The agent is done: The answer is complete."
[ "$(cat "$work/shown")" = "$expected" ] || { echo "shown was: $(cat "$work/shown")" >&2; exit 1; }

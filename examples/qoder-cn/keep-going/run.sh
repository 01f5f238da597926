#!/bin/sh
# The agent goes on until the list is done; the hook's words are its next message: turns.jsonl says what that must contain.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$here/project" "$work/project"
mkdir "$work/home"
cd "$work/project"
export HOME="$work/home"
carabiner() {
  node "$here/../../../packages/cli/bin/carabiner.js" --skip-trust --yolo --model "script/$here/turns.jsonl" "$@"
}
expect() { [ "$2" = "$3" ] || { echo "$1: expected '$2', found '$3'" >&2; exit 1; }; }

expect "the answer" "All done.
Now it is done." "$(carabiner "Work through TODO.md.")"
expect "the list" "0" "$(grep -c '\[ \]' TODO.md || true)"

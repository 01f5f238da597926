#!/bin/sh
# A command that removes a folder is refused, and the model reads why: turns.jsonl says what each request must contain.
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

expect "the answer" "I clean up.
Only old.txt is gone." "$(carabiner "Clean up the build folder.")"
expect "what is left" "kept.txt" "$(ls build)"

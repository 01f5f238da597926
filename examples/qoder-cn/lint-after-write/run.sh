#!/bin/sh
# A linter runs after each write, and what it finds is in the next request: turns.jsonl says what that must contain.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$here/project" "$work/project"
mkdir "$work/home"
cd "$work/project"
export HOME="$work/home"

# Only this run has this npx: it lints as far as the story goes.
mkdir "$work/bin"
cat > "$work/bin/npx" <<'NPX'
#!/bin/sh
[ "$1" = eslint ] || { echo "npx: nothing but eslint here" >&2; exit 127; }
! grep -n '^var ' "$2" | sed "s|^\([0-9]*\):.*|$2: \1: unexpected var, use let or const (no-var)|" | grep .
NPX
chmod +x "$work/bin/npx"
export PATH="$work/bin:$PATH"
carabiner() {
  node "$here/../../../packages/cli/bin/carabiner.js" --skip-trust --yolo --model "script/$here/turns.jsonl" "$@"
}
expect() { [ "$2" = "$3" ] || { echo "$1: expected '$2', found '$3'" >&2; exit 1; }; }

expect "the answer" "I write it.
app.js is clean." "$(carabiner "Write app.js.")"
expect "the file" "const answer = 42;" "$(cat app.js)"

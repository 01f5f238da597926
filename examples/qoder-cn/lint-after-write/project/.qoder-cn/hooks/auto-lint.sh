#!/bin/sh
# Lints a JavaScript file that was just written. The write cannot be undone: exit 2 adds what the linter says to what the agent reads.
file=$(node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).tool_input.file_path')
case $file in
*.js) ;;
*) exit 0 ;;
esac
found=$(npx eslint "$file" 2>&1) || {
  echo "$found" >&2
  exit 2
}

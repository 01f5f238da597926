#!/bin/sh
# AfterTool: what was written is tried at once. The command goes through every hook, and its result takes the place of this one.
input=$(cat)
case "$input" in
  *'test/discount.test.js'*) command="node --test test/discount.test.js" ;;
  *) command="node --check src/discount.js" ;;
esac
printf '{"hookSpecificOutput": {"tailToolCallRequest": {"name": "run_shell_command", "args": {"command": "%s"}}}}\n' "$command"

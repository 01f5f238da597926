#!/bin/sh
# BeforeAgent: puts the list of the day beside a prompt that asks for it, for that turn only.
input=$(cat)
case "$input" in
  *'"prompt":"'*today*) printf '{"hookSpecificOutput": {"additionalContext": "TODO.md says: %s"}}\n' "$(head -n 1 TODO.md)" ;;
esac

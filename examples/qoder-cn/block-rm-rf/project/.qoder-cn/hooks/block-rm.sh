#!/bin/sh
# Refuses every command that removes folders without asking: exit 2, and stderr is the reason the agent reads.
command=$(node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).tool_input.command')
case $command in
*"rm -rf"*)
  echo "rm -rf is not allowed in this project. Remove single files by name." >&2
  exit 2
  ;;
esac

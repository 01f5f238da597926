#!/bin/sh
# Shows a desktop message: one when the agent waits for a yes, another when its answer is complete.
message=$(node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).message')
case $message in
Agent*) title="The agent needs you" ;;
*) title="The agent is done" ;;
esac
osascript -e 'on run {title, message}' -e 'display notification message with title title' -e 'end run' "$title" "$message"

#!/bin/sh
# Denies deletions (exit 2, the reason on stderr), and stops the agent at "halt".
case "$(cat)" in
*'"tool_name":"halt"'*) echo '{"continue":false,"stopReason":"halted by the guard"}' ;;
*) echo "nothing is deleted here" >&2; exit 2 ;;
esac

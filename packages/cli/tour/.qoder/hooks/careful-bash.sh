#!/bin/sh
# PreToolUse, in Qoder CN CLI's words: the same shell call is called Bash here, and a refusal is JSON with exit 0.
input=$(cat)
case "$input" in
  *'"command":"rm '*)
    echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "rm is for people, not for agents."}}'
    ;;
esac

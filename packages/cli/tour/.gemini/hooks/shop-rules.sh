#!/bin/sh
# SessionStart: tells the agent the rules of the house before its first prompt.
cat > /dev/null
echo '{"hookSpecificOutput": {"additionalContext": "House rules: prices are whole cents; source files live in src/."}}'

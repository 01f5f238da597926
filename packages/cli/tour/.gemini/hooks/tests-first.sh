#!/bin/sh
# AfterAgent: an answer that says "done" does not stand until there is a test. The reason becomes the agent's next prompt.
input=$(cat)
response=${input##*'"prompt_response":"'}
case "$response" in
  *" done"*)
    if [ -f src/discount.js ] && [ ! -f test/discount.test.js ]; then
      echo '{"decision": "deny", "reason": "Not yet: write test/discount.test.js first."}'
    fi
    ;;
esac

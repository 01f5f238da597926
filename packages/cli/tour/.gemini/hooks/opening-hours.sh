#!/bin/sh
# BeforeModel: answers a question that needs no model. `${input##*...}` is what follows the last message of the user.
input=$(cat)
last=${input##*'"role":"user","content":"'}
case "$last" in
  'When is the shop open?"'*)
    echo '{"hookSpecificOutput": {"llm_response": {"candidates": [{"content": {"role": "model", "parts": ["From nine to five, when the wind is fair."]}, "finishReason": "STOP"}]}}}'
    ;;
esac

#!/bin/sh
# AfterModel: takes the password out of every address in a piece of the answer, before anybody sees or keeps it.
input=$(cat)
response=${input##*'"llm_response":'}
case "$response" in
  *://*:*@*) printf '{"hookSpecificOutput": {"llm_response": %s}\n' "$response" | sed 's#://[^@ ]*@#://#g' ;;
esac

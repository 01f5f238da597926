#!/bin/sh
# Replaces a chunk that holds the secret; says nothing about any other.
case "$(cat)" in
*'llm_response'*'hunter2'*) echo '{"hookSpecificOutput":{"llm_response":{"candidates":[{"content":{"role":"model","parts":["[a secret]"]}}]}}}' ;;
esac

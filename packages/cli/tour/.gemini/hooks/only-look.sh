#!/bin/sh
# BeforeToolSelection: whoever was asked only to look may read, and nothing else.
input=$(cat)
case "$input" in
  *'"content":"Only look'*)
    echo '{"hookSpecificOutput": {"toolConfig": {"mode": "AUTO", "allowedFunctionNames": ["read_file", "list_directory"]}}}'
    ;;
esac

#!/bin/sh
# BeforeTool: a new .js file at the top of the project is written into src/ instead.
input=$(cat)
file=${input##*'"file_path":"'}
file=${file%%'"'*}
case "$file" in
  */*) ;;
  *.js) printf '{"hookSpecificOutput": {"tool_input": {"file_path": "src/%s"}}}\n' "$file" ;;
esac

#!/bin/sh
# BeforeTool: the guard of last year, switched off in settings.json.
cat > /dev/null
echo "No shell commands at all." >&2
exit 2

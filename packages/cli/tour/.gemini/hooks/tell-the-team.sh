#!/bin/sh
# AfterTool: fails. Any exit code but 0 and 2 is a warning that everybody sees, and the agent goes on.
cat > /dev/null
echo "chat.example cannot be reached" >&2
exit 1

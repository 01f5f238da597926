#!/bin/sh
# AfterTool: needs longer than its timeout of 300 ms, and is ended with everything it started.
cat > /dev/null
sleep 20

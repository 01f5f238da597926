#!/bin/sh
# BeforeTool: a command that deletes orders/ is refused. Exit 2 says no, and stderr says why.
input=$(cat)
case "$input" in
  *"rm -rf"*orders*)
    echo "orders/ is the only copy there is: nobody deletes it." >&2
    exit 2
    ;;
esac

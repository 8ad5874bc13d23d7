#!/bin/sh
# Plays for `arena match "stdio:sh stdio_bot.sh" rule`: checks and calls every time.
while read -r line; do
    case $line in
        *'"type":"hello"'*) echo ready ;;
        *'"type":"decision"'*'{"action":"check"}'*) echo check ;;
        *'"type":"decision"'*) echo call ;;
    esac
done

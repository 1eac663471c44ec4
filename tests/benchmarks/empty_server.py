"""An MCP server on a pipe that stores nothing: what a call costs when nothing is done."""

from __future__ import annotations

import json
import sys
from typing import Any

ANSWERS: dict[str, dict[str, Any]] = {
    "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "empty", "version": "1"}},
    "tools/call": {"content": [{"type": "text", "text": "done"}], "structuredContent": {"id": "nothing"}, "isError": False},
}


def main() -> None:
    """Answer each request until the input ends."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": ANSWERS.get(message["method"], {})}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()

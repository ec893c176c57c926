"""Calls one tool of an MCP server on stdio and prints its answer. Without a tool it lists them.

    python3 ask.py TOOL ARGUMENTS -- COMMAND…
    python3 ask.py -- COMMAND…
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import IO, Any

JsonObject = dict[str, Any]
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "ask", "version": "1.0.0"}}


def send(to: IO[str], message: JsonObject) -> None:
    to.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    to.flush()


def request(server: subprocess.Popen[str], method: str, params: JsonObject) -> JsonObject:
    """Sends a request and waits for its answer; what the server says by itself is passed over."""
    assert server.stdin is not None and server.stdout is not None
    send(server.stdin, {"id": method, "method": method, "params": params})
    for line in server.stdout:
        answer = json.loads(line)
        if answer.get("id") == method:
            if "error" in answer:
                sys.exit(f"{answer['error']['code']}: {answer['error']['message']}")
            return answer["result"]
    sys.exit("The server ended without an answer.")


def main(words: list[str]) -> None:
    at = words.index("--") if "--" in words else -1
    if at not in (0, 2) or len(words) == at + 1:
        sys.exit(str(__doc__).strip())
    command = words[at + 1 :]
    command[0] = shutil.which(command[0]) or command[0]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as server:
        assert server.stdin is not None
        request(server, "initialize", CLIENT)
        send(server.stdin, {"method": "notifications/initialized"})
        if at == 0:
            for tool in request(server, "tools/list", {})["tools"]:
                print(tool["name"])
            return
        result = request(server, "tools/call", {"name": words[0], "arguments": json.loads(words[1])})
        for block in result["content"]:
            print(block.get("text", f"[{block['type']}]"))
        if result.get("isError"):
            print("isError: true")


if __name__ == "__main__":
    main(sys.argv[1:])

"""MCP on standard input and output, with the standard library alone: one JSON-RPC message on each line.

Nothing here knows about envelopes. What a tool returns is sent as it is, so the three servers beside this file can each
speak the form of their own family. To start a server of your own, copy this file beside it.
"""

from __future__ import annotations

import json
import sys
import traceback
from dataclasses import dataclass
from typing import Any, Callable, Sequence

JsonObject = dict[str, Any]

PROTOCOL_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603


@dataclass(frozen=True)
class Tool:
    """A tool as clients see it, and the function that turns its arguments into an MCP result."""

    name: str
    description: str
    input_schema: JsonObject
    call: Callable[[JsonObject], JsonObject]
    read_only: bool = True

    def listed(self) -> JsonObject:
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.input_schema,
            "annotations": {"readOnlyHint": self.read_only},
        }


class ProtocolError(Exception):
    """An error of the protocol, which the client gets in place of a result."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def text_result(text: str) -> JsonObject:
    return {"content": [{"type": "text", "text": text}]}


def input_schema(properties: JsonObject, required: Sequence[str] = ()) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(required)}


def serve(name: str, version: str, tools: Sequence[Tool]) -> None:
    """Answers every line of standard input until it ends."""
    tool_of = {tool.name: tool for tool in tools}

    def result_of(method: str, params: JsonObject) -> JsonObject:
        if method == "initialize":
            asked = params.get("protocolVersion")
            return {
                "protocolVersion": asked if asked in PROTOCOL_VERSIONS else PROTOCOL_VERSIONS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": name, "version": version},
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            return {"tools": [tool.listed() for tool in tools]}
        if method == "tools/call":
            tool = tool_of.get(str(params.get("name")))
            if tool is None:
                raise ProtocolError(INVALID_PARAMS, f"Unknown tool: {params.get('name')}")
            arguments = params.get("arguments", {})
            if not isinstance(arguments, dict):
                raise ProtocolError(INVALID_PARAMS, "arguments must be an object")
            return tool.call(arguments)
        raise ProtocolError(METHOD_NOT_FOUND, f"Method not found: {method}")

    def answer_to(line: bytes) -> JsonObject | None:
        request_id = None
        try:
            request = parse(line)
            if "id" not in request:
                return None  # A notification has no answer.
            request_id = request["id"]
            if not isinstance(request.get("method"), str):
                raise ProtocolError(INVALID_REQUEST, "Invalid Request: method is missing")
            params = request.get("params", {})
            if not isinstance(params, dict):
                raise ProtocolError(INVALID_PARAMS, "params must be an object")
            return {"jsonrpc": "2.0", "result": result_of(request["method"], params), "id": request_id}
        except ProtocolError as error:
            failure = {"code": error.code, "message": str(error)}
        except Exception:
            traceback.print_exc()  # For the log. A stack is not for clients.
            failure = {"code": INTERNAL_ERROR, "message": "Internal error"}
        return {"jsonrpc": "2.0", "error": failure, "id": request_id}

    try:
        for line in sys.stdin.buffer:
            answer = answer_to(line) if line.strip() else None
            if answer is not None:
                sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
                sys.stdout.buffer.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()  # The client has gone: there is no reader.


def parse(line: bytes) -> JsonObject:
    try:
        request = json.loads(line)
    except ValueError:
        raise ProtocolError(PARSE_ERROR, "Parse error") from None
    if not isinstance(request, dict):
        raise ProtocolError(INVALID_REQUEST, "Invalid Request: not an object")
    return request

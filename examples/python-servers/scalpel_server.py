"""A server in the form of Code Scalpel: `{"data": …}`, and all nine keys with SCALPEL_MCP_INFO=DEBUG.

It reads Python files below a folder (the first word after its name, else its own folder) and says what is in them. As
in that system, a failure is an envelope with `error`, and `isError` is false. SCALPEL_TIER is community, pro or
enterprise.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import time
import uuid
from pathlib import Path
from typing import Any, Callable

from mcp_stdio import JsonObject, Tool, input_schema, serve, text_result

VERSION = "3.3.0"
ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent).resolve()
TIERS = ("community", "pro", "enterprise")
TIER = os.environ.get("SCALPEL_TIER", "community")
IS_DEBUG = os.environ.get("SCALPEL_MCP_INFO", "").upper() == "DEBUG"
BRANCHES = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.With, ast.BoolOp, ast.IfExp, ast.comprehension)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
RISKS = {"eval": "high", "exec": "high", "pickle.loads": "high", "os.system": "high", "yaml.load": "medium"}


class ToolError(Exception):
    """A failure of the standard model. Its text never has code of the file that was read."""

    def __init__(self, code: str, message: str, hints: list[JsonObject] | None = None, **details: Any) -> None:
        super().__init__(message)
        self.model: JsonObject = {"error": message, "error_code": code}
        if details or IS_DEBUG:
            self.model["error_details"] = details or None
        self.hints = hints or []


def hint(feature: str, tier: str, reason: str) -> JsonObject:
    return {"feature": feature, "tier": tier, "reason": reason}


def has_tier(tier: str) -> bool:
    return TIER in TIERS and TIERS.index(TIER) >= TIERS.index(tier)


def parse_file(arguments: JsonObject) -> ast.Module:
    path = arguments.get("path")
    if not isinstance(path, str) or path == "":
        raise ToolError("invalid_argument", "path must be a text that is not empty")
    file = (ROOT / path.lstrip("/")).resolve()
    if ROOT not in file.parents:
        raise ToolError("invalid_path", f"Path is outside of the project: {path}")
    if not file.is_file():
        raise ToolError("not_found", f"File not found: {path}")
    try:
        return ast.parse(file.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise ToolError("invalid_argument", f"Not a Python file: {path}", line=line) from None


def functions_of(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return sorted((node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)), key=lambda node: node.lineno)


def complexity_of(tree: ast.AST) -> int:
    return 1 + sum(isinstance(node, BRANCHES) for node in ast.walk(tree))


def analyze_code(arguments: JsonObject) -> JsonObject:
    tree = parse_file(arguments)
    functions = [
        {
            "name": node.name,
            "line": node.lineno,
            "parameters": [argument.arg for argument in node.args.args],
            "complexity": complexity_of(node),
        }
        for node in functions_of(tree)
    ]
    classes = [{"name": node.name, "line": node.lineno} for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return {"data": {"functions": functions, "classes": classes, "complexity": complexity_of(tree)}}


def security_scan(arguments: JsonObject) -> JsonObject:
    if arguments.get("depth") == "deep" and not has_tier("pro"):
        reason = "Following values through functions needs the tier pro"
        raise ToolError(
            "upgrade_required",
            "A deep scan is not part of this tier",
            [hint("deep_scan", "pro", reason)],
            feature="deep_scan",
            required_tier="pro",
        )
    calls = [node for node in ast.walk(parse_file(arguments)) if isinstance(node, ast.Call)]
    found = [(ast.unparse(call.func), call.lineno) for call in calls]
    vulnerabilities = [
        {"call": name, "line": line, "severity": RISKS[name]}
        for name, line in sorted(found, key=lambda call: call[1])
        if name in RISKS
    ]
    severities = {each["severity"] for each in vulnerabilities}
    risk_level = "high" if "high" in severities else "medium" if severities else "low"
    answer: JsonObject = {"data": {"risk_level": risk_level, "vulnerabilities": vulnerabilities}}
    if vulnerabilities and not has_tier("pro"):
        answer["upgrade_hints"] = [hint("fixes", "pro", "Fixes are suggested from the tier pro on")]
    return answer


def extract_code(arguments: JsonObject) -> JsonObject:
    symbol = arguments.get("symbol")
    for node in functions_of(parse_file(arguments)):
        if node.name == symbol:
            return {"data": {"symbol": symbol, "line": node.lineno, "code": ast.unparse(node)}}
    raise ToolError("not_found", f"Symbol not found: {symbol}")


def with_envelope(tool_id: str, handle: Callable[[JsonObject], JsonObject]) -> Callable[[JsonObject], JsonObject]:
    def call(arguments: JsonObject) -> JsonObject:
        started = time.perf_counter()
        try:
            envelope = handle(arguments)
        except ToolError as error:
            envelope = {"error": error.model, **({"upgrade_hints": error.hints} if error.hints else {})}
        if IS_DEBUG:
            envelope = {
                "tier": TIER,
                "tool_version": VERSION,
                "tool_id": tool_id,
                "request_id": uuid.uuid4().hex,
                "capabilities": ["envelope-v1"],
                "duration_ms": round((time.perf_counter() - started) * 1000),
                "error": envelope.get("error"),
                "upgrade_hints": envelope.get("upgrade_hints", []),
                "data": envelope.get("data"),
            }
        return {**text_result(json.dumps(envelope)), "structuredContent": envelope, "isError": False}

    return call


def tool(name: str, description: str, schema: JsonObject, handle: Callable[[JsonObject], JsonObject]) -> Tool:
    return Tool(name, description, schema, with_envelope(name, handle))


PATH = {"type": "string", "description": "A Python file below the project's folder"}

if __name__ == "__main__":
    of_a_file = input_schema({"path": PATH}, ["path"])
    of_a_symbol = input_schema({"path": PATH, "symbol": {"type": "string"}}, ["path", "symbol"])
    scan = input_schema({"path": PATH, "depth": {"type": "string", "enum": ["quick", "deep"]}}, ["path"])
    serve(
        "code-scalpel",
        VERSION,
        [
            tool("analyze_code", "Functions, classes and complexity.", of_a_file, analyze_code),
            tool("security_scan", "Calls that are a risk.", scan, security_scan),
            tool("extract_code", "The code of one function.", of_a_symbol, extract_code),
        ],
    )

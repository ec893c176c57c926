"""A server in the form of Foundry MCP: every answer is a response-v2 envelope, as JSON in one text.

As in that system, a failure is an envelope with `success: false` and has no `isError`. The tool `review` was written
after the first guide (source 000): its warnings are in `data._warnings`, and the `data` of its failures is empty.
"""

from __future__ import annotations

import base64
import json
import re
import time
from typing import Any, Callable

from mcp_stdio import JsonObject, Tool, input_schema, serve, text_result

SPECS: JsonObject = {
    "my-feature": {"spec_id": "my-feature", "title": "Sign in and out", "folder": "active"},
    "platform": {"spec_id": "platform", "title": "The platform", "folder": "active"},
}
TASKS: dict[str, list[JsonObject]] = {
    "my-feature": [
        {"task_id": "task-001", "description": "Implement login", "status": "completed"},
        {"task_id": "task-002", "description": "Implement logout", "status": "pending"},
    ],
    "platform": [
        {"task_id": f"task-{number:03}", "description": f"Move service {number}", "status": "pending"}
        for number in range(1, 151)
    ],
}
FINDINGS: list[JsonObject] = [
    {
        "id": f"finding-{number:03}",
        "title": f"Observation {number} of the pilot",
        "source": f"https://example.com/pilot/{number}",
        "content": f"In week {number % 52 + 1} the team of site {number % 17 + 1} closed {number * 7 % 90} requests.",
    }
    for number in range(1, 401)
]


class ToolError(Exception):
    """What a tool could not do, and what the caller can do about it."""

    def __init__(self, message: str, code: str, error_type: str, remediation: str, **details: Any) -> None:
        super().__init__(message)
        self.data = {
            "error_code": code,
            "error_type": error_type,
            "remediation": remediation,
            "details": details,
        }


def success_response(data: JsonObject, **meta: Any) -> JsonObject:
    return {"success": True, "data": data, "error": None, "meta": {"version": "response-v2", **meta}}


def error_response(message: str, data: JsonObject, **meta: Any) -> JsonObject:
    return {"success": False, "data": data, "error": message, "meta": {"version": "response-v2", **meta}}


def spec_id_of(arguments: JsonObject) -> str:
    spec_id = arguments.get("spec_id")
    if not isinstance(spec_id, str):
        raise ToolError(
            "Validation failed: spec_id is required",
            "MISSING_REQUIRED",
            "validation",
            "Provide a non-empty spec_id parameter",
            field="spec_id",
            constraint="required",
        )
    if re.fullmatch("[a-z0-9-]+", spec_id) is None:
        raise ToolError(
            "Validation failed: spec_id contains invalid characters",
            "VALIDATION_ERROR",
            "validation",
            "Spec ID must be non-empty and contain only alphanumeric characters and hyphens",
            field="spec_id",
            constraint="pattern",
            pattern="^[a-z0-9-]+$",
            received=spec_id,
        )
    if spec_id not in SPECS:
        raise ToolError(
            f"Spec not found: {spec_id}",
            "NOT_FOUND",
            "not_found",
            "Check that the spec_id exists in specs/active/ or specs/pending/",
            resource_type="spec",
            resource_id=spec_id,
        )
    return spec_id


def invalid(field: str, constraint: str, remediation: str) -> ToolError:
    message = f"Validation failed: {field} is not valid"
    return ToolError(message, "INVALID_FORMAT", "validation", remediation, field=field, constraint=constraint)


def cursor_to(offset: int) -> str:
    return base64.b64encode(json.dumps({"offset": offset}, separators=(",", ":")).encode()).decode()


def offset_of(cursor: str | None) -> int:
    if not cursor:
        return 0
    try:
        return max(0, int(json.loads(base64.b64decode(cursor))["offset"]))
    except (ValueError, TypeError, KeyError):
        raise invalid("cursor", "cursor", "Use meta.pagination.cursor of the page before") from None


def get_spec(arguments: JsonObject) -> JsonObject:
    spec_id = spec_id_of(arguments)
    return success_response({"spec": SPECS[spec_id], "tasks": len(TASKS[spec_id])})


def query_tasks(arguments: JsonObject) -> JsonObject:
    """One page. The cursor is Foundry's own: base64 of `{"offset": 20}`."""
    started = time.perf_counter()
    tasks = TASKS[spec_id_of(arguments)]
    page_size = arguments.get("page_size", 20)
    if not isinstance(page_size, int) or not 1 <= page_size <= 100:
        raise invalid("page_size", "range", "Use a whole number from 1 to 100")
    offset = offset_of(arguments.get("cursor"))
    end = offset + page_size
    has_more = end < len(tasks)
    return success_response(
        {"tasks": tasks[offset:end], "total_count": len(tasks)},
        pagination={
            "cursor": cursor_to(end) if has_more else None,
            "has_more": has_more,
            "total_count": len(tasks),
            "page_size": page_size,
        },
        telemetry={"duration_ms": round((time.perf_counter() - started) * 1000, 2)},
    )


def report(_: JsonObject) -> JsonObject:
    """About 18,000 tokens in one piece."""
    return success_response({"research_id": "research-001", "findings": FINDINGS})


def review(arguments: JsonObject) -> JsonObject:
    spec_id = str(arguments.get("spec_id"))
    if spec_id not in SPECS:
        return error_response(f"Spec not found: {spec_id}", {})
    waiting = [task["task_id"] for task in TASKS[spec_id] if task["status"] == "pending"]
    data: JsonObject = {"spec_id": spec_id, "status": "blocked" if waiting else "passed", "open_tasks": len(waiting)}
    if waiting:
        data["_warnings"] = [f"The review waits for {waiting[0]}"]
    return success_response(data)


def with_envelope(handle: Callable[[JsonObject], JsonObject]) -> Callable[[JsonObject], JsonObject]:
    def call(arguments: JsonObject) -> JsonObject:
        try:
            envelope = handle(arguments)
        except ToolError as error:
            envelope = error_response(str(error), error.data)
        return text_result(json.dumps(envelope, separators=(",", ":")))

    return call


SPEC_ID = {"type": "string", "description": "The id of a specification, such as my-feature"}
PAGE = {
    "cursor": {"type": "string", "description": "From meta.pagination of the page before"},
    "page_size": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
}

if __name__ == "__main__":
    serve(
        "foundry-mcp",
        "1.0.0",
        [
            Tool(
                "spec_get",
                "One specification.",
                input_schema({"spec_id": SPEC_ID}, ["spec_id"]),
                with_envelope(get_spec),
            ),
            Tool(
                "task_query",
                "The tasks of a specification, in pages.",
                input_schema({"spec_id": SPEC_ID, **PAGE}, ["spec_id"]),
                with_envelope(query_tasks),
            ),
            Tool("research_report", "All findings of the pilot.", input_schema({}), with_envelope(report)),
            Tool(
                "review",
                "Whether a specification is ready.",
                input_schema({"spec_id": SPEC_ID}, ["spec_id"]),
                with_envelope(review),
            ),
        ],
    )

"""A server in the form of django-rest-framework-mcp: the JSON of a result as text; a failure is a text that starts with
`Error executing tool: `, and has `isError`.

The tools are those of two view sets, customers and orders. What a view set answers beyond 400 is the failure's text, in
Python's own notation, as that library writes it.
"""

from __future__ import annotations

import json
from typing import Any, Callable

from mcp_stdio import JsonObject, Tool, input_schema, serve, text_result

CUSTOMERS: list[JsonObject] = [
    {"id": 1, "name": "Alice", "email": "alice@example.com"},
    {"id": 2, "name": "Bob", "email": "bob@example.com"},
]
ORDERS: list[JsonObject] = [
    {
        "id": number,
        "customer": number % 2 + 1,
        "placed": f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "items": [f"part {number * 3 % 101}", f"part {number * 5 % 103}"],
        "total": f"{number * 37 % 900}.50",
    }
    for number in range(1, 501)
]


class ViewSetError(Exception):
    """A view set answered with a status of 400 or above, and this data."""

    def __init__(self, data: JsonObject) -> None:
        super().__init__(f"ViewSet returned error: {data}")


def one_of(rows: list[JsonObject], arguments: JsonObject) -> JsonObject:
    """The row whose key is `kwargs.pk`; a key is text, as in a URL."""
    kwargs = arguments.get("kwargs")
    if not isinstance(kwargs, dict) or "pk" not in kwargs:
        raise ViewSetError({"pk": ["This field is required."]})
    for row in rows:
        if str(row["id"]) == str(kwargs["pk"]):
            return row
    raise ViewSetError({"detail": "Not found."})


def destroy_customer(arguments: JsonObject) -> JsonObject:
    one_of(CUSTOMERS, arguments)
    raise ViewSetError({"detail": "You do not have permission to perform this action."})


def as_result(view: Callable[[JsonObject], Any]) -> Callable[[JsonObject], JsonObject]:
    def call(arguments: JsonObject) -> JsonObject:
        try:
            return text_result(json.dumps(view(arguments)))
        except ViewSetError as error:
            return {**text_result(f"Error executing tool: {error}"), "isError": True}

    return call


BY_KEY = input_schema(
    {"kwargs": input_schema({"pk": {"type": "string", "description": "The primary key"}}, ["pk"])},
    ["kwargs"],
)

if __name__ == "__main__":
    serve(
        "django-rest-framework-mcp",
        "0.1.0",
        [
            Tool("customers_list", "List customers", input_schema({}), as_result(lambda _: CUSTOMERS)),
            Tool("customers_retrieve", "Retrieve a customer", BY_KEY, as_result(lambda sent: one_of(CUSTOMERS, sent))),
            Tool("customers_destroy", "Delete a customer", BY_KEY, as_result(destroy_customer), read_only=False),
            Tool("orders_list", "List orders, all of them", input_schema({}), as_result(lambda _: ORDERS)),
            Tool("orders_retrieve", "Retrieve an order", BY_KEY, as_result(lambda sent: one_of(ORDERS, sent))),
        ],
    )

"""The house that the current request belongs to, and its JSON body."""

from __future__ import annotations

from typing import Any, cast

from flask import current_app, request

from tablesight.webui.errors import RequestError
from tablesight.webui.house import House


def house() -> House:
    """The house of this application."""
    return cast(House, current_app.extensions["house"])


def json_body() -> dict[str, Any]:
    """The body as a JSON object. Raises RequestError."""
    if request.mimetype != "application/json":
        raise RequestError(f"expected Content-Type: application/json, got {request.mimetype or 'none'!r}", 415)
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        raise RequestError("expected a JSON object as the body")
    return body


def who() -> str:
    """The device that asks, as far as it said."""
    return (request.cookies.get("device") or "")[:40]


def field(body: dict[str, Any], name: str, kind: type) -> Any:
    """A field of the right type. Raises RequestError."""
    value = body.get(name)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        words = {int: "a whole number", str: "a text", list: "a list", bool: "true or false", dict: "an object"}
        raise RequestError(f"expected {words[kind]} as {name!r}, got {value!r:.80}")
    return value

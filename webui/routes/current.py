"""The house that the current request belongs to, and its JSON body."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, Final, cast

from flask import current_app, request

from tablesight.webui.errors import RequestError
from tablesight.webui.house import House
from tablesight.webui.plain_json import parsed

DEVICE_COOKIE: Final = "device"
MAX_JSON_BYTES: Final = 1_000_000
OUR_FORM: Final = re.compile("[0-9a-f]{32}")


def house() -> House:
    """The house of this application."""
    return cast(House, current_app.extensions["house"])


def json_body() -> dict[str, Any]:
    """The body as a JSON object. Raises RequestError."""
    if request.mimetype != "application/json":
        raise RequestError(
            f"expected Content-Type: application/json, got {request.mimetype or 'none'!r}: send JSON with this header",
            415,
        )
    if (request.content_length or 0) > MAX_JSON_BYTES:
        raise RequestError(
            f"expected at most {MAX_JSON_BYTES} bytes of JSON, got {request.content_length}: send less", 413
        )
    try:
        body = parsed(request.get_data())
    except ValueError as error:
        reason = "" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else f": {error}"
        raise RequestError(
            f"expected a JSON object as the body, got something else{reason}: send one in braces"
        ) from error
    if not isinstance(body, dict):
        raise RequestError(f"expected a JSON object as the body, got {body!r:.40}: send one in braces")
    return body


def device() -> str:
    """The device that asks: its random cookie, empty for programs, browsers that keep none, and cookies not ours."""
    cookie = request.cookies.get(DEVICE_COOKIE) or ""
    return cookie if OUR_FORM.fullmatch(cookie) else ""


def who() -> str:
    """The device as the log names it: enough to tell two phones apart, not enough to pose as one."""
    return hashlib.sha256(device().encode()).hexdigest()[:8] if device() else ""


def field(body: dict[str, Any], name: str, kind: type) -> Any:
    """A field of the right type. Raises RequestError."""
    value = body.get(name)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        words = {int: "a whole number", str: "a text", list: "a list", bool: "true or false", dict: "an object"}
        raise RequestError(f"expected {words[kind]} as {name!r}, got {value!r:.80}: send it in this form")
    return value

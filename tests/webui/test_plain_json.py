"""JSON from outside: what is taken as it is, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tablesight.webui.plain_json import DEEPEST, parsed


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"text": "é 🎲 \u2028", "list": [1, 2.5, None, True]}, id="usual"),
        pytest.param([[{}]] * 100, id="many, not deep"),
        pytest.param(json.loads("[" * DEEPEST + "]" * DEEPEST), id="as deep as may be"),
    ],
)
def test_whole_values_come_back(value: Any) -> None:
    for ascii_only in (True, False):
        text = json.dumps(value, ensure_ascii=ascii_only)
        assert parsed(text) == parsed(text.encode()) == value


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('"\\ud800"', id="half a character"),
        pytest.param('{"\\udfff": 1}', id="half a character as a name"),
        pytest.param(b'"\xed\xa0\x80"', id="half a character in bytes"),
        pytest.param(b"\xff", id="no text"),
        pytest.param("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), id="one level too deep"),
        pytest.param("[" * 100_000, id="without end"),
        pytest.param("[NaN]", id="no number"),
        pytest.param("-Infinity", id="infinity"),
        pytest.param("9" * 5000, id="a number of 5000 digits"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_cannot_be_kept_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parsed(text)

"""The pipe between the two processes: what goes in comes out, and junk gets a clear error."""

from __future__ import annotations

import io
import json
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesight.vision.messages import MAX_PAYLOAD_BYTES, Message, MessageError, read_message, write_message

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
headers = st.dictionaries(st.text().filter(lambda key: key not in {"type", "payload"}), json_values, max_size=5)


@given(st.lists(st.tuples(headers, st.binary(max_size=200)), max_size=4))
def test_messages_come_out_as_they_went_in(messages: list[tuple[dict[str, Any], bytes]]) -> None:
    stream = io.BytesIO()
    for header, payload in messages:
        write_message(stream, {**header, "type": "t"}, payload)
    stream.seek(0)
    for header, payload in messages:
        message = read_message(stream)
        assert message is not None
        assert message.type == "t"
        assert {k: v for k, v in message.header.items() if k not in {"type", "payload"}} == header
        assert message.payload == payload
    assert read_message(stream) is None


def test_a_closed_pipe_in_the_middle_of_a_message_is_the_end_not_an_error() -> None:
    stream = io.BytesIO()
    write_message(stream, {"type": "preview"}, b"x" * 100)
    whole = stream.getvalue()
    for cut in (0, 2, 4, 10, len(whole) - 1):
        assert read_message(io.BytesIO(whole[:cut])) is None
    assert read_message(io.BytesIO(whole)) == Message({"type": "preview", "payload": 100}, b"x" * 100)


def framed(text: bytes) -> bytes:
    return struct.pack(">I", len(text)) + text


@pytest.mark.parametrize(
    "junk",
    [
        pytest.param(b"[ WARN:0] VIDEOIO: can't open camera\n", id="a library printed on stdout"),
        pytest.param(struct.pack(">I", 0), id="an empty header"),
        pytest.param(framed(b"\xff\xfe{}"), id="a header that is not UTF-8"),
        pytest.param(framed(b"[1,2]"), id="a header that is a list"),
        pytest.param(framed(b'{"a":1}'), id="a header without a type"),
        pytest.param(framed(b"[" * 100_000), id="a header nested too deeply"),
        pytest.param(framed(json.dumps({"type": "a", "payload": -1}).encode()), id="a negative payload"),
        pytest.param(framed(b'{"type":"a","payload":1e3}'), id="a payload that is no integer"),
        pytest.param(
            framed(json.dumps({"type": "a", "payload": MAX_PAYLOAD_BYTES + 1}).encode()), id="a payload too long"
        ),
    ],
)
def test_junk_gets_a_clear_error(junk: bytes) -> None:
    with pytest.raises(MessageError, match="expected"):
        read_message(io.BytesIO(junk))


def test_a_message_without_a_type_is_never_written() -> None:
    stream = io.BytesIO()
    with pytest.raises(MessageError, match="'type'"):
        write_message(stream, {"state": "watching"})
    assert stream.getvalue() == b""

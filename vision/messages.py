"""The pipe between the camera process and the web process.

One message is: 4 bytes, big-endian, the length of a JSON header; the header (a UTF-8 object with a string `type`);
and, where the header has `"payload": n`, n raw bytes (a JPEG, or an uploaded photo).
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

MAX_HEADER_BYTES: Final = 4 * 1024 * 1024
"""Longest header: a reading of 100 dice with all their candidates is about 0.2 MB."""

MAX_PAYLOAD_BYTES: Final = 128 * 1024 * 1024
"""Longest payload: a phone photo of 200 megapixels stays below it."""

_LENGTH: Final = struct.Struct(">I")


class MessageError(ValueError):
    """The other side sent something that is no message; the stream cannot be trusted after it."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: its header (with `type`) and its payload, empty where it had none."""

    header: dict[str, Any]
    payload: bytes = b""

    @property
    def type(self) -> str:
        """What kind of message it is, such as "status" or "throw"."""
        return str(self.header["type"])


def write_message(stream: BinaryIO, header: dict[str, Any], payload: bytes = b"") -> None:
    """Write one message and flush. Not safe from two threads at once: callers hold a lock.

    Raises `MessageError` where the message would be too long for the reader, OSError where the other side is gone.
    """
    fields = {key: value for key, value in header.items() if key != "payload"}
    if not isinstance(fields.get("type"), str):
        raise MessageError(f"expected a header with a string 'type', got {header!r:.200}")
    if payload:
        fields["payload"] = len(payload)
    text = json.dumps(fields, separators=(",", ":"), allow_nan=False).encode()
    if len(text) > MAX_HEADER_BYTES or len(payload) > MAX_PAYLOAD_BYTES:
        raise MessageError(
            f"expected at most {MAX_HEADER_BYTES} bytes of header and {MAX_PAYLOAD_BYTES} of payload, "
            f"got {len(text)} and {len(payload)} ({fields['type']!r})"
        )
    stream.write(_LENGTH.pack(len(text)) + text)
    if payload:
        stream.write(payload)
    stream.flush()


def read_message(stream: BinaryIO) -> Message | None:
    """Wait for one message; None when the other side has closed the pipe (also in the middle of a message).

    Raises `MessageError` on anything that is no message: a length out of bounds, a header that is no JSON object.
    """
    prefix = _read_exactly(stream, _LENGTH.size)
    if prefix is None:
        return None
    (length,) = _LENGTH.unpack(prefix)
    if not 2 <= length <= MAX_HEADER_BYTES:
        raise MessageError(f"expected a header of 2 to {MAX_HEADER_BYTES} bytes, got a length of {length}")
    text = _read_exactly(stream, length)
    if text is None:
        return None
    try:
        header = json.loads(text)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise MessageError(f"expected a JSON header, got {text[:80]!r}") from error
    if not isinstance(header, dict) or not isinstance(header.get("type"), str):
        raise MessageError(f"expected a JSON object with a string 'type', got {text[:80]!r}")
    size = header.get("payload", 0)
    if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= MAX_PAYLOAD_BYTES:
        raise MessageError(f"expected a payload of 0 to {MAX_PAYLOAD_BYTES} bytes, got {size!r}")
    payload = _read_exactly(stream, size) if size else b""
    return None if payload is None else Message(header, payload)


def _read_exactly(stream: BinaryIO, count: int) -> bytes | None:
    """`count` bytes, or None where the stream ends before."""
    parts: list[bytes] = []
    while count:
        part = stream.read(min(count, 1 << 20))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)

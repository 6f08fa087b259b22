"""Runs inside a Debian with libcamera: the project's source over the real picamera2 and libcamera's virtual camera.

What a machine without a camera lacks is put in its place: kms++ (only for a preview window), /dev/dma_heap (buffers are
made with memfd instead), and the raw stream (the virtual camera has none). Prints one JSON object.
"""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import sys
import time
import types
from collections.abc import Callable
from itertools import pairwise
from typing import Any

faulthandler.dump_traceback_later(90, exit=True)


class _Anything(type):
    def __getattr__(cls, name: str) -> str:
        return name


sys.modules["pykms"] = types.ModuleType("pykms")
sys.modules["pykms"].PixelFormat = _Anything("PixelFormat", (), {})  # type: ignore[attr-defined]

import libcamera  # noqa: E402 - the stub must be there first
import picamera2.picamera2 as module  # noqa: E402
from picamera2 import Picamera2  # noqa: E402
from picamera2.allocators.allocator import Allocator, Sync  # noqa: E402

from tablesight.vision.frame import SourceError  # noqa: E402
from tablesight.vision.sources.picamera2_source import Picamera2Source  # noqa: E402


class MemfdAllocator(Allocator):  # type: ignore[misc]
    """Buffers in memory files, one plane for luma and one for chroma (NV12)."""

    def __init__(self) -> None:
        self.maps: dict[Any, mmap.mmap] = {}
        self.by_stream: dict[Any, list[Any]] = {}
        self.handles: list[int] = []
        allocator = self

        class MemfdSync(Sync):  # type: ignore[misc]
            def __init__(self, _: Any, buffer: Any, write: bool) -> None:
                self.buffer = buffer

            def __enter__(self) -> mmap.mmap:
                return allocator.maps[self.buffer]

            def __exit__(self, *_: Any) -> None:
                pass

        self.sync = MemfdSync

    def allocate(self, configuration: Any, _: Any) -> None:
        self.close()
        for stream in configuration:
            luma = stream.stride * stream.size.height
            buffers = []
            for number in range(stream.buffer_count):
                handle = os.memfd_create(f"buffer{number}")
                os.ftruncate(handle, stream.frame_size)
                self.handles.append(handle)
                planes = []
                for offset, length in ((0, luma), (luma, stream.frame_size - luma)):
                    plane = libcamera.FrameBuffer.Plane()
                    plane.fd, plane.offset, plane.length = handle, offset, length
                    planes.append(plane)
                buffer = libcamera.FrameBuffer(planes)
                self.maps[buffer] = mmap.mmap(handle, stream.frame_size)
                buffers.append(buffer)
            self.by_stream[stream.stream] = buffers

    def buffers(self, stream: Any) -> list[Any]:
        return self.by_stream[stream]

    def close(self) -> None:
        for handle in self.handles:
            os.close(handle)
        self.handles, self.maps, self.by_stream = [], {}, {}


module.DmaAllocator = MemfdAllocator
Picamera2._get_raw_modes = lambda _: [{"format": "NV12", "size": (1280, 720)}]


def levels(image_bgr: Any) -> list[float]:
    """Mean blue, green and red of the middle."""
    height, width = image_bgr.shape[:2]
    middle = image_bgr[height // 3 : 2 * height // 3, width // 3 : 2 * width // 3]
    return [round(float(value), 1) for value in middle.reshape(-1, 3).mean(axis=0)]


def asked(ask: Callable[[], Any]) -> Any:
    """What comes, or the words of the error."""
    try:
        return list(ask().image_bgr.shape)
    except SourceError as error:
        return str(error)


result: dict[str, Any] = {}
source = Picamera2Source()
result["name"] = source.name
result["streams"] = {name: [stream["format"], list(stream["size"])] for name, stream in source._streams.items()}
previews = [source.preview() for _ in range(60)]
result["preview"] = [list(previews[-1].image_bgr.shape), levels(previews[-1].image_bgr)]
result["rising"] = all(a.captured_at_s <= b.captured_at_s for a, b in pairwise(previews))
stills = [source.still() for _ in range(5)]
result["still"] = [list(stills[-1].image_bgr.shape), levels(stills[-1].image_bgr)]
source.close()
source.close()
result["closed"] = asked(source.preview)
# libcamera 0.4's virtual camera mostly gives nothing but errors when it is started a second time in a process:
# that must be told in time, and closing must not hang
again = Picamera2Source()
result["again"] = asked(again.preview)
started_at_s = time.monotonic()
again.close()
result["close_s"] = time.monotonic() - started_at_s
print("RESULT " + json.dumps(result), flush=True)

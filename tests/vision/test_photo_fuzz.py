"""Damaged photos of every kind: read or refused, never anything else."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pillow_heif
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from tablesight.vision.photo import PhotoError, PhotoLimits, decode_photo

pillow_heif.register_heif_opener()


def encoded(kind: str, **options: Any) -> bytes:
    """A small picture with detail in it."""
    pixels_rgb = np.random.default_rng(2).integers(0, 256, (16, 24, 3), np.uint8)
    stream = io.BytesIO()
    Image.fromarray(pixels_rgb).resize((96, 64)).save(stream, kind, **options)
    return stream.getvalue()


SEEDS = {kind: encoded(kind) for kind in ("JPEG", "MPO", "PNG", "WEBP", "BMP", "HEIF", "AVIF", "GIF", "TIFF")}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_mutated_photo_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    content = bytearray(SEEDS[data.draw(st.sampled_from(sorted(SEEDS)))])
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, max(len(content) - 1, 0)))
        match data.draw(st.sampled_from(["set", "cut", "drop", "repeat", "insert"])):
            case "set":
                content[at : at + 1] = data.draw(st.binary(min_size=1, max_size=1))
            case "cut":
                del content[at:]
            case "drop":
                del content[at : at + data.draw(st.integers(1, 64))]
            case "repeat":
                content[at:at] = content[at : at + 32]
            case _:
                content[at:at] = data.draw(st.binary(min_size=1, max_size=16))
        if not content:
            break
    _read_or_refused(bytes(content))


@settings(max_examples=200, deadline=None)
@given(head=st.sampled_from([seed[:n] for seed in SEEDS.values() for n in (4, 12, 32)]), tail=st.binary(max_size=400))
def test_noise_after_a_good_beginning_is_read_or_refused(head: bytes, tail: bytes) -> None:
    _read_or_refused(head + tail)


def _read_or_refused(content: bytes) -> None:
    try:
        image_bgr = decode_photo(content, PhotoLimits(max_pixels=4_000_000))
    except PhotoError as error:
        assert str(error).startswith("expected ")  # noqa: PT017 - either outcome is right, only other errors are not
        return
    assert image_bgr.ndim == 3
    assert image_bgr.shape[2] == 3
    assert image_bgr.dtype == np.uint8

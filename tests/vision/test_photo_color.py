"""Photos in other colour spaces than sRGB."""

from __future__ import annotations

import io
import struct

import numpy as np
import pillow_heif
import pytest
from PIL import Image, ImageCms

from tablesight.vision.photo import decode_photo

pillow_heif.register_heif_opener()

DISPLAY_P3_D50 = {
    b"rXYZ": (0.51512, 0.24120, -0.00105),
    b"gXYZ": (0.29198, 0.69225, 0.04189),
    b"bXYZ": (0.15710, 0.06657, 0.78407),
    b"wtpt": (0.96420, 1.00000, 0.82491),
}
"""Primaries as Apple's profile has them, adapted to D50."""


def display_p3() -> bytes:
    """A version 2 matrix profile with those primaries and a plain gamma of 2.2."""

    def xyz(values: tuple[float, float, float]) -> bytes:
        return b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(value * 65536) for value in values))

    name = b"Display P3\0"
    description = b"desc\0\0\0\0" + struct.pack(">I", len(name)) + name + bytes(78)
    gamma = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(2.2 * 256))
    tags = {mark: xyz(values) for mark, values in DISPLAY_P3_D50.items()}
    tags |= {b"desc": description, b"cprt": b"text\0\0\0\0none\0"} | dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), gamma)
    at = 128 + 4 + 12 * len(tags)
    table, body = struct.pack(">I", len(tags)), b""
    for mark, data in tags.items():
        data += bytes(-len(data) % 4)
        table += mark + struct.pack(">II", at + len(body), len(data))
        body += data
    size = at + len(body)
    head = struct.pack(">I4sI4s4s4s", size, b"none", 0x02400000, b"mntr", b"RGB ", b"XYZ ")
    head += struct.pack(">6H4s", 2026, 1, 1, 0, 0, 0, b"acsp")
    head += bytes(28) + struct.pack(">3i", 63190, 65536, 54061)
    return head + bytes(128 - len(head)) + table + body


def photo(rgb: tuple[int, int, int], kind: str, profile: bytes | None) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (64, 48), rgb).save(stream, kind, quality=95, icc_profile=profile)
    return stream.getvalue()


def middle_rgb(content: bytes) -> list[int]:
    return [int(value) for value in decode_photo(content)[24, 32, ::-1]]


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "AVIF", "HEIF"])
def test_a_phones_red_is_the_red_of_the_screen(kind: str) -> None:
    # pure sRGB red has these numbers in Display P3
    assert middle_rgb(photo((234, 51, 35), kind, display_p3())) == pytest.approx([255, 0, 0], abs=8)
    assert middle_rgb(photo((128, 128, 128), kind, display_p3())) == pytest.approx([128, 128, 128], abs=4)


@pytest.mark.parametrize(
    "profile",
    [
        pytest.param(None, id="none"),
        pytest.param(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), id="srgb"),
        pytest.param(b"no profile at all", id="nonsense"),
        pytest.param(display_p3()[:200], id="cut off"),
    ],
)
def test_other_profiles_leave_the_numbers_as_they_are(profile: bytes | None) -> None:
    assert middle_rgb(photo((234, 51, 35), "JPEG", profile)) == pytest.approx([234, 51, 35], abs=3)


def test_each_part_of_a_tall_photo_is_converted() -> None:
    stream = io.BytesIO()
    Image.new("RGB", (32, 1400), (234, 51, 35)).save(stream, "PNG", icc_profile=display_p3())
    image_bgr = decode_photo(stream.getvalue())
    assert np.abs(image_bgr.astype(int) - (0, 0, 255)).max() <= 8

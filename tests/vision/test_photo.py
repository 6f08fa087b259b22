"""Photos of every kind, whole and damaged."""

from __future__ import annotations

import io
import os
import struct
import threading
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pillow_heif
import pytest
from PIL import Image, ImageOps

from tablesight.vision.frame import ImageBGR
from tablesight.vision.photo import LIMITS, PhotoError, PhotoLimits, decode_photo

pillow_heif.register_heif_opener()

WIDTH, HEIGHT = 96, 64
QUARTERS_RGB = {"red": (200, 30, 30), "green": (30, 160, 40), "blue": (20, 40, 190), "white": (240, 240, 240)}


def quarters() -> Image.Image:
    """Red, green / blue, white: every turn and flip of it looks different."""
    image = Image.new("RGB", (WIDTH, HEIGHT))
    for (x, y), color in zip(((0, 0), (1, 0), (0, 1), (1, 1)), QUARTERS_RGB.values(), strict=True):
        image.paste(color, (x * WIDTH // 2, y * HEIGHT // 2, (x + 1) * WIDTH // 2, (y + 1) * HEIGHT // 2))
    return image


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def seen_corners(image_bgr: ImageBGR) -> list[str]:
    """The names of the four quarters' colours, row by row."""
    height, width = image_bgr.shape[:2]
    names = []
    for y in (height // 4, 3 * height // 4):
        for x in (width // 4, 3 * width // 4):
            rgb = image_bgr[y, x, ::-1].astype(int)
            names.append(min(QUARTERS_RGB, key=lambda name: float(np.abs(rgb - QUARTERS_RGB[name]).sum())))
    return names


def gray_png(width: int, height: int) -> bytes:
    """A real PNG of any size, of one gray, made without holding its pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    packer = zlib.compressobj(1)
    row = b"\0" + b"\x80" * width
    body = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def _with_size(content: bytes, mark: bytes, after: int, layout: str, *values: Any) -> bytes:
    """The file, claiming another size in the field `after` bytes behind `mark`."""
    at = content.index(mark) + after
    field = struct.pack(layout, *values)
    return content[:at] + field + content[at + len(field) :]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        pytest.param("JPEG", {"quality": 95}, id="a jpeg"),
        pytest.param("JPEG", {"quality": 95, "progressive": True}, id="a progressive jpeg"),
        pytest.param("MPO", {"quality": 95}, id="a phone's multi-picture jpeg"),
        pytest.param("PNG", {}, id="a png"),
        pytest.param("WEBP", {"quality": 90}, id="a lossy webp"),
        pytest.param("WEBP", {"lossless": True}, id="a lossless webp"),
        pytest.param("BMP", {}, id="a bmp"),
        pytest.param("HEIF", {"quality": 90}, id="an iphone's heic"),
        pytest.param("AVIF", {"quality": 90}, id="an avif"),
    ],
)
def test_a_photo_of_each_format_is_read(kind: str, options: dict[str, Any]) -> None:
    image_bgr = decode_photo(encoded(quarters(), kind, **options))
    assert image_bgr.shape == (HEIGHT, WIDTH, 3)
    assert image_bgr.dtype == np.uint8
    assert image_bgr.flags.c_contiguous
    assert seen_corners(image_bgr) == ["red", "green", "blue", "white"]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied_as_a_viewer_does(kind: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    content = encoded(quarters(), kind, exif=exif)
    with Image.open(io.BytesIO(content)) as image:
        expected_rgb = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    image_bgr = decode_photo(content)
    assert image_bgr.shape == expected_rgb.shape
    assert np.abs(image_bgr[:, :, ::-1].astype(int) - expected_rgb).max() <= 2


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["HEIF", "AVIF"])
def test_a_turned_heic_or_avif_is_turned_once_and_not_twice(orientation: int, kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    upright = decode_photo(encoded(quarters(), "JPEG", quality=95, exif=exif))
    turned = decode_photo(encoded(quarters(), kind, quality=95, exif=exif.tobytes()))
    assert turned.shape == upright.shape
    assert seen_corners(turned) == seen_corners(upright)


def test_a_ten_bit_heic_keeps_its_colours() -> None:
    pixels_16 = np.asarray(quarters()).astype(np.uint16) * 257
    heif = pillow_heif.from_bytes("RGB;16", (WIDTH, HEIGHT), pixels_16.tobytes())
    stream = io.BytesIO()
    heif.save(stream, quality=90)
    image_bgr = decode_photo(stream.getvalue())
    assert image_bgr.dtype == np.uint8
    assert seen_corners(image_bgr) == ["red", "green", "blue", "white"]


def test_of_a_heic_with_several_pictures_the_primary_is_taken() -> None:
    black = Image.new("RGB", (WIDTH, HEIGHT))
    content = encoded(black, "HEIF", save_all=True, append_images=[quarters(), black], primary_index=1)
    assert seen_corners(decode_photo(content)) == ["red", "green", "blue", "white"]


@pytest.mark.parametrize("value", [0, 9, 65535])
def test_a_nonsense_orientation_leaves_the_photo_as_it_is(value: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = value
    assert seen_corners(decode_photo(encoded(quarters(), "JPEG", exif=exif))) == ["red", "green", "blue", "white"]


def test_a_broken_exif_block_does_not_lose_the_photo() -> None:
    content = encoded(quarters(), "JPEG", quality=95)
    block = b"Exif\0\0II*\0\xff\xff\xff\x7fgarbage"
    broken = content[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + content[2:]
    assert seen_corners(decode_photo(broken)) == ["red", "green", "blue", "white"]


@pytest.mark.parametrize(
    ("image", "kind"),
    [
        pytest.param(quarters().convert("CMYK"), "JPEG", id="a cmyk jpeg from a print shop"),
        pytest.param(quarters().convert("P", palette=Image.Palette.ADAPTIVE), "PNG", id="a palette png"),
        pytest.param(quarters().convert("RGBA"), "PNG", id="an rgba png"),
        pytest.param(quarters().convert("RGBA"), "WEBP", id="an rgba webp"),
        pytest.param(quarters().convert("RGBA"), "HEIF", id="an rgba heic"),
    ],
)
def test_other_colour_models_keep_their_colours(image: Image.Image, kind: str) -> None:
    assert seen_corners(decode_photo(encoded(image, kind))) == ["red", "green", "blue", "white"]


def test_grayscale_becomes_three_equal_channels() -> None:
    image_bgr = decode_photo(encoded(quarters().convert("L"), "JPEG"))
    assert image_bgr.shape == (HEIGHT, WIDTH, 3)
    assert (image_bgr[:, :, 0] == image_bgr[:, :, 2]).all()
    assert image_bgr.std() > 20


def test_one_bit_pictures_are_black_and_white() -> None:
    image_bgr = decode_photo(encoded(quarters().convert("1"), "PNG"))
    assert set(np.unique(image_bgr)) == {0, 255}


def test_a_16_bit_png_keeps_its_shades() -> None:
    shades = np.linspace(0, 65535, WIDTH).astype(np.uint16)
    image = Image.fromarray(np.repeat(shades[None, :], HEIGHT, axis=0))
    row = decode_photo(encoded(image, "PNG"))[0, :, 0].astype(int)
    assert row[0] == 0
    assert row[-1] == 255
    assert (np.diff(row) >= 0).all()
    assert abs(row[WIDTH // 2] - 128) <= 3


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparent_parts_are_white(mode: str) -> None:
    image = Image.new("RGBA", (WIDTH, HEIGHT), (200, 30, 30, 255))
    image.paste((0, 0, 0, 0), (0, 0, WIDTH // 2, HEIGHT))
    image_bgr = decode_photo(encoded(image.convert(mode), "PNG"))
    assert image_bgr[5, 5].tolist() == [255, 255, 255]
    assert image_bgr[5, -5].max() < 210


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_of_an_animation_the_first_picture_is_taken(kind: str) -> None:
    others = [Image.new("RGB", (WIDTH, HEIGHT), (0, 0, 0))] * 3
    options: dict[str, Any] = {"lossless": True} if kind == "WEBP" else {}
    content = encoded(quarters(), kind, save_all=True, append_images=others, duration=50, **options)
    assert seen_corners(decode_photo(content)) == ["red", "green", "blue", "white"]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photo_taller_than_one_strip_is_whole(orientation: int) -> None:
    rng = np.random.default_rng(4)
    pixels_rgb = rng.integers(0, 256, (LIMITS.strip_rows * 2 + 77, 40, 3), np.uint8)
    exif = Image.Exif()
    exif[0x0112] = orientation
    content = encoded(Image.fromarray(pixels_rgb), "PNG", exif=exif)
    with Image.open(io.BytesIO(content)) as image:
        expected_rgb = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    assert (decode_photo(content)[:, :, ::-1] == expected_rgb).all()


def test_a_60_megapixel_photo_is_read_turned() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    content = encoded(quarters().resize((9000, 6700), Image.Resampling.NEAREST), "JPEG", exif=exif)
    image_bgr = decode_photo(content)
    assert image_bgr.shape == (9000, 6700, 3)
    assert seen_corners(image_bgr) == ["blue", "red", "white", "green"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(gray_png(20_000, 10_000), "20000 x 10000 (200 megapixels)", id="200 megapixels as png"),
        pytest.param(gray_png(65_000, 4_000), "(260 megapixels)", id="260 megapixels, long and thin"),
        pytest.param(
            _with_size(encoded(quarters(), "HEIF"), b"ispe", 8, ">II", 20_000, 10_000),
            "20000 x 10000 (200 megapixels)",
            id="200 megapixels as heic",
        ),
        pytest.param(
            encoded(Image.new("L", (16_320, 12_240)), "JPEG", quality=1), "(200 megapixels)", id="a phone's 200 as jpeg"
        ),
    ],
)
def test_200_megapixels_are_refused_before_decoding(
    content: bytes, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decodes(*_: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", decodes)
    with pytest.raises(PhotoError, match=r"at most 120 megapixels") as caught:
        decode_photo(content)
    assert words in str(caught.value)
    assert "smaller" in str(caught.value)


def test_a_huge_animation_is_refused() -> None:
    frames = [quarters().convert("RGBA"), quarters().convert("RGBA").rotate(9)]
    content = encoded(frames[0], "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    side = struct.pack("<I", 16_382)[:3]
    huge = _with_size(content, b"VP8X", 12, "6s", side + side)
    with pytest.raises(PhotoError, match="at most 120 megapixels, got one of more than 178"):
        decode_photo(huge)


def test_a_heic_larger_than_it_claims_is_refused() -> None:
    claims_less = _with_size(encoded(quarters().resize((640, 480)), "HEIF"), b"ispe", 8, ">II", 64, 48)
    with pytest.raises(PhotoError, match="damaged"):
        decode_photo(claims_less)


def test_a_lying_header_is_refused_by_the_size_it_claims() -> None:
    content = bytearray(encoded(quarters(), "PNG"))
    content[16:24] = struct.pack(">II", 2**31 - 1, 2**31 - 1)
    content[29:33] = struct.pack(">I", zlib.crc32(bytes(content[12:29])))
    with pytest.raises(PhotoError, match="megapixels"):
        decode_photo(bytes(content))


def test_the_decompression_bomb_warning_does_not_leak() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        decode_photo(encoded(Image.new("L", (10_000, 9_500)), "JPEG", quality=1))  # above Pillow's own 89 megapixels
        with pytest.raises(PhotoError):
            decode_photo(gray_png(20_000, 10_000))
        transparent = quarters().convert("P")
        decode_photo(encoded(transparent, "PNG", transparency=bytes(range(256))))
    assert caught == []


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "HEIF", "AVIF"])
@pytest.mark.parametrize("kept", [0.05, 0.3, 0.6, 0.9])
def test_a_cut_off_file_is_refused(kind: str, kept: float) -> None:
    rng = np.random.default_rng(7)
    noise = Image.fromarray(rng.integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8))
    content = encoded(noise, kind)
    with pytest.raises(PhotoError, match=r"damaged or cut-off|expected a JPEG"):
        decode_photo(content[: int(len(content) * kept)])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "an empty file", id="empty"),
        pytest.param(b"these are no dice\n" * 40, "plain text", id="a text file named .jpg"),
        pytest.param("Würfel: fünf\n".encode() * 80, "plain text", id="a text file with umlauts"),
        pytest.param(encoded(quarters(), "GIF"), "a GIF picture", id="a gif"),
        pytest.param(encoded(quarters(), "TIFF"), "a TIFF or camera raw file", id="a tiff or raw"),
        pytest.param(encoded(quarters(), "PDF"), "a PDF document", id="a pdf"),
        pytest.param(b'<?xml version="1.0"?>\n<svg xmlns="x"/>', "an SVG drawing", id="an svg"),
        pytest.param(b"<!DOCTYPE html><html></html>", "a web page", id="a web page saved as a photo"),
        pytest.param(b"\0\0\0\x20ftypisom\0\0\2\0isomiso2", "an MP4 or QuickTime video", id="a video"),
        pytest.param(b"PK\x03\x04....", "a ZIP archive", id="a zip"),
        pytest.param(bytes(5000), "only zero bytes", id="a file that the card lost"),
        pytest.param(b"\x01\x02\xfe\xff" * 9, "an unknown format", id="noise"),
        pytest.param(encoded(Image.new("RGB", (8, 8)), "PNG"), "8 x 8", id="an icon"),
    ],
)
def test_what_is_no_photo_is_named(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "dice.jpg"
    path.write_bytes(content)
    for given_as in (content, path):
        with pytest.raises(PhotoError) as caught:
            decode_photo(given_as)
        assert words in str(caught.value)
        assert str(caught.value).startswith("expected ")


def test_a_folder_a_missing_file_and_a_pipe_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="got a folder"):
        decode_photo(tmp_path)
    with pytest.raises(PhotoError, match="no such file"):
        decode_photo(tmp_path / "absent.jpg")
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(PhotoError, match="device or pipe"):
        decode_photo(tmp_path / "pipe.jpg")


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.truncate(LIMITS.max_bytes + 1)
    with pytest.raises(PhotoError, match="at most 200 MB"):
        decode_photo(path)
    with pytest.raises(PhotoError, match="at most 0 MB"):
        decode_photo(encoded(quarters(), "PNG"), PhotoLimits(max_bytes=10))


def test_several_threads_decode_at_once() -> None:
    content = encoded(quarters(), "JPEG", quality=95)
    results: list[list[str]] = []
    threads = [threading.Thread(target=lambda: results.append(seen_corners(decode_photo(content)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [["red", "green", "blue", "white"]] * 8

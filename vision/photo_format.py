"""What a file is, told from its first bytes (never from its name)."""

from __future__ import annotations

from typing import Final, Literal

PhotoFormat = Literal["jpeg", "png", "webp", "bmp", "heif", "avif"]

_PREFIXES: Final[tuple[tuple[bytes, PhotoFormat], ...]] = (
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"BM", "bmp"),
)
_HEIF_BRANDS: Final = frozenset((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"))
_AVIF_BRANDS: Final = frozenset((b"avif", b"avis"))

_OTHERS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"II*\0", "a TIFF or camera raw file"),
    (b"MM\0*", "a TIFF or camera raw file"),
    (b"IIRO", "a camera raw file"),
    (b"FUJIFILM", "a camera raw file"),
    (b"8BPS", "a Photoshop file"),
    (b"\xff\x0a", "a JPEG XL picture"),
    (b"\0\0\0\x0cJXL ", "a JPEG XL picture"),
    (b"\0\0\0\x0cjP  ", "a JPEG 2000 picture"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x1aE\xdf\xa3", "a Matroska or WebM video"),
    (b"RIFF", "an AVI video or a sound"),
    (b"\x7fELF", "a program"),
)


def photo_format(data: bytes) -> PhotoFormat | None:
    """The photo format that `data` (at least its first 64 bytes) starts like, or None where it is none of them."""
    for prefix, name in _PREFIXES:
        if data.startswith(prefix):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if data[4:8] == b"ftyp":
        # ISO base media file: the major brand, four bytes of version, then the compatible brands
        brands = {data[8:12], *(data[at : at + 4] for at in range(16, 64, 4))}
        if brands & _AVIF_BRANDS:
            return "avif"
        if brands & _HEIF_BRANDS:
            return "heif"
    return None


def describe_other(data: bytes) -> str:
    """In a few words, what a file that is no photo seems to be, for an error message."""
    for prefix, words in _OTHERS:
        if data.startswith(prefix):
            return words
    if data[4:8] == b"ftyp":
        return "an MP4 or QuickTime video"
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<svg", b"<?xml")) and b"<svg" in data[:4096].lower():
        return "an SVG drawing"
    if head.startswith((b"<!doctype html", b"<html")):
        return "a web page"
    if not any(data):
        return "only zero bytes"
    try:
        text = data[:512].decode("utf-8")
    except UnicodeDecodeError as error:
        # a character cut in two by the end of the window is still text
        text = data[: error.start].decode("utf-8") if error.start >= 500 else "\0"
    if all(letter.isprintable() or letter in "\t\r\n" for letter in text):
        return "plain text"
    return f"an unknown format that starts with {data[:8]!r}"

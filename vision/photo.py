"""A photo file to pixels: any phone's JPEG, PNG, WebP, HEIC or AVIF, upright, within bounds."""

from __future__ import annotations

import io
import stat
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import cv2
import numpy as np
from PIL import AvifImagePlugin, BmpImagePlugin, Image, JpegImagePlugin, PngImagePlugin, WebPImagePlugin
from pillow_heif import HeifImageFile

from tablesight.vision.frame import ImageBGR
from tablesight.vision.photo_color import to_srgb
from tablesight.vision.photo_format import PhotoFormat, describe_other, photo_format


class PhotoError(ValueError):
    """The file is no photo that can be read: says what was expected, what came and what to do next."""


@dataclass(frozen=True, slots=True)
class PhotoLimits:
    """What `decode_photo` takes on. Beyond it a photo is refused before a single pixel is decoded."""

    max_pixels: int = 120_000_000  # phones make 12, 48, 50 and 108 megapixels; at 7 bytes a pixel this peaks at 840 MB
    min_side_px: int = 16  # less cannot show a die
    max_bytes: int = 200_000_000  # a 108-megapixel JPEG has about 40 MB
    strip_rows: int = 128  # rows converted at a time, so that no second full copy is made; a strip is copied five times


LIMITS: Final = PhotoLimits()
ACCEPTED: Final = "a JPEG, PNG, WebP, HEIC, AVIF or BMP photo"
_ORIENTATION: Final = 0x0112

# The plugins are called directly: `Image.open` would check the size against a process-wide limit of its own and warn.
_OPENERS: Final[dict[PhotoFormat, Callable[[IO[bytes]], Image.Image]]] = {
    "jpeg": JpegImagePlugin.jpeg_factory,
    "png": PngImagePlugin.PngImageFile,
    "webp": WebPImagePlugin.WebPImageFile,
    "bmp": BmpImagePlugin.BmpImageFile,
    "heif": HeifImageFile,
    "avif": AvifImagePlugin.AvifImageFile,
}

# One photo at a time: bounds the memory when several phones send photos, and keeps `catch_warnings` safe.
_ONE_AT_A_TIME: Final = threading.Lock()


def decode_photo(data: bytes | Path, limits: PhotoLimits = LIMITS) -> ImageBGR:
    """The photo as shape (height, width, 3) uint8, BGR, as a viewer shows it (EXIF orientation applied).

    `data` is the content of a file, or its path. Of an animation the first picture is taken; transparency is laid on
    white; 16-bit, CMYK and other colour spaces (Display P3) become 8-bit sRGB. Raises `PhotoError` for anything that
    is no whole photo within `limits`.
    """
    content = _read_file(data, limits) if isinstance(data, Path) else data
    if not content:
        raise PhotoError(f"expected {ACCEPTED}, got an empty file: take or send the photo again")
    if len(content) > limits.max_bytes:
        raise _too_many_bytes(len(content), limits)
    kind = photo_format(content)
    if kind is None:
        raise PhotoError(f"expected {ACCEPTED}, got {describe_other(content)}: choose a photo")
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns about odd metadata; the pixels decide
        return _decode(content, kind, limits)


def _decode(content: bytes, kind: PhotoFormat, limits: PhotoLimits) -> ImageBGR:
    try:
        image = _OPENERS[kind](io.BytesIO(content))
    except Image.DecompressionBombError as error:  # some plugins look at the size themselves
        raise PhotoError(
            f"expected a photo of at most {limits.max_pixels / 1e6:.0f} megapixels, "
            "got one of more than 178 megapixels: make it smaller, or set the camera to a lower resolution"
        ) from error
    except Exception as error:  # reason: on damaged bytes the plugins raise nearly every kind of error
        raise _damaged(kind, error) from error
    with image:
        width, height = image.size
        if width * height > limits.max_pixels:
            raise PhotoError(
                f"expected a photo of at most {limits.max_pixels / 1e6:.0f} megapixels, got {width} x {height} "
                f"({width * height / 1e6:.0f} megapixels): make it smaller, or set the camera to a lower resolution"
            )
        if min(width, height) < limits.min_side_px:
            raise PhotoError(
                f"expected a photo of at least {limits.min_side_px} pixels a side, got {width} x {height}: "
                "send the original photo, not its icon"
            )
        try:
            image.load()
            return _to_bgr(image, _orientation(image), limits.strip_rows)
        except Exception as error:  # reason: as above; a truncated file shows only here
            raise _damaged(kind, error) from error


def _read_file(path: Path, limits: PhotoLimits) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise PhotoError(f"expected {ACCEPTED}, got a folder: name the photos in it")
        if not stat.S_ISREG(status.st_mode):
            raise PhotoError(f"expected {ACCEPTED}, got a device or pipe: name a file")
        if status.st_size > limits.max_bytes:
            raise _too_many_bytes(status.st_size, limits)
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise PhotoError(f"expected a readable photo, got {reason.lower()!r}: check its name and rights") from error


def _too_many_bytes(size: int, limits: PhotoLimits) -> PhotoError:
    return PhotoError(
        f"expected a photo of at most {limits.max_bytes / 1e6:.0f} MB, got {size / 1e6:.0f} MB: send a smaller copy"
    )


def _damaged(kind: PhotoFormat, error: Exception) -> PhotoError:
    if isinstance(error, MemoryError):
        return PhotoError(f"expected a {kind} photo that fits into memory, got one that does not: send a smaller copy")
    return PhotoError(f"expected a whole {kind} photo, got a damaged or cut-off one ({error}): send it again")


def _to_bgr(image: Image.Image, orientation: int, strip_rows: int) -> ImageBGR:
    """The picture turned as EXIF says, (height, width, 3); converted in strips, so that no second copy is made."""
    width, height = image.size
    on_its_side = orientation >= 5
    image_bgr = np.empty((width, height, 3) if on_its_side else (height, width, 3), np.uint8)
    convert = to_srgb(image)
    for top in range(0, height, strip_rows):
        bottom = min(top + strip_rows, height)
        strip = image.crop((0, top, width, bottom))
        if convert is not None:
            strip = convert(strip)
        strip.info = image.info  # `crop` keeps the palette but not always the transparency
        strip_bgr = _turn(np.ascontiguousarray(_strip_rgb(strip)[:, :, ::-1]), orientation)
        # where the first row of the file comes last, the strips do too
        span = slice(height - bottom, height - top) if orientation in (3, 4, 6, 7) else slice(top, bottom)
        if on_its_side:
            image_bgr[:, span] = strip_bgr
        else:
            image_bgr[span] = strip_bgr
    return image_bgr


def _strip_rgb(strip: Image.Image) -> np.ndarray[Any, np.dtype[np.uint8]]:
    if strip.mode.startswith("I;16"):
        gray = (np.asarray(strip).astype(np.uint16) >> 8).astype(np.uint8)
        return np.repeat(gray[:, :, None], 3, axis=2)
    if strip.mode in ("I", "F"):
        gray = np.clip(np.asarray(strip).astype(np.float64) / 257.0, 0, 255).astype(np.uint8)
        return np.repeat(gray[:, :, None], 3, axis=2)
    if strip.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in strip.info:
        seen = strip.convert("RGBA")
        white = Image.new("RGBA", seen.size, (255, 255, 255, 255))
        return np.asarray(Image.alpha_composite(white, seen))[:, :, :3]
    return np.asarray(strip.convert("RGB"))


def _orientation(image: Image.Image) -> int:
    """EXIF orientation 1-8; 1 where it is missing or nonsense. Pillow-heif has turned HEIC pictures already."""
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # reason: broken EXIF raises nearly every kind of error and must not lose the picture
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _turn(image_bgr: ImageBGR, orientation: int) -> ImageBGR:
    """Applies EXIF orientation (TIFF 6.0, tag 274), so that the picture stands as a viewer shows it."""
    if orientation in (2, 5, 7):
        image_bgr = np.asarray(cv2.flip(image_bgr, 1), np.uint8)
    if orientation == 4:
        return np.asarray(cv2.flip(image_bgr, 0), np.uint8)
    rotation = {
        3: cv2.ROTATE_180,
        5: cv2.ROTATE_90_COUNTERCLOCKWISE,
        6: cv2.ROTATE_90_CLOCKWISE,
        7: cv2.ROTATE_90_CLOCKWISE,
        8: cv2.ROTATE_90_COUNTERCLOCKWISE,
    }.get(orientation)
    return image_bgr if rotation is None else np.asarray(cv2.rotate(image_bgr, rotation), np.uint8)

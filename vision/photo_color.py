"""The colour space of a photo: phones write Display P3, in which a red die has other numbers than in sRGB."""

from __future__ import annotations

import io
from collections.abc import Callable

from PIL import Image, ImageCms


def to_srgb(image: Image.Image) -> Callable[[Image.Image], Image.Image] | None:
    """How to bring parts of this picture to sRGB; None where it is sRGB already, says nothing, or says nonsense."""
    profile_bytes = image.info.get("icc_profile")
    if not isinstance(profile_bytes, bytes) or image.mode not in ("RGB", "CMYK"):
        return None
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(profile_bytes))
        if "srgb" in ImageCms.getProfileDescription(profile).lower():
            return None
        transform = ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), image.mode, "RGB")
    except Exception:  # reason: a damaged profile raises nearly every kind of error and must not lose the picture
        return None

    def convert(part: Image.Image) -> Image.Image:
        converted = ImageCms.applyTransform(part, transform)
        return part if converted is None else converted

    return convert

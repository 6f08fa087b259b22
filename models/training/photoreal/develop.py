"""From light to a picture: exposure, white balance and tone curve of a cheap camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from photoreal.lights import RGB

Canvas = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Development:
    """`exposure` in stops, `balance` how much of the light's colour is taken out (0 to 1), `metering` how much a dark
    or bright table changes the exposure (0 to 1), `shoulder` how softly highlights end, `contrast`, `saturation`."""

    exposure: float
    balance: float
    metering: float
    shoulder: float
    contrast: float
    saturation: float


def random_development(rng: np.random.Generator) -> Development:
    """A camera's settings."""
    return Development(
        float(rng.normal(0, 0.25)),
        float(rng.uniform(0.6, 1.05)),
        float(rng.uniform(0.1, 0.6)),
        float(rng.uniform(0, 1)),
        float(rng.uniform(-0.1, 0.35)),
        float(rng.uniform(0.85, 1.2)),
    )


def develop(light_rgb: npt.NDArray[np.float16], white: RGB, how: Development) -> Canvas:
    """Linear light (h, w, 3), RGB, as a picture (h, w, 3) float32 0 to 255, blue first, before lens, noise and file.

    `white` is what a white sheet on the table would send.
    """
    light = light_rgb.astype(np.float32)[..., ::-1]
    sheet = np.array(white[::-1], np.float32)
    level = float(sheet @ (0.114, 0.587, 0.299))
    gains = (level / sheet) ** how.balance
    picture = light * gains * np.float32(0.8 / level)
    middle = float(np.median(picture @ np.array((0.114, 0.587, 0.299), np.float32)))
    picture *= np.float32(2**how.exposure * np.clip(0.2 / max(middle, 1e-3), 0.4, 3.0) ** how.metering)
    hard, soft = np.minimum(picture, 1), 1 - np.exp(-1.3 * picture)
    picture = hard + np.float32(how.shoulder) * (soft - hard)
    grey = (picture @ np.array((0.114, 0.587, 0.299), np.float32))[..., None]
    picture = np.clip(grey + (picture - grey) * np.float32(how.saturation), 0, 1)
    shown = np.where(picture < 0.0031308, picture * 12.92, 1.055 * picture ** (1 / 2.4) - 0.055)
    shown = shown + np.float32(how.contrast) * (shown * shown * (3 - 2 * shown) - shown)
    return np.asarray(np.clip(shown, 0, 1) * 255, np.float32)

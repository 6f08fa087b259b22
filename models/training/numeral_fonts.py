"""Renders the digits of the machine's fonts into the numeral files of the simulator.

`python models/training/numeral_fonts.py` writes data/numerals_train.npz (fonts for training) and, from families kept
apart from training, vision/simulator/numerals.npz (fonts of the simulated table).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

REPO = Path(__file__).resolve().parents[2]
HEIGHT_PX = 64
WIDTH_PX = 80
SHIPPED_FAMILIES = (  # licences that allow shipping: DejaVu (Bitstream Vera), the others SIL OFL 1.1 or Apache-2.0
    "DejaVuSans-Bold", "DejaVuSerif-Bold", "Lato-Bold", "Lato-Heavy", "RobotoSlab-Bold", "Vollkorn-Bold",
    "OpenSans-Bold", "Comfortaa-Bold", "Cabin-Bold", "Jura-Bold", "Karla-Bold", "GentiumPlus-Bold",
)  # fmt: skip
SKIP = ("symbol", "math", "dingbat", "emoji", "ornament", "awesome", "music", "icon", "barcode", "initials", "swash")


def digits(path: Path) -> npt.NDArray[np.uint8] | None:
    """Shape (10, 64, 80) uint8: the digits at one common scale, centred, tallest digit 60 px; None where the font has
    no ten different digits."""
    try:
        font = ImageFont.truetype(str(path), 96)
        boxes = [font.getbbox(str(d)) for d in range(10)]
    except (OSError, ValueError):
        return None
    tallest = max(b[3] - b[1] for b in boxes)
    widest = max(b[2] - b[0] for b in boxes)
    if tallest < 20 or widest < 10:
        return None
    size = max(8, int(96 * min(60 / tallest, 76 / widest)))
    font = ImageFont.truetype(str(path), size)
    sheet = np.zeros((10, HEIGHT_PX, WIDTH_PX), np.uint8)
    bottoms = [font.getbbox(str(d)) for d in range(10)]
    top = min(b[1] for b in bottoms)
    middle = (top + max(b[3] for b in bottoms)) / 2
    for d in range(10):
        left, _, right, _ = bottoms[d]
        image = Image.new("L", (WIDTH_PX, HEIGHT_PX), 0)
        ImageDraw.Draw(image).text((WIDTH_PX / 2 - (left + right) / 2, HEIGHT_PX / 2 - middle), str(d), 255, font)
        sheet[d] = np.asarray(image)
    if any(sheet[d].sum() < 255 * 60 for d in range(10)):
        return None
    flat = sheet.reshape(10, -1).astype(np.float32)
    distance = np.abs(flat[:, None] - flat[None]).sum(2) + np.eye(10) * 1e9
    if distance.min() < 255 * 40:  # the same box or an empty sign for all digits
        return None
    return sheet


def main() -> None:
    """Collect, leave out look-alikes, split by family, write both files."""
    shipped, train, names = [], [], []
    seen: set[str] = set()
    for path in sorted(p for p in Path("/usr/share/fonts").rglob("*") if p.suffix.lower() in (".ttf", ".otf")):
        if any(word in path.name.lower() for word in SKIP):
            continue
        sheet = digits(path)
        if sheet is None:
            continue
        key = hashlib.sha256(sheet.tobytes()).hexdigest()
        if key in seen:
            continue
        seen.add(key)
        family = path.stem.split("-")[0]
        if path.stem in SHIPPED_FAMILIES:
            shipped.append((path.stem, sheet))
        elif family not in {name.split("-")[0] for name in SHIPPED_FAMILIES}:
            train.append(sheet)
            names.append(path.stem)
    (REPO / "data").mkdir(exist_ok=True)
    np.savez_compressed(REPO / "data/numerals_train.npz", digits=np.stack(train), names=np.array(names))
    np.savez_compressed(
        REPO / "vision/simulator/numerals.npz",
        digits=np.stack([s for _, s in shipped]),
        names=np.array([n for n, _ in shipped]),
    )
    print(f"{len(train)} fonts for training, {len(shipped)} for the simulated table: {[n for n, _ in shipped]}")


if __name__ == "__main__":
    main()

"""What the models said of each labelled die and photo, beside what is true."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from tablesight.vision.evaluation.labels import Label
from tablesight.vision.kinds import kind_of
from tablesight.vision.reading import DieReading


@dataclass(frozen=True, slots=True)
class DieOutcome:
    """One labelled die. `given_box` is its reading in the labelled box, `end_to_end` in the box that the detector
    found; None where there was no box. `overlap` is the IoU of that box with the labelled one, 0 without one.
    `face_sure`: whether the face alone, whatever the colour, is probable enough to be accepted."""

    photo: Path
    label: Label
    found: bool | None
    given_box: DieReading | None
    end_to_end: DieReading | None
    overlap: float | None = None
    face_sure: bool = False

    @property
    def face_right(self) -> bool | None:
        """Given the box; None where the face does not count."""
        return face_right(self.label, self.given_box)

    @property
    def sides_right(self) -> bool | None:
        """Given the box; None where the shape is not labelled."""
        if self.given_box is None or self.label.sides is None or not self.label.is_scored:
            return None
        return self.given_box.sides == self.label.sides

    @property
    def color_right(self) -> bool | None:
        """Given the box; None where the colour is not labelled."""
        if self.given_box is None or self.label.color is None or not self.label.is_scored:
            return None
        return self.given_box.color == self.label.color

    @property
    def named_color_right(self) -> bool | None:
        """As `color_right`, of dice in one of the game's eight colours; read as "other" is wrong."""
        return None if self.label.color == "other" else self.color_right

    @property
    def red_sign_right(self) -> bool | None:
        """Given the box: black or white ink of a red die, which is the sign of its value; None of other dice."""
        return self.ink_right if self.label.color == "red" else None

    @property
    def kind_right(self) -> bool | None:
        """Given the box: the kind of the thirteen, or rightly none of them; None where it is not labelled."""
        if self.sides_right is None or self.color_right is None or self.given_box is None:
            return None
        assert self.label.color is not None
        assert self.label.sides is not None
        kind = kind_of(self.label.color, self.label.sides)
        return self.given_box.kind == (None if kind is None else kind.id)

    @property
    def ink_right(self) -> bool | None:
        """Given the box; None where the ink is not labelled."""
        if self.given_box is None or self.label.ink is None or not self.label.is_scored:
            return None
        return self.given_box.ink == self.label.ink

    @property
    def all_right(self) -> bool | None:
        """Face, and whatever else is labelled, given the box; this is what `confidence` is the probability of."""
        return all_right(self.label, self.given_box)


@dataclass(frozen=True, slots=True)
class PhotoOutcome:
    """One photo. `extra` boxes were found where no die is labelled (None where unlabelled dice may be there).

    `whole_right` is None where a die of the photo has no verified face; it is about the faces alone, `hand_right` about
    all that counts in a game (shape, colour, the ink of red dice) where it is labelled. `silent` says that dice were
    found and every one was accepted. In a photo that shows no die (`is_empty`) whatever is found is wrong: `false_dice`
    is how many were found, `false_accepted` how many of them were accepted.
    """

    photo: Path
    extra: int | None
    whole_right: bool | None
    silent: bool
    error: str | None = None
    hand_right: bool | None = None
    is_empty: bool = False
    false_dice: int = 0
    false_accepted: int = 0


@dataclass(frozen=True, slots=True)
class FolderOutcome:
    """All photos of one folder."""

    name: str
    dice: tuple[DieOutcome, ...]
    photos: tuple[PhotoOutcome, ...]


def face_right(label: Label, reading: DieReading | None) -> bool | None:
    """Whether the face was read right; None where there is no reading or the face does not count."""
    if reading is None or not label.has_face:
        return None
    return reading.face == label.face


def all_right(label: Label, reading: DieReading | None) -> bool | None:
    """Whether the face and whatever else is labelled (shape, colour, ink) was read right; None where the face does not
    count."""
    face = face_right(label, reading)
    if face is None or reading is None:
        return None
    wanted = ((label.sides, reading.sides), (label.color, reading.color), (label.ink, reading.ink))
    return face and all(true is None or true == read for true, read in wanted)


def counts_right(label: Label, reading: DieReading | None) -> bool | None:
    """Whether the die would count as it lies: as `all_right`, but the ink only of red dice, where it is the sign."""
    if label.color not in (None, "red"):
        label = replace(label, ink=None)
    return all_right(label, reading)

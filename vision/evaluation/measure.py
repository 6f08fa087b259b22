"""Runs the models over a folder of labelled photos."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from tablesight.vision.box_overlap import iou
from tablesight.vision.evaluation.box_matching import match_boxes
from tablesight.vision.evaluation.known_hands import ReadsHands, kinds_of_hand
from tablesight.vision.evaluation.labels import LABELS_NAME, Label, LabelError, read_labels
from tablesight.vision.evaluation.outcome import (
    DieOutcome,
    FolderOutcome,
    PhotoOutcome,
    counts_right,
    face_right,
)
from tablesight.vision.frame import ImageBGR
from tablesight.vision.photo import PhotoError, decode_photo
from tablesight.vision.reading import BoxXYXY, DieReading, PhotoReading


class ReadsPhotos(Protocol):
    """What is measured."""

    @property
    def accept_from(self) -> float:
        """The probability from which a die is accepted."""

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        """Finds and reads all dice."""

    def read_boxes(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[DieReading, ...]:
        """Reads the dice in boxes that are given."""


def labelled_folders(folder: Path) -> tuple[Path, ...]:
    """`folder` itself where it has a labels.csv, else the folders in it that have one, by name. Raises `LabelError`."""
    if (folder / LABELS_NAME).is_file():
        return (folder,)
    try:
        inside = tuple(sorted(path for path in folder.iterdir() if (path / LABELS_NAME).is_file()))
    except OSError as error:
        raise LabelError(
            f"expected a folder with {LABELS_NAME} at {folder}, got {error.strerror or error}: check its name"
        ) from error
    if not inside:
        raise LabelError(f"expected {LABELS_NAME} in {folder} or in the folders in it, got none: name another folder")
    return inside


def measure_folder(
    folder: Path, reader: ReadsPhotos, complete_boxes: bool, progress: Callable[[str], None] = lambda _: None
) -> FolderOutcome:
    """Reads every photo that `folder`/labels.csv names, once as it is and once with the labelled boxes given.

    `complete_boxes` says that every die in the photos is labelled, so that a box elsewhere is an error. A reader of
    hands (`ReadsHands`) is told the kinds that lie in a photo, where the labels say them of every die. A photo that
    cannot be read is kept with its error. Raises `LabelError`.
    """
    by_photo: dict[str, list[Label]] = {}
    for label in read_labels(folder):
        by_photo.setdefault(label.file, []).append(label)
    dice: list[DieOutcome] = []
    photos: list[PhotoOutcome] = []
    for number, (file, labels) in enumerate(by_photo.items(), 1):
        progress(f"{folder.name} {number}/{len(by_photo)}")
        path = folder / file
        try:
            image_bgr = decode_photo(path)
        except PhotoError as error:
            photos.append(PhotoOutcome(path, None, None, silent=False, error=str(error)))
            continue
        photo_dice, photo = _measure_photo(path, image_bgr, labels, reader, complete_boxes)
        dice += photo_dice
        photos.append(photo)
    return FolderOutcome(folder.resolve().name, tuple(dice), tuple(photos))


def _check_box(path: Path, label: Label, image_bgr: ImageBGR) -> None:
    """A box may reach beyond its photo a little, where a die is cut off."""
    if label.box_xyxy_px is None:
        return
    height, width = image_bgr.shape[:2]
    x0, y0, x1, y1 = label.box_xyxy_px
    inside_px = max(0.0, min(x1, width) - max(x0, 0)) * max(0.0, min(y1, height) - max(y0, 0))
    if inside_px < 0.25 * (x1 - x0) * (y1 - y0):
        raise LabelError(
            f"expected the box of a die in {path} ({width} x {height} pixels), got {label.box_xyxy_px} in line "
            f"{label.line} of {LABELS_NAME}, mostly outside: measure it in pixels of the photo as a viewer shows it"
        )


def _measure_photo(
    path: Path, image_bgr: ImageBGR, labels: Sequence[Label], reader: ReadsPhotos, complete_boxes: bool
) -> tuple[list[DieOutcome], PhotoOutcome]:
    for label in labels:
        _check_box(path, label, image_bgr)
    hand = None
    if isinstance(reader, ReadsHands) and (hand := kinds_of_hand(labels)):
        reading = reader.read_hand(image_bgr, hand)
    else:
        reading = reader.read(image_bgr)
    if all(label.says_no_die for label in labels):
        return [], PhotoOutcome(
            path,
            extra=None,  # these photos have figures of their own
            whole_right=None,
            silent=False,
            is_empty=True,
            false_dice=len(reading.dice),
            false_accepted=sum(die.accepted for die in reading.dice),
        )
    boxed = [label for label in labels if label.box_xyxy_px is not None]
    boxes = [label.box_xyxy_px for label in boxed if label.box_xyxy_px is not None]
    given = reader.read_boxes(image_bgr, boxes)
    match = match_boxes(boxes, [die.box_xyxy_px for die in reading.dice])
    found = {i: reading.dice[j] for i, j in match.pairs}
    dice = [
        DieOutcome(
            path,
            label,
            label_found(label, i in found),
            given[i],
            found.get(i),
            iou(boxes[i], found[i].box_xyxy_px) if i in found else 0.0,
            face_sure=_face_p(given[i]) >= reader.accept_from,
        )
        for i, label in enumerate(boxed)
    ]
    dice += [DieOutcome(path, label, None, None, None) for label in labels if label.box_xyxy_px is None]
    # where a die has no box, a box without a die proves nothing
    extra = len(match.extra) if complete_boxes and len(boxed) == len(labels) else None
    return dice, PhotoOutcome(
        path,
        extra=extra,
        whole_right=_whole(dice, extra, face_right),
        # of a hand that is known a missing die is asked for
        silent=bool(reading.dice)
        and all(die.accepted for die in reading.dice)
        and (not hand or len(hand) == len(reading.dice)),
        hand_right=_whole(dice, extra, counts_right),
    )


def _face_p(reading: DieReading) -> float:
    """How probable the face is that was read, whatever colour and kind the die may have."""
    return sum(candidate.p for candidate in reading.candidates if candidate.face == reading.face)


def label_found(label: Label, found: bool) -> bool | None:
    """Whether the die was found; None for a d10 or another shape, which is no miss."""
    return found if label.is_scored else None


def _whole(
    dice: Sequence[DieOutcome], extra: int | None, right: Callable[[Label, DieReading | None], bool | None]
) -> bool | None:
    """Whether every die was found and right, and nothing else was found; None where a die's face does not count."""
    if not dice or any(die.found is None or not die.label.has_face for die in dice):
        return None
    return not extra and all(right(die.label, die.end_to_end) is True for die in dice)

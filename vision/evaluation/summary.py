"""The figures of one folder, or of several pooled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablesight.vision.evaluation.box_matching import IOU_THRESHOLD
from tablesight.vision.evaluation.calibration import (
    ConfidenceBin,
    CoveragePoint,
    coverage_curve,
    expected_calibration_error,
    reliability,
)
from tablesight.vision.evaluation.outcome import DieOutcome, FolderOutcome, PhotoOutcome, face_right
from tablesight.vision.evaluation.rate import Rate


@dataclass(frozen=True, slots=True)
class Summary:
    """Rates over the rows that count for each; those of nothing print as "-".

    `named_color` is about dice in one of the game's eight colours, `red_sign` about the ink of red ones.
    `precision` counts only photos whose boxes are complete. `face` to `ink` are given the box, `end_to_end` is the face
    in the box that the detector found, a die not found being wrong. `accepted` is the share read without asking,
    `face_sure` the share that would be if the colour were known; `face_sure_wrong`, `accepted_face_wrong` and
    `accepted_wrong` (anything labelled) are shares of the accepted. `tight` is the share of the boxes that were found
    with an IoU of a half. `whole_photo` is about faces alone, the `hand` rates about what counts in a game; silent is a
    photo in which no die would be asked about. `empty_clean` is the share of the photos without dice in which nothing
    was found, `empty_accepted` of those in which something was even accepted; `false_dice` and `false_accepted` count
    what was found and accepted there.
    """

    name: str
    photos: int
    unreadable: int
    recall: Rate
    tight: Rate
    precision: Rate
    face: Rate
    sides: Rate
    color: Rate
    named_color: Rate
    red_sign: Rate
    kind: Rate
    ink: Rate
    end_to_end: Rate
    whole_photo: Rate
    whole_photo_silent_wrong: Rate
    hand: Rate
    hand_silent_right: Rate
    hand_silent_wrong: Rate
    empty_clean: Rate
    empty_accepted: Rate
    false_dice: int
    false_accepted: int
    accepted: Rate
    face_sure: Rate
    face_sure_wrong: Rate
    accepted_face_wrong: Rate
    accepted_wrong: Rate
    ece: float | None
    reliability: tuple[ConfidenceBin, ...]
    curve: tuple[CoveragePoint, ...]
    face_curve: tuple[CoveragePoint, ...]
    confusions: tuple[tuple[int, int, int], ...]
    """(true face, face read, how often), the most frequent first."""

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON."""
        rates = {name: getattr(self, name).to_json() for name in RATE_NAMES}
        return {
            "name": self.name,
            "photos": self.photos,
            "unreadable": self.unreadable,
            **rates,
            "false_dice": self.false_dice,
            "false_accepted": self.false_accepted,
            "ece": None if self.ece is None else round(self.ece, 5),
            "reliability": [group.to_json() for group in self.reliability],
            "curve": [point.to_json() for point in self.curve],
            "face_curve": [point.to_json() for point in self.face_curve],
            "confusions": [{"true": true, "read": read, "count": count} for true, read, count in self.confusions],
        }


RATE_NAMES = (
    "recall", "tight", "precision", "face", "sides", "color", "named_color", "red_sign", "kind", "ink", "end_to_end",
    "whole_photo", "whole_photo_silent_wrong", "hand", "hand_silent_right", "hand_silent_wrong", "empty_clean",
    "empty_accepted", "accepted", "face_sure", "face_sure_wrong", "accepted_face_wrong", "accepted_wrong",
)  # fmt: skip


def summarize(name: str, folders: Sequence[FolderOutcome]) -> Summary:
    """The figures of these folders together."""
    dice = [die for folder in folders for die in folder.dice]
    photos = [photo for folder in folders for photo in folder.photos]
    return _summary(name, dice, photos)


def summarize_by(folders: Sequence[FolderOutcome], key: Callable[[DieOutcome], str | None]) -> Mapping[str, Summary]:
    """The figures by some property of the labelled dice, such as their shape; photos and precision are left out."""
    groups: dict[str, list[DieOutcome]] = {}
    for folder in folders:
        for die in folder.dice:
            group = key(die)
            if group is not None:
                groups.setdefault(group, []).append(die)
    return {name: _summary(name, groups[name], []) for name in sorted(groups)}


def by_sides(die: DieOutcome) -> str | None:
    """Groups by the labelled shape."""
    return f"d{die.label.sides:02d}" if die.label.sides is not None and die.label.is_scored else None


def by_color(die: DieOutcome) -> str | None:
    """Groups by the labelled colour of the body: of red dice the ink is the sign of the value."""
    return die.label.color if die.label.is_scored else None


def by_kind(die: DieOutcome) -> str | None:
    """Groups by the labelled colour and shape."""
    if die.label.color is None or die.label.sides is None or not die.label.is_scored:
        return None
    return f"{die.label.color}-d{die.label.sides}"


def _summary(name: str, dice: Sequence[DieOutcome], photos: Sequence[PhotoOutcome]) -> Summary:
    faces = [die for die in dice if die.face_right is not None and die.given_box is not None]
    confidences = [die.given_box.confidence for die in faces if die.given_box is not None]
    all_right = list(zip(confidences, (die.all_right is True for die in faces), strict=True))
    right_faces = list(zip(confidences, (die.face_right is True for die in faces), strict=True))
    accepted = [die for die in faces if die.given_box is not None and die.given_box.accepted]
    complete = {photo.photo for photo in photos if photo.extra is not None}
    hits = sum(die.found is True for die in dice if die.photo in complete)
    extra = sum(photo.extra or 0 for photo in photos)
    return Summary(
        name=name,
        photos=len(photos),
        unreadable=sum(photo.error is not None for photo in photos),
        recall=Rate.count(die.found for die in dice),
        tight=Rate.count(None if die.found is None else (die.overlap or 0.0) >= IOU_THRESHOLD for die in dice),
        precision=Rate(hits, hits + extra),
        face=Rate.count(die.face_right for die in dice),
        sides=Rate.count(die.sides_right for die in dice),
        color=Rate.count(die.color_right for die in dice),
        named_color=Rate.count(die.named_color_right for die in dice),
        red_sign=Rate.count(die.red_sign_right for die in dice),
        kind=Rate.count(die.kind_right for die in dice),
        ink=Rate.count(die.ink_right for die in dice),
        end_to_end=Rate.count(_end_to_end(die) for die in dice),
        whole_photo=Rate.count(photo.whole_right for photo in photos),
        whole_photo_silent_wrong=Rate.count(
            None if photo.whole_right is None else photo.silent and not photo.whole_right for photo in photos
        ),
        hand=Rate.count(photo.hand_right for photo in photos),
        hand_silent_right=Rate.count(_silently(photo, True) for photo in photos),
        hand_silent_wrong=Rate.count(_silently(photo, False) for photo in photos),
        empty_clean=Rate.count(photo.false_dice == 0 for photo in photos if photo.is_empty),
        empty_accepted=Rate.count(photo.false_accepted > 0 for photo in photos if photo.is_empty),
        false_dice=sum(photo.false_dice for photo in photos),
        false_accepted=sum(photo.false_accepted for photo in photos),
        accepted=Rate(len(accepted), len(faces)),
        face_sure=Rate.count(die.face_sure for die in faces),
        face_sure_wrong=Rate.count(die.face_right is False for die in faces if die.face_sure),
        accepted_face_wrong=Rate.count(die.face_right is False for die in accepted),
        accepted_wrong=Rate.count(die.all_right is False for die in accepted),
        ece=expected_calibration_error(all_right),
        reliability=reliability(all_right),
        curve=coverage_curve(all_right),
        face_curve=coverage_curve(right_faces),
        confusions=_confusions(faces),
    )


def _silently(photo: PhotoOutcome, right: bool) -> bool | None:
    """Whether the photo was read without a question and is as right as that; None where it does not count."""
    return None if photo.hand_right is None else photo.silent and photo.hand_right is right


def _end_to_end(die: DieOutcome) -> bool | None:
    if die.found is None or not die.label.has_face:
        return None
    return die.found and face_right(die.label, die.end_to_end) is True


def _confusions(faces: Sequence[DieOutcome]) -> tuple[tuple[int, int, int], ...]:
    wrong = Counter(
        (die.label.face, die.given_box.face)
        for die in faces
        if die.label.face is not None and die.given_box is not None and not die.face_right
    )
    return tuple((true, read, count) for (true, read), count in sorted(wrong.items(), key=lambda x: (-x[1], x[0])))

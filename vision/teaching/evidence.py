"""What taught dice say about a die that is seen: bounded likelihood ratios for its kind, its number and its ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from tablesight.vision.kinds import COLORS, INKS, KINDS
from tablesight.vision.posterior import SHAPES, DiePosterior
from tablesight.vision.teaching.body_color import BodyColor
from tablesight.vision.teaching.feature_tap import Features

Weights = npt.NDArray[np.float64]
_PLACES: Final = {kind.id: (COLORS.index(kind.color), SHAPES.index(kind.sides)) for kind in KINDS.values()}
_IS_KIND: Final = np.zeros((len(COLORS), len(SHAPES)), bool)
for _place in _PLACES.values():
    _IS_KIND[_place] = True
_BLACK: Final = INKS.index("black")
_WHITE: Final = INKS.index("white")


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """`color_spread`: how far the body of one die wanders between pictures (lamp, shadow, white balance), in units of
    `body_color`. `unlike`: the likelihood of a body colour that nobody taught, against 1 for exactly a taught one; 1
    over it bounds how much a colour can say, and a die unlike all taught ones is left as it was read. `face_ratio` and
    `ink_ratio`: what a print that looks just like a taught one says for its number, and a taught red face for its ink.

    Chosen on drawn sets (`tablesight.vision.evaluation.taught_dice`), where 8 to 20 for the spread and 0.02 to 0.05 for
    `unlike` differ little: a reading that is sure of something else stays what it is, it only becomes a question.
    """

    color_spread: float = 12.0
    unlike: float = 0.05
    face_ratio: float = 10.0
    ink_ratio: float = 10.0
    least_alike: float = 0.9
    """Two prints whose features have a smaller cosine than this are never taken for the same ..."""
    most_confused: float = 0.99
    """... nor with a smaller one than this share of the pairs of different numbers among the taught dice has."""
    least_pairs: int = 20
    """With fewer such pairs it is not known how alike different numbers look: the prints then say nothing."""
    likely: float = 0.2
    """Prints are compared with those of the kinds that the die is with at least this probability."""


SETTINGS: Final = EvidenceSettings()


@dataclass(frozen=True, slots=True)
class TaughtLook:
    """One taught die: what it is (a red die's value is negative where its number is black), its `body` (7,), and the
    features (D,) of its upright top face where the model gives them."""

    kind: str
    value: int
    body: BodyColor
    face_features: Features | None = None


class TaughtEvidence:
    """Weighs readings by what was taught. Immutable; cheap."""

    def __init__(self, looks: Sequence[TaughtLook], settings: EvidenceSettings = SETTINGS) -> None:
        if not looks:
            raise ValueError("expected at least one taught die, got none")
        self._settings = settings
        self._bodies = np.stack([look.body for look in looks])
        self._kinds = np.array([look.kind for look in looks])
        self._faces = np.array([abs(look.value) for look in looks])
        self._blacks: dict[tuple[str, int], set[bool]] = {}
        for look in looks:
            if KINDS[look.kind].color == "red":
                self._blacks.setdefault((look.kind, abs(look.value)), set()).add(look.value < 0)
        printed = [(place, look.face_features) for place, look in enumerate(looks) if look.face_features is not None]
        self._printed = np.array([place for place, _ in printed], int)
        self._prints = _unit(np.stack([features for _, features in printed])) if printed else None
        self.alike = self._confusion()

    def _confusion(self) -> float | None:
        """From which cosine on two prints are taken for the same; None where that cannot be told."""
        if self._prints is None:
            return None
        cosines = self._prints @ self._prints.T
        kinds, faces = self._kinds[self._printed], self._faces[self._printed]
        different = (kinds[:, None] == kinds) & (faces[:, None] != faces)
        pairs = cosines[np.triu(different, 1)]
        if len(pairs) < self._settings.least_pairs:
            return None
        return max(self._settings.least_alike, float(np.quantile(pairs, self._settings.most_confused)))

    def weighed(self, posterior: DiePosterior, body: BodyColor, face_features: Features | None = None) -> DiePosterior:
        """The posterior of a die with this `body` (7,) and these features (D,) of its top face, weighed."""
        posterior = self._kind(posterior, body)
        if face_features is not None:
            posterior = self._face(posterior, face_features)
        return self._ink(posterior)

    def _kind(self, posterior: DiePosterior, body: BodyColor) -> DiePosterior:
        distances = ((self._bodies - body) ** 2).sum(1) / self._settings.color_spread**2
        near = {str(kind): float(np.exp(-distances[self._kinds == kind].min() / 2)) for kind in set(self._kinds)}
        unlike = self._settings.unlike
        highest = max(near.values()) + unlike
        before = posterior.colors[:, None] * posterior.shapes[None]
        weights = np.where(_IS_KIND, unlike / highest, 1.0)
        for kind, likelihood in near.items():
            weights[_PLACES[kind]] = (likelihood + unlike) / highest
        joint = before * weights
        fits = float(joint[_IS_KIND].sum()) / max(float(before[_IS_KIND].sum()), 1e-12)
        # the colour tells which of the kinds it is, not that it is one of them: a foreign die may have the same
        joint[_IS_KIND] /= max(fits, 1e-12)
        joint /= joint.sum()
        return replace(posterior, colors=joint.sum(1), shapes=joint.sum(0))

    def _face(self, posterior: DiePosterior, face_features: Features) -> DiePosterior:
        if self._prints is None or self.alike is None:
            return posterior
        cosines = self._prints @ _unit(face_features)
        kinds = posterior.kinds()
        faces = posterior.faces.copy()
        for row, sides in enumerate(SHAPES):
            same = [
                (float(cosines[number]), int(self._faces[self._printed[number]]))
                for number in np.flatnonzero(cosines >= self.alike)
                if KINDS[kind := str(self._kinds[self._printed[number]])].sides == sides
                and kinds[kind] >= self._settings.likely
            ]
            if same:
                faces[row, max(same)[1] - 1] *= self._settings.face_ratio
                faces[row] /= faces[row].sum()
        return replace(posterior, faces=faces)

    def _ink(self, posterior: DiePosterior) -> DiePosterior:
        """On a red die the face decides the ink, and it is the same on all dice of a kind."""
        kinds = posterior.kinds()
        kind = max((kind for kind in KINDS if KINDS[kind].color == "red"), key=lambda kind: kinds[kind])
        if kinds[kind] < self._settings.likely:
            return posterior
        face = int(np.argmax(posterior.faces[SHAPES.index(KINDS[kind].sides)])) + 1
        told = self._blacks.get((kind, face), set())
        if len(told) != 1:
            return posterior
        inks = posterior.inks.copy()
        inks[_BLACK if True in told else _WHITE] *= self._settings.ink_ratio
        return replace(posterior, inks=inks / inks.sum())


def _unit(features: npt.NDArray[np.float32]) -> Weights:
    lengths = np.linalg.norm(features, axis=-1, keepdims=True)
    return np.asarray(features / np.maximum(lengths, 1e-9), np.float64)

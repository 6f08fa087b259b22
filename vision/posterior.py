"""What is known of one die after looking: a probability for each colour, shape, face and ink."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from tablesight.vision.explanations import KIND_IDS, best_explanations, kind_probabilities
from tablesight.vision.explanations import SHAPES as SHAPES  # everybody takes it from here
from tablesight.vision.kinds import COLORS, INKS, KINDS, SIDES, kind_of
from tablesight.vision.reading import BoxXYXY, Candidate, DieReading

Probabilities = npt.NDArray[np.float64]
SURELY_A_DIE: Final = 0.95
"""98 % of the held-out rendered dice that are accepted are above it, and 2 % of the other things that the detector
takes for dice in held-out drawn pictures: print read as a clear die is what it keeps out."""
_INK_VOTE: Final = 0.35
"""How much the ink has to say on blue against glitter: of 1,096 held-out crops of the two, eight instead of twelve are
then taken for the other one; as a full vote, it would make mistakes surer that the two share."""


@dataclass(frozen=True, slots=True)
class DiePosterior:
    """Each array sums to 1: `colors` (9,) in the order of `COLORS`, `shapes` (5,) of `SHAPES`, `faces` (5, 20) given
    each shape, `inks` (4,) of `INKS`, `pips` the probability of a pip print. `flatness` is the shorter over the longer
    axis of the ellipse as which a circle on the top face is seen, `level` how well the tilt from which the die seems to
    be seen fits the one from which a level die there is seen, 0 to 1; None where that is not known. `die` is the
    probability that it is a die at all, for which dice and what is taken for them are equally frequent."""

    colors: Probabilities
    shapes: Probabilities
    faces: Probabilities
    inks: Probabilities
    pips: float
    flatness: float | None = None
    level: float | None = None
    die: float = 1.0

    def tempered(self, temperatures: Mapping[str, float]) -> DiePosterior:
        """The same with each head's probabilities raised to 1 / temperature ("color", "shape", "face", "ink") and
        renormalised, so that they say how often they are right (Guo et al. 2017)."""

        def cooled(p: Probabilities, head: str) -> Probabilities:
            powered = np.power(np.maximum(p, 1e-12), 1 / temperatures.get(head, 1.0)) * (p > 0)
            return np.asarray(powered / powered.sum(-1, keepdims=True))

        return replace(
            self, colors=cooled(self.colors, "color"), shapes=cooled(self.shapes, "shape"),
            faces=cooled(self.faces, "face"), inks=cooled(self.inks, "ink"),
        )  # fmt: skip

    def kinds(self) -> Mapping[str, float]:
        """Probability of each of the thirteen kinds (they need not add up to 1)."""
        return dict(zip(KIND_IDS, kind_probabilities(self.colors, self.shapes).tolist(), strict=True))

    def told_by_ink(self) -> DiePosterior:
        """The same with blue and glitter weighed by the ink: blue dice with gold numbers are glitter dice. The colour
        is read from the whole die, the ink from the face turned upright, where small numbers are larger."""
        blue, glitter = COLORS.index("blue"), COLORS.index("glitter")
        gold = float(np.clip(self.inks[INKS.index("gold")], 1e-4, 1 - 1e-4))
        colors = self.colors.copy()
        colors[glitter] *= (gold / (1 - gold)) ** _INK_VOTE
        both = self.colors[blue] + self.colors[glitter]
        colors[[blue, glitter]] *= both / max(1e-12, colors[blue] + colors[glitter])
        return replace(self, colors=colors)

    def fainter(self, share: float) -> DiePosterior:
        """The same with this share of the belief in the faces given to any face alike."""
        if not share:
            return self
        any_face = (self.faces > 0) / np.maximum(1, (self.faces > 0).sum(1, keepdims=True))
        return replace(self, faces=(1 - share) * self.faces + share * any_face)

    def black_share(self) -> float:
        """Probability that the ink is black, knowing that it is black or white."""
        black, white = self.inks[INKS.index("black")], self.inks[INKS.index("white")]
        return float(black / max(1e-9, black + white))

    def candidates(self, kind_weights: Mapping[str, float] | None = None, count: int = 6) -> tuple[Candidate, ...]:
        """The most probable (kind, face, value), best first.

        With `kind_weights` (kind id -> weight, for example the hand expected) only those kinds are considered and the
        probabilities are renormalised over them.
        """
        return best_explanations(self.colors, self.shapes, self.faces, self.black_share(), kind_weights, count)

    def reading(
        self, box_xyxy_px: BoxXYXY, accept_from: float, kind_weights: Mapping[str, float] | None = None
    ) -> DieReading:
        """The reading of a die; accepted when the best candidate has at least the probability `accept_from`, and, where
        nothing is expected, it surely is a die."""
        candidates = self.candidates(kind_weights)
        best = candidates[0]
        if best.kind is not None:
            kind = KINDS[best.kind]
            color, sides = kind.color, kind.sides
        else:
            allowed = [
                (c, s) for c, color in enumerate(COLORS) for s, n in enumerate(SHAPES) if kind_of(color, n) is None
            ]
            c, s = max(
                allowed, key=lambda cs: self.colors[cs[0]] * self.shapes[cs[1]] * self.faces[cs[1], best.face - 1]
            )
            color, sides = COLORS[c], SHAPES[s]
        ink = INKS[int(np.argmax(self.inks))]
        if color == "red":
            ink = "black" if best.value < 0 else "white"
        return DieReading(
            box_xyxy_px=box_xyxy_px,
            kind=best.kind,
            color=color,
            sides=sides,
            marking="pips" if self.pips > 0.5 and sides == 6 else "numeral",
            ink=ink,
            face=best.face,
            value=best.value,
            confidence=best.p,
            accepted=best.p >= accept_from
            and sides in SIDES
            and (kind_weights is not None or self.die >= SURELY_A_DIE),
            candidates=candidates,
        )


def mean_posterior(posteriors: Sequence[DiePosterior], weights: Sequence[float] | None = None) -> DiePosterior:
    """The average over several looks at the same die, each with its weight."""
    share = np.ones(len(posteriors)) if weights is None else np.array(weights, float)
    share = share / share.sum()
    by_shape = np.array([p.shapes for p in posteriors]) * share[:, None]
    weight = by_shape[:, :, None] + 1e-9
    return DiePosterior(
        share @ np.array([p.colors for p in posteriors]),
        by_shape.sum(0),
        (np.array([p.faces for p in posteriors]) * weight).sum(0) / weight.sum(0),
        share @ np.array([p.inks for p in posteriors]),
        float(share @ np.array([p.pips for p in posteriors])),
        die=float(share @ np.array([p.die for p in posteriors])),
    )

"""The most probable explanation of all dice of a hand together, given which kinds the hand should hold.

The kinds of a hand are known up to dice just drafted (`newcomers`) and trades. Each seen die is one of the expected
kinds, each of those at most as often as it is expected, or a newcomer. The sum over all such explanations is computed
exactly, by a forward and a backward pass over the dice; the state is how many dice of each kind are still to come.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from tablesight.vision.explanations import KIND_IDS, kind_probabilities
from tablesight.vision.kinds import INKS
from tablesight.vision.posterior import SHAPES, SURELY_A_DIE, DiePosterior
from tablesight.vision.reading import BoxXYXY, DieReading

Weights = npt.NDArray[np.float64]

_BLUE: Final = "blue-d6"
_GLITTER: Final = "glitter-d6"
MAX_DICE: Final = 16
"""Larger hands are read die by die: the sum grows with the number of subsets of a hand."""


@dataclass(frozen=True, slots=True)
class DecoderSettings:
    """Probabilities, each for one die: `swapped` that an expected die was traded for one that nobody told of;
    `missing` that an expected die is not seen; `extra` that something seen does not belong to the hand; `stray` that a
    newcomer is of any kind at all, whatever is told of newcomers. `slip`: the share of readings that are wrong beyond
    what they admit. `contradiction`: a reading at least this sure by itself is never changed silently."""

    swapped: float = 0.02
    stray: float = 0.05
    missing: float = 0.01
    extra: float = 0.005
    slip: float = 0.002
    contradiction: float = 0.8
    accept_from: float = 0.9
    """From this probability on a die of a decoded hand is accepted; one read by itself has the models' own. Measured
    on simulated tables (the dice of `tablesight.vision.evaluation.simulated_hands --tables 250 --looks 1`, the hand
    known, with `--options seed=19100,lamp=hard,shake=5` and `seed=29500,shake=5,rounding=0.3`): of 11,993 dice one in
    162 is asked about and none of the others is wrong; with 0.85 one in 167, with 0.95 one in 136, with 0.99 one in 45.
    It is not 0.85, as it was, since a game had one at 0.88 that was wrong."""
    turned: float = 0.005
    """... and a 6 or 9 of a die that has both only where the other one of the two has less than this share of what both
    have: turned by half, each is the other, and under a hard lamp some nines are taken for sixes with 0.97."""
    alike: float = 0.01
    """... and a newcomer that is a blue d6 only where glitter has less than this share of the two, for a mistake of
    kind stays in the hand, and glitter 45 px wide under a hard lamp is taken for blue; a simulated game of ten players
    had five silently wrong hands without this. `gilded`: nor where its number is gold with this probability (another
    game had one at 0.18); of 586 held-out blue d6 one is asked about for it that would not be with 0.2."""
    gilded: float = 0.1
    unlike: float = 0.05
    """... and one that is a glitter d6 where blue has less than this share and its number rather is gold than not: of
    267 held-out blue d6 none passes for glitter so, even where blue may have 0.3."""


SETTINGS: Final = DecoderSettings()


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a hand should hold: `kinds` (each as often as it is there) and `newcomers`, dice of any kind besides or (by
    a trade) instead. `count` is how many dice lie there together, where that is known; else all of both. `of_new` says
    how probable it is of each kind that a newcomer is one, in any unit; where it is empty all are alike."""

    kinds: tuple[str, ...]
    newcomers: int = 0
    count: int | None = None
    of_new: Mapping[str, float] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many dice should lie there."""
        return len(self.kinds) + self.newcomers if self.count is None else self.count

    def new_kinds(self, stray: float) -> Weights:
        """The probability of each of the thirteen kinds for a newcomer, (13,); `stray` of it is for any kind alike."""
        told = np.array([max(0.0, self.of_new.get(kind, 0.0)) for kind in KIND_IDS])
        any_kind = np.full(len(KIND_IDS), 1 / len(KIND_IDS))
        return any_kind if not told.any() else (1 - stray) * told / told.sum() + stray * any_kind


@dataclass(frozen=True, slots=True)
class HandReading:
    """A hand: its dice in the order given, the probability that every kind and value is right, the expected kinds that
    were not seen (or were traded away), which dice (indices) nobody expected, and how many dice are not seen."""

    dice: tuple[DieReading, ...]
    probability: float
    missing: tuple[str, ...]
    unexpected: tuple[int, ...]
    unseen: int = 0


def decode_hand(
    posteriors: Sequence[DiePosterior],
    boxes_xyxy_px: Sequence[BoxXYXY],
    expected: Expectation | None,
    accept_from: float,
    settings: DecoderSettings = SETTINGS,
) -> HandReading:
    """Read the dice of one hand together; die by die where nothing is expected (or the hand is too large).

    A die is accepted when its best explanation has at least the probability `accept_from` (of a kind that is expected,
    that of the settings: a newcomer must be as sure as a die by itself) and does not contradict what it looks like by
    itself: a sure reading of something that the hand should not hold becomes a doubt.
    """
    unseen = 0 if expected is None else max(0, expected.total - len(posteriors))
    if expected is None or not posteriors or max(len(posteriors), len(expected.kinds)) > MAX_DICE:
        alone = [
            _upright(p.reading(box, accept_from), p, settings) for p, box in zip(posteriors, boxes_xyxy_px, strict=True)
        ]
        missing = () if expected is None else tuple((Counter(expected.kinds) - Counter(_kinds(alone))).elements())
        return HandReading(tuple(alone), math.prod(die.confidence for die in alone), missing, (), unseen)
    table = np.array([_kind_row(p, settings) for p in posteriors])
    shares, total = _Sum(table, expected, settings).marginals()
    chosen = [KIND_IDS[int(k)] for k in np.argmax(shares, axis=1)]
    left = Counter(expected.kinds) - Counter(chosen)
    spare = Counter(chosen) - Counter(expected.kinds)
    unexpected = _unexpected(chosen, spare, expected.newcomers)
    is_whole = len(posteriors) == expected.total
    dice: list[DieReading] = []
    for index, (posterior, box) in enumerate(zip(posteriors, boxes_xyxy_px, strict=True)):
        raw = kind_probabilities(posterior.colors, posterior.shapes)
        fits = raw > 1e-9
        if float(shares[index][fits].sum()) < 0.5:  # nothing that it looks like fits into the hand
            dice.append(_doubted(posterior.reading(box, accept_from)))
            continue
        weights = {kind: float(shares[index, k] / raw[k]) for k, kind in enumerate(KIND_IDS) if fits[k]}
        die = _upright(posterior.reading(box, settings.accept_from, weights), posterior, settings)
        is_new = bool(spare[die.kind or ""])
        if (
            index in unexpected
            or _overrules(die, posterior, settings)
            or (is_new and not _is_sure_newcomer(die, posterior, expected, is_whole, accept_from, settings))
        ):
            die = _doubted(die)
        dice.append(die)
    # the probability of the whole hand: that the kinds are these, times that each value is right given its kind
    of_kinds = _weight(table, chosen, expected, settings) / total
    of_values = math.prod(
        [
            die.confidence / max(float(shares[i, KIND_IDS.index(die.kind)]), 1e-9) if die.kind else die.confidence
            for i, die in enumerate(dice)
        ]
    )
    missing = tuple(left.elements()) if unseen else ()
    return HandReading(tuple(dice), min(1.0, of_kinds * of_values), missing, unexpected, unseen)


def _kinds(dice: Sequence[DieReading]) -> list[str]:
    return [die.kind for die in dice if die.kind is not None]


def _kind_row(posterior: DiePosterior, settings: DecoderSettings) -> Weights:
    """How well each of the thirteen kinds explains what is seen, (13,)."""
    kinds = kind_probabilities(posterior.colors, posterior.shapes)
    return np.asarray((1 - settings.slip) * kinds + settings.slip / len(KIND_IDS))


def _overrules(together: DieReading, posterior: DiePosterior, settings: DecoderSettings) -> bool:
    """Whether the hand has made something else of a die that is sure by itself.

    One of a colour that dice of this shape do not have, with the same face, is not overruled: no such die is there.
    """
    alone = posterior.candidates(count=1)[0]
    if alone.p < settings.contradiction or (together.kind, together.value) == (alone.kind, alone.value):
        return False
    if alone.kind is not None:
        return True
    strange = posterior.reading(together.box_xyxy_px, settings.accept_from)
    return (together.sides, together.face) != (strange.sides, strange.face)


def _is_sure_newcomer(
    die: DieReading,
    posterior: DiePosterior,
    expected: Expectation,
    is_whole: bool,
    accept_from: float,
    settings: DecoderSettings,
) -> bool:
    """Whether a die that the hand did not hold before may be taken: it must be as sure as a die by itself, and be one.

    Where just as many dice are seen as should lie there (`is_whole`), something that is none takes the place of a die
    that is not seen: both must have happened, and that seldom has.
    """
    is_die = 1.0
    if is_whole:
        none = (1 - posterior.die) * settings.extra * settings.missing * expected.total
        is_die = posterior.die / max(posterior.die + none, 1e-12)
    elif posterior.die < SURELY_A_DIE:
        return False
    return die.confidence * is_die >= accept_from and not _may_glitter(die, posterior, expected, settings)


def _may_glitter(die: DieReading, posterior: DiePosterior, expected: Expectation, settings: DecoderSettings) -> bool:
    """Whether a blue d6 may be a glitter one, or the other way round."""
    if die.kind not in (_BLUE, _GLITTER):
        return False
    likely = kind_probabilities(posterior.colors, posterior.shapes) * expected.new_kinds(settings.stray)
    both = {kind: float(likely[KIND_IDS.index(kind)]) for kind in (_BLUE, _GLITTER)}
    gold = float(posterior.inks[INKS.index("gold")])
    other = 1.0 - both[die.kind] / max(sum(both.values()), 1e-12)
    if die.kind == _BLUE:
        return other >= settings.alike or gold >= settings.gilded
    return other >= settings.unlike or gold < 0.5


def _upright(die: DieReading, posterior: DiePosterior, settings: DecoderSettings) -> DieReading:
    """Takes the acceptance away from a 6 or 9 that may stand on its head."""
    if die.sides < 9 or die.face not in (6, 9):
        return die
    faces = posterior.faces[SHAPES.index(die.sides)]
    turned = faces[14 - die.face] > settings.turned * (faces[5] + faces[8])
    return _doubted(die) if turned else die


def _doubted(die: DieReading) -> DieReading:
    return DieReading(
        die.box_xyxy_px, die.kind, die.color, die.sides, die.marking, die.ink, die.face, die.value, die.confidence,
        False, die.candidates,
    )  # fmt: skip


def _unexpected(chosen: Sequence[str], spare: Counter[str], newcomers: int) -> tuple[int, ...]:
    """Dice whose kind the hand should not hold (so often), beyond the newcomers: all of that kind, for which of them
    does not belong there cannot be told."""
    if spare.total() <= newcomers:
        return ()
    return tuple(i for i, kind in enumerate(chosen) if spare[kind])


def _end_weight(left: int, new: int, expected: Expectation, settings: DecoderSettings) -> float:
    """How probable it is that `left` expected dice were not seen and `new` dice are none of the expected ones."""
    seen = len(expected.kinds) - left + new
    missing, extra = max(0, expected.total - seen), max(0, seen - expected.total)
    swapped = max(0, new - expected.newcomers - extra)
    return float(settings.swapped**swapped * settings.missing**missing * settings.extra**extra)


def _weight(table: Weights, chosen: Sequence[str], expected: Expectation, settings: DecoderSettings) -> float:
    """The weight of the explanations in which the dice are of these kinds."""
    left = Counter(expected.kinds)
    of_new = expected.new_kinds(settings.stray)
    weight, new = 1.0, 0
    for row, kind in zip(table, chosen, strict=True):
        weight *= float(row[KIND_IDS.index(kind)])
        if left[kind] > 0:
            left[kind] -= 1
        else:
            new += 1
            weight *= float(of_new[KIND_IDS.index(kind)])
    return weight * _end_weight(left.total(), new, expected, settings)


class _Sum:
    """The sum over all explanations. `table` (dice, 13) says how well each kind explains each die."""

    def __init__(self, table: Weights, expected: Expectation, settings: DecoderSettings) -> None:
        self._table = table
        self._of_new = table * expected.new_kinds(settings.stray)
        counts = Counter(expected.kinds)
        # one die of an expected kind: from the states in which there are more of it to come to those with one less
        self._moves = [
            (KIND_IDS.index(kind), _slice(axis, 1, None), _slice(axis, None, -1)) for axis, kind in enumerate(counts, 1)
        ]
        # axis 0: newcomers so far; the others: dice of each expected kind still to come
        self._shape = (len(table) + 1, *(count + 1 for count in counts.values()))
        new, *still_to_come = np.indices(self._shape)
        left = np.add.reduce(still_to_come) if still_to_come else np.zeros_like(new)
        ends = [
            [_end_weight(n, m, expected, settings) for m in range(len(table) + 1)] for n in range(counts.total() + 1)
        ]
        self._end = np.array(ends)[left, new]

    def marginals(self) -> tuple[Weights, float]:
        """The probability of each kind for each die, (dice, 13), and the weight of all explanations."""
        dice = len(self._table)
        start = np.zeros(self._shape)
        start[(0, *(size - 1 for size in self._shape[1:]))] = 1.0
        forward = [start]
        for i in range(dice - 1):
            forward.append(self._after(forward[i], i))
        backward = self._end
        shares = np.zeros((dice, len(KIND_IDS)))
        total = 0.0
        for i in range(dice - 1, -1, -1):
            new = float((forward[i][:-1] * backward[1:]).sum()) * self._newcomer(i)
            for kind, more, less in self._moves:
                shares[i, kind] = float((forward[i][more] * backward[less]).sum()) * self._table[i, kind]
            total = float(shares[i].sum()) + new
            shares[i] += new * self._of_new[i] / self._of_new[i].sum()
            backward = self._before(backward, i)
        return shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300), total

    def _after(self, before: Weights, die: int) -> Weights:
        """The weights of the states after a die, from those before it."""
        after = np.zeros_like(before)
        after[1:] = before[:-1] * self._newcomer(die)
        for kind, more, less in self._moves:
            after[less] += before[more] * self._table[die, kind]
        return after

    def _before(self, after: Weights, die: int) -> Weights:
        """The sum over all continuations from the state before a die, from those after it."""
        before = np.zeros_like(after)
        before[:-1] = after[1:] * self._newcomer(die)
        for kind, more, less in self._moves:
            before[more] += after[less] * self._table[die, kind]
        return before

    def _newcomer(self, die: int) -> float:
        """How well a newcomer explains what is seen."""
        return float(self._of_new[die].sum())


def _slice(axis: int, start: int | None, stop: int | None) -> tuple[slice, ...]:
    return (*[slice(None)] * axis, slice(start, stop))

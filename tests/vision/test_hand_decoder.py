"""The hand decoder: exact sums, knowledge that helps, and never a silent change of a sure reading."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablesight.vision.hand_decoder import SETTINGS, Expectation, _end_weight, _kind_row, _Sum, decode_hand
from tablesight.vision.kinds import COLORS, KINDS
from tablesight.vision.posterior import SHAPES, DiePosterior

ALL = tuple(KINDS)
BOX = (0.0, 0.0, 10.0, 10.0)


def posterior(colors: dict[str, float], sides: dict[int, float], face: int = 3, sure: float = 0.995) -> DiePosterior:
    color_p = np.array([colors.get(color, 0.0) for color in COLORS]) + 1e-6
    shape_p = np.array([sides.get(shape, 0.0) for shape in SHAPES]) + 1e-6
    faces = np.zeros((len(SHAPES), 20))
    for row, shape in enumerate(SHAPES):
        faces[row, :shape] = (1 - sure) / (shape - 1)
        faces[row, min(face, shape) - 1] = sure
    inks = np.array([0.97, 0.01, 0.01, 0.01])
    return DiePosterior(color_p / color_p.sum(), shape_p / shape_p.sum(), faces, inks, 0.0)


def die(kind: str, sure: float = 0.995, instead: str | None = None, face: int = 3) -> DiePosterior:
    """A die that looks like `kind` with this certainty, else like `instead`."""
    colors: Counter[str] = Counter()
    sides: Counter[int] = Counter()
    for name, share in ((kind, sure), (instead or kind, 1 - sure)):
        colors[KINDS[name].color] += share  # type: ignore[assignment]  # a Counter of floats
        sides[KINDS[name].sides] += share  # type: ignore[assignment]
    return posterior(dict(colors), dict(sides), face)


def decoded(dice: list[DiePosterior], kinds: list[str] | None, newcomers: int = 0, accept_from: float = 0.9):  # type: ignore[no-untyped-def]
    expected = None if kinds is None else Expectation(tuple(kinds), newcomers)
    return decode_hand(dice, [BOX] * len(dice), expected, accept_from)


rows = st.lists(st.floats(0.001, 1.0), min_size=13, max_size=13)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(rows, min_size=1, max_size=3),
    st.lists(st.sampled_from(ALL[:4]), max_size=4),
    st.integers(0, 2),
    st.one_of(st.none(), st.integers(0, 5)),
    st.dictionaries(st.sampled_from(ALL), st.floats(0.1, 3.0)),
)
def test_the_sum_is_the_sum_over_every_explanation(
    table: list[list[float]], kinds: list[str], newcomers: int, count: int | None, of_new: dict[str, float]
) -> None:
    """Against brute force: every die is an expected kind (each at most as often as expected) or a newcomer."""
    weights = np.array(table)
    expected = Expectation(tuple(kinds), newcomers, count, of_new)
    new = weights * expected.new_kinds(SETTINGS.stray)
    shares, total = _Sum(weights, expected, SETTINGS).marginals()
    counts = Counter(kinds)
    brute_total, brute = 0.0, np.zeros((len(table), 13))
    for what in itertools.product([*counts, None], repeat=len(table)):
        used = Counter(kind for kind in what if kind is not None)
        if any(used[kind] > counts[kind] for kind in used):
            continue
        weight = 1.0
        for row, new_row, kind in zip(weights, new, what, strict=True):
            weight *= row[ALL.index(kind)] if kind is not None else new_row.sum()
        weight *= _end_weight((counts - used).total(), what.count(None), expected, SETTINGS)
        brute_total += weight
        for i, kind in enumerate(what):
            if kind is None:
                brute[i] += weight * new[i] / new[i].sum()
            else:
                brute[i, ALL.index(kind)] += weight
    assert total == pytest.approx(brute_total)
    assert shares == pytest.approx(brute / brute_total)


def test_an_expected_hand_settles_a_doubt_between_two_colours() -> None:
    dice = [die("yellow-d6"), die("clear-d6", 0.55, "yellow-d6")]
    alone = decoded(dice, None)
    assert not alone.dice[1].accepted
    hand = decoded(dice, ["yellow-d6", "clear-d6"])
    assert [d.kind for d in hand.dice] == ["yellow-d6", "clear-d6"]
    assert all(d.accepted for d in hand.dice)
    assert hand.probability > 0.9
    assert hand.missing == ()


def test_two_doubtful_dice_are_told_apart_by_what_they_are_together() -> None:
    dice = [die("red-d6", 0.6, "pink-d12"), die("red-d6", 0.2, "pink-d12")]
    hand = decoded(dice, ["red-d6", "pink-d12"])
    assert [d.kind for d in hand.dice] == ["red-d6", "pink-d12"]


def test_a_sure_reading_that_contradicts_the_hand_is_a_doubt_and_not_changed() -> None:
    hand = decoded([die("yellow-d6"), die("red-d6")], ["yellow-d6", "pink-d12"])
    assert hand.dice[0].accepted
    assert hand.dice[1].kind == "red-d6"
    assert not hand.dice[1].accepted
    assert hand.unexpected == (1,)


def test_one_drafted_die_of_any_kind_is_no_doubt() -> None:
    hand = decoded([die("yellow-d6"), die("green-d20")], ["yellow-d6"], newcomers=1)
    assert [d.kind for d in hand.dice] == ["yellow-d6", "green-d20"]
    assert all(d.accepted for d in hand.dice)
    assert hand.unexpected == ()


def test_a_drafted_die_must_be_as_sure_as_a_die_by_itself() -> None:
    seen = [die("yellow-d6"), die("blue-d6", 0.92, "glitter-d6")]
    asked = decoded(seen, ["yellow-d6"], newcomers=1, accept_from=0.95)
    assert [d.accepted for d in asked.dice] == [True, False]
    expected = decoded(seen, ["yellow-d6", "blue-d6"], accept_from=0.95)
    assert [d.accepted for d in expected.dice] == [True, True]


def test_a_drafted_die_that_may_glitter_is_asked_about() -> None:
    seen = [die("yellow-d6"), die("blue-d6", 0.97, "glitter-d6")]
    assert not decoded(seen, ["yellow-d6"], newcomers=1).dice[1].accepted
    assert decoded([die("blue-d6", 0.97, "green-d20")], [], newcomers=1).dice[0].accepted


def test_a_drafted_glitter_die_is_taken_where_its_number_is_gold() -> None:
    white = die("glitter-d6", 0.97, "blue-d6")
    gold = replace(white, inks=np.array([0.2, 0.05, 0.7, 0.05]))
    assert decoded([die("yellow-d6"), gold], ["yellow-d6"], newcomers=1).dice[1].accepted
    assert not decoded([die("yellow-d6"), white], ["yellow-d6"], newcomers=1).dice[1].accepted
    unsure = replace(die("glitter-d6", 0.93, "blue-d6"), inks=gold.inks)
    assert not decoded([die("yellow-d6"), unsure], ["yellow-d6"], newcomers=1).dice[1].accepted


def test_a_drafted_blue_die_whose_number_is_gold_is_asked_about() -> None:
    drafted = die("blue-d6", 0.999, "glitter-d6")
    assert decoded([die("yellow-d6"), drafted], ["yellow-d6"], newcomers=1).dice[1].accepted
    gilded = replace(drafted, inks=np.array([0.6, 0.05, 0.3, 0.05]))
    assert not decoded([die("yellow-d6"), gilded], ["yellow-d6"], newcomers=1).dice[1].accepted
    assert decoded([die("yellow-d6"), gilded], ["yellow-d6", "blue-d6"]).dice[1].accepted


def test_what_may_be_no_die_is_taken_for_the_drafted_one_only_where_no_die_is_missing() -> None:
    seen = [die("yellow-d6"), replace(die("clear-d6"), die=0.5)]
    assert all(d.accepted for d in decoded(seen, ["yellow-d6"], newcomers=1).dice)
    one_missing = decoded(seen, ["yellow-d6", "blue-d8"], newcomers=1)
    assert [d.accepted for d in one_missing.dice] == [True, False]
    one_too_many = decode_hand(seen, [BOX] * 2, Expectation(("yellow-d6",), 1, 1), 0.9)
    assert not one_too_many.dice[1].accepted
    nearly_none = [seen[0], replace(seen[1], die=0.0001)]
    assert not decoded(nearly_none, ["yellow-d6"], newcomers=1).dice[1].accepted


def test_what_is_left_in_the_bag_tells_what_a_drafted_die_is() -> None:
    seen = [die("yellow-d6"), die("purple-d8", 0.6, "blue-d8")]
    for left, kind in (("blue-d8", "blue-d8"), ("purple-d8", "purple-d8")):
        drafted = decode_hand(seen, [BOX] * 2, Expectation(("yellow-d6",), 1, None, {left: 3, "green-d20": 9}), 0.9)
        assert drafted.dice[1].kind == kind
        assert drafted.dice[1].confidence > 0.9


def test_a_drafted_die_that_the_bag_does_not_hold_is_asked_about_and_not_changed() -> None:
    seen = [die("yellow-d6"), die("purple-d8", 0.99, "blue-d8")]
    hand = decode_hand(seen, [BOX] * 2, Expectation(("yellow-d6",), 1, None, {"blue-d8": 3}), 0.95)
    assert not hand.dice[1].accepted
    assert {"purple-d8", "blue-d8"} == {candidate.kind for candidate in hand.dice[1].candidates[:2]}


def test_of_newcomers_that_nobody_tells_of_all_kinds_are_alike() -> None:
    assert Expectation(()).new_kinds(0.05) == pytest.approx(np.full(13, 1 / 13))
    told = Expectation((), 1, None, {"green-d20": 2.0, "red-d6": 6.0}).new_kinds(0.05)
    assert told.sum() == pytest.approx(1)
    assert told[ALL.index("red-d6")] == pytest.approx(0.75 * 0.95 + 0.05 / 13)
    assert told[ALL.index("pink-d12")] == pytest.approx(0.05 / 13)


def test_a_missing_die_is_named() -> None:
    hand = decoded([die("yellow-d6")], ["yellow-d6", "green-d20"])
    assert hand.missing == ("green-d20",)
    assert hand.dice[0].accepted


def test_a_die_too_many_is_a_doubt() -> None:
    hand = decoded([die("yellow-d6"), die("yellow-d6"), die("blue-d8")], ["yellow-d6", "blue-d8"])
    assert hand.unexpected == (0, 1)  # one of these two, and nobody knows which
    assert [d.accepted for d in hand.dice] == [False, False, True]


def face_die(kind: str, faces: dict[int, float]) -> DiePosterior:
    """A die that is surely of this kind, with the probabilities of these faces."""
    look = die(kind)
    table = look.faces.copy()
    row = SHAPES.index(KINDS[kind].sides)
    table[row] = 0
    for face, p in faces.items():
        table[row, face - 1] = p
    return DiePosterior(look.colors, look.shapes, table, look.inks, 0.0)


@pytest.mark.parametrize(
    ("kind", "faces", "accepted"),
    [
        pytest.param("pink-d12", {6: 0.98, 9: 0.02}, False, id="a six of a d12 that may be a nine"),
        pytest.param("green-d20", {9: 0.99, 6: 0.01}, False, id="a nine of a d20 that may be a six"),
        pytest.param("pink-d12", {6: 0.96, 5: 0.039, 9: 0.001}, True, id="a six that is no nine, whatever else it is"),
        pytest.param("pink-d12", {6: 0.6, 5: 0.4}, False, id="a six that may be a five"),
        pytest.param("yellow-d6", {6: 0.98, 5: 0.02}, True, id="a six of a d6, which has no nine"),
        pytest.param("pink-d12", {5: 0.98, 9: 0.02}, True, id="a five"),
    ],
)
def test_a_six_that_may_be_a_nine_needs_more(kind: str, faces: dict[int, float], accepted: bool) -> None:
    look = face_die(kind, faces)
    assert decoded([look], [kind]).dice[0].accepted is accepted
    assert decoded([look], None).dice[0].accepted is accepted


def test_a_traded_die_is_not_missing_where_the_number_of_dice_is_known() -> None:
    dice = [die("yellow-d6"), die("green-d20"), die("red-d8")]  # the clear one was given for the green one
    before, drafted_and_traded = ("yellow-d6", "clear-d6"), 2
    unknown = decode_hand(dice, [BOX] * 3, Expectation(before, drafted_and_traded), 0.9)
    assert (unknown.missing, unknown.unseen) == (("clear-d6",), 1)
    hand = decode_hand(dice, [BOX] * 3, Expectation(before, drafted_and_traded, 3), 0.9)
    assert (hand.missing, hand.unseen, hand.unexpected) == ((), 0, ())
    assert all(d.accepted for d in hand.dice)
    assert hand.probability > unknown.probability


def test_the_drafted_die_that_is_not_seen_is_noticed() -> None:
    hand = decode_hand([die("yellow-d6")], [BOX], Expectation(("yellow-d6",), 1, 2), 0.9)
    assert (hand.missing, hand.unseen) == ((), 1)


def test_a_colour_that_no_die_of_this_shape_has_is_no_contradiction() -> None:
    looks = posterior({"pink": 0.9, "red": 0.1}, {8: 1.0})  # pink dice have twelve sides
    hand = decoded([die("yellow-d6"), looks], ["yellow-d6", "red-d8"])
    assert [d.kind for d in hand.dice] == ["yellow-d6", "red-d8"]
    assert hand.dice[1].accepted
    assert not decoded([looks], None).dice[0].accepted or decoded([looks], None).dice[0].kind is None


def test_something_that_looks_like_no_die_of_the_game_at_all_is_a_doubt() -> None:
    strange = posterior({"other": 1.0}, {12: 1.0})
    colors, shapes = strange.colors * 0, strange.shapes * 0
    colors[COLORS.index("other")] = shapes[SHAPES.index(12)] = 1.0
    never = DiePosterior(colors, shapes, strange.faces, strange.inks, 0.0)
    hand = decoded([die("yellow-d6"), never], ["yellow-d6", "red-d6"])
    assert [d.accepted for d in hand.dice] == [True, False]


def test_an_empty_hand_and_an_empty_zone() -> None:
    assert decoded([], ["yellow-d6"]).dice == ()
    assert decoded([die("yellow-d6")], []).unexpected == (0,)


def test_a_large_hand_is_decoded_in_time() -> None:
    kinds = ["yellow-d6", "yellow-d8", "purple-d8", "purple-d12", "blue-d6", "blue-d8", "blue-d12", "glitter-d6",
             "red-d6", "red-d8", "green-d20"]  # fmt: skip
    hand = decoded([die(kind) for kind in kinds], kinds)
    assert all(d.accepted for d in hand.dice)
    assert hand.probability > 0.9


def random_looks(rng: np.random.Generator, kinds: list[str], noise: float) -> list[DiePosterior]:
    """Noisy views: each head's true class gets a random logit margin, as a network under a bad lamp gives."""
    looks = []
    for kind in kinds:
        colors = rng.normal(0, noise, len(COLORS))
        colors[COLORS.index(KINDS[kind].color)] += 4.0
        shapes = rng.normal(0, noise, len(SHAPES))
        shapes[SHAPES.index(KINDS[kind].sides)] += 4.0
        color_p, shape_p = np.exp(colors), np.exp(shapes)
        looks.append(
            posterior(
                dict(zip(COLORS, (color_p / color_p.sum()).tolist(), strict=True)),
                dict(zip(SHAPES, (shape_p / shape_p.sum()).tolist(), strict=True)),
            )
        )
    return looks


def test_it_beats_the_independent_reading_on_noisy_hands() -> None:
    rng = np.random.default_rng(1)
    right = {"alone": 0, "together": 0}
    accepted = {"alone": 0, "together": 0}
    wrong = {"alone": 0, "together": 0}
    dice = 0
    for _ in range(150):
        known = [str(kind) for kind in rng.choice(ALL, int(rng.integers(1, 8)))]
        drafted = str(rng.choice(ALL))
        truth = [*known, drafted]
        looks = random_looks(rng, truth, 1.3)
        for name, hand in (("alone", decoded(looks, None)), ("together", decoded(looks, known, newcomers=1))):
            for reading, kind in zip(hand.dice, truth, strict=True):
                right[name] += reading.kind == kind
                accepted[name] += reading.accepted
                wrong[name] += reading.accepted and reading.kind != kind
        dice += len(truth)
    assert right["together"] - right["alone"] >= 0.02 * dice
    assert accepted["together"] - accepted["alone"] >= 0.1 * dice
    assert wrong["together"] <= max(2, wrong["alone"])


def test_kind_rows_never_rule_anything_out() -> None:
    assert _kind_row(die("red-d6"), SETTINGS).min() > 0

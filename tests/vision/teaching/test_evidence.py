from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablesight.vision.kinds import COLORS, INKS, KINDS
from tablesight.vision.posterior import SHAPES, DiePosterior
from tablesight.vision.teaching.evidence import SETTINGS, TaughtEvidence, TaughtLook

Body = npt.NDArray[np.float64]
KIND_IDS = sorted(KINDS)
PINK, PURPLE, RED = np.array([30.0, 40, 0, 38, -2, 42, 2]), np.array([12.0, 30, -40, 28, -42, 32, -38]), np.zeros(7)


def die(
    colors: dict[str, float], sides: int = 12, face: int = 7, sure: float = 0.9, black: float = 0.5
) -> DiePosterior:
    """A posterior with these colours; the face with the probability `sure`, all others alike."""
    c, s = np.full(len(COLORS), 1e-4), np.full(len(SHAPES), 1e-4)
    for color, p in colors.items():
        c[COLORS.index(color)] = p  # type: ignore[arg-type]  # a colour
    s[SHAPES.index(sides)] = 1
    faces = np.zeros((len(SHAPES), 20))
    for row, n in enumerate(SHAPES):
        faces[row, :n] = (1 - sure) / (n - 1)
        faces[row, min(face, n) - 1] = sure
    inks = np.zeros(len(INKS))
    inks[INKS.index("black")], inks[INKS.index("white")] = black, 1 - black
    return DiePosterior(c / c.sum(), s / s.sum(), faces, inks, 0.0)


def best(posterior: DiePosterior) -> str | None:
    return posterior.candidates(count=1)[0].kind


TAUGHT = TaughtEvidence([TaughtLook("pink-d12", 3, PINK), TaughtLook("purple-d12", 5, PURPLE)])


def test_a_tie_goes_to_the_taught_die_that_it_looks_like() -> None:
    tie = die({"pink": 0.45, "purple": 0.55})
    assert best(TAUGHT.weighed(tie, PINK + 1)) == "pink-d12"
    assert best(TAUGHT.weighed(tie, PURPLE + 1)) == "purple-d12"


def test_what_agrees_becomes_surer() -> None:
    reading = die({"pink": 0.8, "purple": 0.2})
    assert TAUGHT.weighed(reading, PINK).kinds()["pink-d12"] > 0.97


def test_a_sure_reading_of_something_else_stays_and_only_becomes_less_sure() -> None:
    sure = die({"purple": 0.985, "pink": 0.015})
    after = TAUGHT.weighed(sure, PINK)
    assert best(after) == "purple-d12"
    assert after.kinds()["purple-d12"] < 0.9


def test_a_foreign_die_of_a_taught_colour_stays_as_foreign_as_it_was() -> None:
    foreign = die({"other": 0.8, "pink": 0.2})
    after = TAUGHT.weighed(foreign, PINK)
    assert best(after) is None
    none = 1 - sum(after.kinds().values())
    assert none / (1 - none) == pytest.approx(0.8 / 0.2, rel=0.02)


def test_a_die_unlike_all_taught_ones_is_left_as_it_was() -> None:
    reading = die({"green": 0.5, "yellow": 0.4, "pink": 0.1})
    after = TAUGHT.weighed(reading, PINK + 100)
    assert after.colors == pytest.approx(reading.colors, abs=1e-6)
    assert after.shapes == pytest.approx(reading.shapes, abs=1e-6)


bodies = st.lists(st.floats(-60, 60), min_size=7, max_size=7).map(np.array)
chances = st.lists(st.floats(0.001, 1), min_size=len(COLORS), max_size=len(COLORS))


@settings(deadline=None)  # a loaded machine is no error
@given(taught=st.lists(st.tuples(st.sampled_from(KIND_IDS), bodies), min_size=1, max_size=8), body=bodies, p=chances)
def test_no_colour_says_more_than_its_bound(taught: list[tuple[str, Body]], body: Body, p: list[float]) -> None:
    evidence = TaughtEvidence([TaughtLook(kind, 1, look) for kind, look in taught])
    before = replace(die({}), colors=np.array(p) / sum(p))
    after = evidence.weighed(before, body)
    for array in (after.colors, after.shapes, after.inks, *after.faces):
        assert float(array.sum()) == pytest.approx(1)
    ratios = after.colors / before.colors
    assert ratios.max() / ratios.min() <= (1 + SETTINGS.unlike) / SETTINGS.unlike + 1e-6


def prints(kind: str, faces: int, spread: float, seed: int = 1) -> list[TaughtLook]:
    """Looks at a kind whose numbers have directions of their own, `spread` apart."""
    rng = np.random.default_rng(seed)
    common = rng.normal(0, 1, 32)
    return [
        TaughtLook(kind, face, PINK, (common + spread * rng.normal(0, 1, 32)).astype(np.float32))
        for face in range(1, faces + 1)
    ]


def test_a_print_just_like_a_taught_one_says_its_number() -> None:
    looks = prints("pink-d12", 8, 1.5)
    evidence = TaughtEvidence(looks)
    assert evidence.alike is not None
    doubt = die({"pink": 1.0}, face=7, sure=0.6)
    features = looks[2].face_features
    assert features is not None
    after = evidence.weighed(doubt, PINK, features * 3)  # the length says nothing
    assert after.faces[2, 2] / after.faces[2, 6] == pytest.approx(10 * doubt.faces[2, 2] / doubt.faces[2, 6])
    unlike = evidence.weighed(doubt, PINK, np.random.default_rng(9).normal(0, 1, 32).astype(np.float32))
    assert unlike.faces[2] == pytest.approx(doubt.faces[2])


def test_a_print_says_nothing_about_a_die_of_another_kind() -> None:
    looks = prints("pink-d12", 8, 1.5)
    blue = die({"blue": 1.0}, face=7, sure=0.6)
    after = TaughtEvidence(looks).weighed(blue, PINK + 100, looks[2].face_features)
    assert after.faces == pytest.approx(blue.faces)


@pytest.mark.parametrize(
    ("looks", "alike"),
    [
        pytest.param(prints("pink-d12", 6, 1.5), None, id="15 pairs of numbers tell too little"),
        pytest.param([TaughtLook("pink-d12", 3, PINK)], None, id="models without features"),
        pytest.param(prints("pink-d12", 8, 0.001), 1.0, id="numbers that all look alike never match"),
        pytest.param(prints("pink-d12", 12, 5.0), 0.9, id="numbers far apart still must be quite alike"),
    ],
)
def test_how_alike_prints_must_be_is_measured_on_the_taught_dice(looks: list[TaughtLook], alike: float | None) -> None:
    found = TaughtEvidence(looks).alike
    assert found == alike if alike is None else found == pytest.approx(alike, abs=0.001)


def test_a_taught_red_face_tells_its_ink_on_the_dice_of_its_kind_only() -> None:
    evidence = TaughtEvidence([TaughtLook("red-d6", -4, RED), TaughtLook("red-d8", 4, RED)])
    doubt = die({"red": 1.0}, 6, face=4, black=0.4)
    assert evidence.weighed(doubt, RED).black_share() == pytest.approx(10 * 0.4 / (10 * 0.4 + 0.6))
    eight = die({"red": 1.0}, 8, face=4, black=0.6)
    assert evidence.weighed(eight, RED).black_share() == pytest.approx(0.6 / (0.6 + 10 * 0.4))
    other = die({"red": 1.0}, 6, face=3, black=0.4)
    assert evidence.weighed(other, RED).black_share() == pytest.approx(0.4)


def test_a_face_that_was_taught_in_both_inks_says_nothing() -> None:
    evidence = TaughtEvidence([TaughtLook("red-d6", -4, RED), TaughtLook("red-d6", 4, RED)])
    doubt = die({"red": 1.0}, 6, face=4, black=0.4)
    assert evidence.weighed(doubt, RED).black_share() == pytest.approx(0.4)


def test_nothing_taught_is_no_evidence() -> None:
    with pytest.raises(ValueError, match="at least one taught die"):
        TaughtEvidence([])

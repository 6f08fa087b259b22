"""Strict reading of JSON values."""

from __future__ import annotations

from typing import Any

import pytest

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.parsing import each, flag, get, mapping, one_of, sequence, whole
from tablesight.rules.wording import a_ordinal, join_words, plural, quote

HUGE = pytest.param(10**5000, id="huge")


@pytest.mark.parametrize("value", [0, 7, True, False, 1.0, "1", None, [1], float("nan"), HUGE])
def test_what_is_no_whole_number_from_1_to_6(value: Any) -> None:
    with pytest.raises(IllegalEvent, match="roll: expected a whole number from 1 to 6, got"):
        whole(value, "roll", 1, 6)


def test_whole_numbers() -> None:
    assert [whole(value, "roll", -1, 6) for value in (-1, 0, 6)] == [-1, 0, 6]


@pytest.mark.parametrize("value", [0, 1, "true", None])
def test_what_is_no_flag(value: Any) -> None:
    with pytest.raises(IllegalEvent, match="expected true or false"):
        flag(value, "relic")


def test_a_word_of_a_list() -> None:
    assert one_of("b", "word", ("a", "b")) == "b"
    with pytest.raises(IllegalEvent, match="word: expected 'a' or 'b', got 'c'"):
        one_of("c", "word", ("a", "b"))
    with pytest.raises(IllegalEvent, match=r"got \['a'\]"):
        one_of(["a"], "word", ("a", "b"))


def test_lists() -> None:
    assert each([1, 2], "rolls", lambda value, what: whole(value, what, 1, 6), 2, 2) == (1, 2)
    with pytest.raises(IllegalEvent, match=r"rolls\[1\]: expected a whole number from 1 to 6, got 9"):
        each([1, 9], "rolls", lambda value, what: whole(value, what, 1, 6))
    with pytest.raises(IllegalEvent, match="rolls: expected 3 entries, got 2"):
        sequence([1, 2], "rolls", 3, 3)
    with pytest.raises(IllegalEvent, match="rolls: expected 1 to 4 entries, got 0"):
        sequence([], "rolls", 1, 4)
    with pytest.raises(IllegalEvent, match="rolls: expected a list, got 'ab'"):
        sequence("ab", "rolls")


def test_fields() -> None:
    assert get({"seat": None}, "seat") is None
    with pytest.raises(IllegalEvent, match=r"'placed': expected a field 'seat', got {'type': 'placed'}"):
        get({"type": "placed"}, "seat")
    with pytest.raises(IllegalEvent, match="event: expected a JSON object, got 3"):
        mapping(3, "event")


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param("x" * 500, 80, id="a long text"),
        pytest.param(10**9000, 80, id="a huge number"),
        pytest.param(nested(5000), 80, id="deep nesting"),
        pytest.param([10**9000], 80, id="a huge number within a list"),
    ],
)
def test_quotes_are_short_whatever_comes(value: Any, shown: int) -> None:
    assert 0 < len(quote(value)) <= shown


def test_words() -> None:
    assert [join_words(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a or b", "a, b or c"]
    assert [a_ordinal(count) for count in (2, 8, 11, 12)] == ["a second", "an eighth", "an eleventh", "a twelfth"]
    assert [plural(1, "die", "dice"), plural(2, "die", "dice"), plural(0, "step")] == ["1 die", "2 dice", "0 steps"]

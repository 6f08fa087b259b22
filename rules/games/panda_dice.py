"""The dice of Panda Royale [PR:18-34]: the box's inventory and a die as it lies on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.parsing import each, flag, get, mapping, one_of
from tablesight.rules.wording import quote

YELLOW_D6: Final = "yellow-d6"
CLEAR: Final = "clear-d6"
PINK: Final = "pink-d12"
GLITTER: Final = "glitter-d6"

BOX: Final = MappingProxyType(
    {
        **{YELLOW_D6: 10, "yellow-d8": 7, "green-d20": 10, "blue-d6": 10, "blue-d8": 9, "blue-d12": 9, GLITTER: 7},
        **{"purple-d8": 7, "purple-d12": 7, "red-d6": 10, "red-d8": 9, CLEAR: 7, PINK: 4},
    }
)
"""How many dice of each kind the box holds."""

IN_BAG: Final = tuple(kind for kind in BOX if kind not in (YELLOW_D6, PINK))
SIDES: Final = MappingProxyType({kind: int(kind.rpartition("-d")[2]) for kind in BOX})
LAST_ROUND: Final = 10
MOST_DICE: Final = sum(BOX.values())
"""The largest hand that is read at all: the whole box."""

Kinds = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Die:
    """A die as it lies: its kind and its value, negative for black numbers on red dice."""

    kind: str
    value: int


Hand = tuple[Die, ...]


def pink_dice(players: int) -> int:
    """The number of pink dice in play [PR:40-43]."""
    return 1 if players <= 3 else 2 if players <= 6 else 3 if players <= 9 else 4


def in_play(kind: str, players: int) -> int:
    """How many dice of a kind can be on the table in all: the rest of the yellow d6 and pink dice is boxed."""
    return players if kind == YELLOW_D6 else pink_dice(players) if kind == PINK else BOX[kind]


def die_name(kind: str) -> str:
    """The kind in words: "red d6"."""
    return kind.replace("-", " ")


def kinds_of(hand: Iterable[Die]) -> Kinds:
    """The kinds of a hand, in its order."""
    return tuple(die.kind for die in hand)


def without_pink(kinds: Iterable[str]) -> Kinds:
    """The dice a player owns."""
    return tuple(kind for kind in kinds if kind != PINK)


def same_kinds(first: Iterable[str], second: Iterable[str]) -> bool:
    """Whether two hands hold the same dice, in any order."""
    return Counter(first) == Counter(second)


def in_words(kinds: Iterable[str]) -> str:
    """`red d6, 2 blue d8`, in the order of the score sheet's box; "no dice" where there are none."""
    counts = Counter(kinds)
    order = [*BOX, *sorted(kind for kind in counts if kind not in BOX)]
    parts = [
        f"{counts[kind]} {die_name(kind)}" if counts[kind] > 1 else die_name(kind) for kind in order if counts[kind]
    ]
    return ", ".join(parts) or "no dice"


def check_value(kind: str, value: object, what: str) -> int:
    """A value that this kind can show: 1 to its sides, on red dice also negative. Raises IllegalEvent."""
    sides = SIDES[kind]
    red = kind.startswith("red")
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= (abs(value) if red else value) <= sides:
        expected = f"1 to {sides} or -{sides} to -1" if red else f"1 to {sides}"
        raise IllegalEvent(f"{what}: expected a whole number {expected} on a {die_name(kind)}, got {quote(value)}")
    return value


def read_kind(value: object, what: str) -> str:
    """The id of one of the thirteen kinds."""
    return one_of(value, what, BOX)


def read_die(data: object, what: str, cocked_counts: bool = True) -> Die:
    """`{"kind", "value"}`; with `cocked_counts` false a die marked `"cocked": true` is refused (PR-26)."""
    fields = mapping(data, what)
    kind = read_kind(get(fields, "kind", what), f"{what}.kind")
    value = check_value(kind, get(fields, "value", what), f"{what}.value")
    if "cocked" in fields and flag(fields["cocked"], f"{what}.cocked") and not cocked_counts:
        raise IllegalEvent(f"{what}: the {die_name(kind)} is cocked: roll it again before anything is scored")
    return Die(kind, value)


def read_hand(data: object, what: str, cocked_counts: bool = True) -> Hand:
    """A list of dice."""
    return each(data, what, lambda entry, where: read_die(entry, where, cocked_counts), 0, MOST_DICE)


def hand_json(hand: Hand) -> list[dict[str, Any]]:
    """The dice as JSON, as they were read."""
    return [{"kind": die.kind, "value": die.value} for die in hand]

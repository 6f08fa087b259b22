"""Panda Royale: is a hand that was seen possible? In sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tablesight.rules.games.panda_dice import (
    BOX,
    CLEAR,
    IN_BAG,
    PINK,
    Hand,
    Kinds,
    die_name,
    in_play,
    in_words,
    kinds_of,
    same_kinds,
    without_pink,
)
from tablesight.rules.games.panda_state import PandaState, with_pink
from tablesight.rules.games.panda_stories import die_left, drawn_dice, explain, gains, losses
from tablesight.rules.games.panda_suspects import suspects
from tablesight.rules.wording import a_ordinal, join_words, plural


def known_hand_problem(state: PandaState, seat: int, hand: Hand) -> str | None:
    """Why this hand cannot be where the hands are known: round 1 and strict games."""
    expected = with_pink(state.owned[seat], seat in state.pity_for(state.round_number))
    if same_kinds(kinds_of(hand), expected):
        return None
    return f"{state.players[seat]} shows {in_words(kinds_of(hand))}, expected {in_words(expected)}"


def seen_hand_problem(state: PandaState, seat: int, hand: Hand) -> str | None:
    """Why this hand cannot be in a watched round, given the hands of the round before and those seen so far."""
    name, round_number, kinds = state.players[seat], state.round_number, kinds_of(hand)
    pity = state.pity_for(round_number)
    expected = round_number + (seat in pity)
    if len(hand) != expected:
        pink = " (the pink one included)" if seat in pity else ""
        return f"{name} shows {plural(len(hand), 'die', 'dice')}, expected {expected}{pink}"
    pink_problem = _pink_problem(state, seat, kinds)
    if pink_problem:
        return pink_problem
    if round_number == 1:
        return known_hand_problem(state, seat, hand)
    others = [kinds_of(other) for place, other in enumerate(state.current.layers[0]) if other and place != seat]
    before = state.owned_before(round_number)
    box_problem = over_box(before, [*others, kinds], len(state.players), name)
    if box_problem or not lawful(before, round_number - 1):
        return box_problem
    return _local_problem(state, seat, without_pink(kinds))


def _pink_problem(state: PandaState, seat: int, kinds: Kinds) -> str | None:
    name, pity = state.players[seat], state.pity_for(state.round_number)
    pink = kinds.count(PINK)
    if pink > 1:
        return f"{name} shows {'two' if pink == 2 else pink} pink dice, expected {'one' if seat in pity else 'none'}"
    if pink and seat not in pity:
        holders = join_words([state.players[holder] for holder in pity], "and") or "nobody"
        return f"{name} shows a pink die, expected none: this round's pity goes to {holders}"
    if seat in pity and not pink:
        return f"{name} shows no pink die, expected one: it was won in round {state.round_number - 1}"
    return None


def lawful(owned: Sequence[Kinds], dice_each: int) -> bool:
    """Whether the hands keep the laws of the game; hands taken as seen may not."""
    return all(len(kinds) == dice_each for kinds in owned) and over_box((), owned, len(owned), "") is None


def over_box(before: Sequence[Kinds], hands: Sequence[Kinds], players: int, name: str) -> str | None:
    """The box law: never more dice of a kind than are in play (or than were already taken as seen)."""
    counts = Counter(kind for hand in hands for kind in hand)
    allowed = Counter(kind for hand in before for kind in hand)
    for kind, count in counts.items():
        if count > max(in_play(kind, players), allowed[kind]):
            limit = f"the box holds {BOX[kind]}" if kind in IN_BAG else f"{in_play(kind, players)} are in play"
            return f"{name} shows {a_ordinal(count)} {die_name(kind)} on the table, {limit}"
    return None


def _local_problem(state: PandaState, seat: int, after: Kinds) -> str | None:
    """Whether one seat's hand can come from its last one, whatever the others show."""
    before = state.owned_before(state.round_number)
    if can_follow(before, seat, after):
        return None
    new, gone = Counter(after) - Counter(before[seat]), Counter(before[seat]) - Counter(after)
    name = state.players[seat]
    if gone or any(kind in IN_BAG for kind in new):
        problem = (
            f"{name} shows {in_words(new.elements())} new and {in_words(gone.elements())} gone, "
            "which no draft and trades explain; expected one new die from the bag"
        )
    else:
        problem = f"{name} shows {in_words(new.elements())} new, of which none is in the bag; expected one that is"
    earlier = [
        f"the {die_name(seen)} of round {state.round_number - 1} was a {die_name(likely)}"
        for seen, likely in earlier_misreadings(state, seat, after)
    ]
    return f"{problem}; or {join_words(earlier)}: then correct that round first" if earlier else problem


def can_follow(before: Sequence[Kinds], seat: int, after: Kinds) -> bool:
    """Whether some draft and trades lead from a seat's hand before to its hand after."""
    others = Counter(kind for place, kinds in enumerate(before) if place != seat for kind in kinds)
    out = others + Counter(before[seat])
    own_clear = before[seat].count(CLEAR)
    for draft in IN_BAG:
        if draft in after and out[draft] < BOX[draft]:
            gained, lost = gains(before[seat], after, draft), losses(before[seat], after, draft)
            if gained.total() <= own_clear and gained <= others and lost.total() <= others[CLEAR]:
                return True
    return False


def earlier_misreadings(state: PandaState, seat: int, after: Kinds) -> list[tuple[str, str]]:
    """Dice of the round before, as seen and as they must have been, that would make this hand possible.

    A die just drafted can be read wrong without anybody noticing, until it lies there again in the next round.
    """
    number = state.round_number - 1
    if number < 2:
        return []
    older, before = state.owned_before(number), state.owned_before(state.round_number)
    found = []
    for seen in Counter(before[seat]) - Counter(after):
        for likely in Counter(after) - Counter(before[seat]):
            place = before[seat].index(seen)
            read = (*before[seat][:place], likely, *before[seat][place + 1 :])
            table = (*before[:seat], read, *before[seat + 1 :])
            if can_follow(table, seat, after) and explain(older, table, most=1):
                found.append((seen, likely))
    return found


def advice(state: PandaState, before: Sequence[Kinds], after: Sequence[Kinds]) -> str:
    """Which dice to look at again when no story leads to the hands."""
    found = suspects(before, after)
    if not found:
        return "read the hands again, or correct a die"
    dice = [f"{state.players[s.seat]}'s {die_name(s.seen)} (is it a {die_name(s.likely)}?)" for s in found]
    return f"look again at {join_words(dice)}"


def whole_table_problem(state: PandaState, before: Sequence[Kinds], after: Sequence[Kinds]) -> str:
    """Why no story leads from the hands before to those after, when each hand alone is possible."""
    if die_left(after) is None:
        return over_box((), after, len(after), "the table") or "the bag is empty"
    drawn = drawn_dice(before, after)
    if drawn is None:
        gone = Counter(kind for hand in before for kind in hand)
        gone.subtract(kind for hand in after for kind in hand)
        return (
            f"{in_words((+gone).elements())} has left the table, expected every die of round {state.round_number - 1}"
        )
    boxed = [kind for kind in drawn if kind not in IN_BAG]
    if boxed:
        return f"{in_words(boxed)} is new on the table, expected only dice from the bag"
    return (
        f"no drafts and trades lead from the hands of round {state.round_number - 1} to these: "
        f"new on the table are {in_words(drawn.elements())}"
    )

"""The forms of test cases: how each is recognised by its keys, and computed from its inputs alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.game import Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.box_board import (
    board_json,
    colours_of,
    on_lattice,
    place_card,
    read_board,
    read_card,
    score_squares,
    squares,
)
from tablesight.rules.games.panda_dice import LAST_ROUND, Hand, kinds_of, pink_dice, read_hand, read_kind, same_kinds
from tablesight.rules.games.panda_round import contenders_after, settle
from tablesight.rules.games.panda_scoring import is_yellow, score_hand
from tablesight.rules.games.panda_trading import Trade, exchange, refusal
from tablesight.rules.games.pandora_battle import fight, fight_creature, movement, roll_objective, target
from tablesight.rules.games.pandora_catalog import CARDS, GODS, PRICES, UNIT_TYPES
from tablesight.rules.games.pandora_reading import read_battle_cards, read_die, read_fighter
from tablesight.rules.games.pirate_scoring import Reading, read_counts, score_counts
from tablesight.rules.log import replay
from tablesight.rules.options import OptionValue, chosen
from tablesight.rules.parsing import each, flag, get, mapping, one_of, sequence, whole
from tablesight.rules.wording import join_words, quote

Case = Mapping[str, Any]

OTHER_READINGS: Final = {
    "swords_marginal": Reading(swords="own_gain_doubles"),
    "swords_5_6_zero": Reading(swords_5_6="zero"),
    "no_leftovers_with_a_pair": Reading(leftovers_with_a_pair=False),
}
MOST_REROLLS: Final = 1000
MOST_SEATS: Final = 10
MOST_EVENTS: Final = 100_000


def panda_score(case: Case) -> Any:
    """`dice` of one hand -> the row of the score sheet."""
    return score_hand(read_hand(get(case, "dice", "hand"), "dice")).to_json()


def panda_round(case: Case) -> Any:
    """One round from its dice -> token, re-rolls used, scores, pity, trade and draft order."""
    hands = list(each(get(case, "first_roll", "round"), "first_roll", read_hand, 2, MOST_SEATS))
    players = whole(case.get("players", len(hands)), "players", len(hands), len(hands))
    number = whole(get(case, "round", "round"), "round", 1, LAST_ROUND)
    pink = whole(case.get("pink_dice", pink_dice(players)), "pink_dice", 0, 4)
    rerolls = sequence(case.get("rerolls", []), "rerolls", 0, MOST_REROLLS)
    used = 0
    tied = contenders_after([hands], False)
    while len(tied) > 1 and number < LAST_ROUND:
        if used == len(rerolls):
            raise IllegalEvent(f"rerolls: seats {list(tied)} are tied, expected another re-roll after {used}")
        rows = each(rerolls[used], f"rerolls[{used}]", read_hand, players, players)
        hands = [
            _rerolled(hand, row, f"rerolls[{used}][{seat}]")
            for seat, (hand, row) in enumerate(zip(hands, rows, strict=True))
        ]
        used += 1
        tied = contenders_after([hands], False)
    outcome = settle(hands, number, tied[0], pink)
    return {
        "token": outcome.token,
        "rerolls": used,
        "scores": [score.to_json() for score in outcome.scores],
        "pity": list(outcome.pity),
        "trade_order": list(outcome.trade_order),
        "draft_order": list(outcome.draft_order),
    }


def _rerolled(hand: Hand, row: Hand, what: str) -> Hand:
    yellow = [die.kind for die in hand if is_yellow(die.kind)]
    if not same_kinds(kinds_of(row), yellow):
        raise IllegalEvent(f"{what}: expected all yellow dice {yellow}, got {list(kinds_of(row))}")
    new = {kind: [die for die in row if die.kind == kind] for kind in set(yellow)}
    return tuple(new[die.kind].pop(0) if is_yellow(die.kind) else die for die in hand)


def panda_trade(case: Case) -> Any:
    """One trade tried -> whether it is legal, why not, the hands after it."""
    hands = each(
        get(case, "hands", "trade"), "hands", lambda hand, what: each(hand, what, read_kind, 0, 106), 2, MOST_SEATS
    )
    last = len(hands) - 1
    turn = each(get(case, "turn", "trade"), "turn", lambda seat, what: whole(seat, what, 0, last), 0, last + 1)
    spent = each(
        case.get("spent_clear", [0] * len(hands)),
        "spent_clear",
        lambda count, what: whole(count, what, 0, 106),
        len(hands),
        len(hands),
    )
    attempt = mapping(get(case, "attempt", "trade"), "attempt")
    trade = Trade(
        whole(get(attempt, "seat", "attempt"), "attempt.seat", 0, last),
        read_kind(get(attempt, "give", "attempt"), "attempt.give"),
        whole(get(attempt, "other", "attempt"), "attempt.other", 0, last),
        read_kind(get(attempt, "take", "attempt"), "attempt.take"),
    )
    why = refusal(turn, hands, spent, trade)
    after = None if why else [sorted(hand) for hand in exchange(hands, trade)]
    return {"legal": why is None, "why": why or "ok", "hands": after}


def panda_game(case: Case) -> Any:
    """A whole game -> totals by round, totals, winners. Without a mode it is strict."""
    players = whole(get(case, "players", "game"), "players", 2, MOST_SEATS)
    options = {"mode": "strict", **mapping(case.get("options", {}), "options")}
    game = GAMES["panda-royale"]
    report = game.report(
        replay(game, Setup.seats(players, options), sequence(case["events"], "events", 0, 10_000)).state
    )
    return {
        "row_totals": [[score["total"] for score in row["scores"]] for row in report["rounds"]],
        "totals": report["totals"],
        "winners": report["winners"],
    }


def pirate_score(case: Case) -> Any:
    """`counts` per icon -> the points by category; `options` may hold another reading."""
    given = mapping(case.get("options", {}), "options")
    known: dict[str, OptionValue] = chosen(GAMES["pirate-box"].options, given)
    reading = Reading(bool(known["leftovers_with_a_pair"]), str(known["swords"]), str(known["swords_5_6"]))
    return score_counts(read_counts(get(case, "counts", "loot"), "counts"), reading).to_json()


def pirate_other_readings(case: Case) -> dict[str, int]:
    """The totals under the alternatives of PB-05, PB-06 and PB-07."""
    counts = read_counts(get(case, "counts", "loot"), "counts")
    return {name: score_counts(counts, reading).total for name, reading in OTHER_READINGS.items()}


def pirate_report(case: Case) -> Any:
    """A whole game of rounds with chest and placements -> the referee's report."""
    players = whole(get(case, "players", "game"), "players", 2, 4)
    options = {**mapping(case.get("options", {}), "options")}
    if "first_captain" in case:
        options["first_captain"] = case["first_captain"]
    game = GAMES["pirate-box"]
    return game.report(replay(game, Setup.seats(players, options), pirate_events(case)).state)


def pirate_events(case: Case) -> list[dict[str, Any]]:
    """The rounds of a case as events of the game."""
    events: list[dict[str, Any]] = []
    for index, entry in enumerate(sequence(get(case, "rounds", "game"), "rounds", 1, 4)):
        played = mapping(entry, f"rounds[{index}]")
        for pair in sequence(get(played, "placements", "round"), "placements", 0, 16):
            seat, space = sequence(pair, "placement", 2, 2)
            events.append({"type": "placed", "seat": seat, "space": space})
        events.append({"type": "opened", "chest": get(played, "chest", "round")})
    return events


def pirate_game(case: Case) -> Any:
    """A whole game -> totals and winners."""
    report = pirate_report(case)
    return {"totals": report["totals"], "winners": report["winners"]}


def box_score(case: Case) -> Any:
    """`dots` -> for each colour but gray its squares and score."""
    board = read_board(get(case, "dots", "board"), "dots")
    found = {colour: squares(board, colour) for colour in colours_of(board)}
    return {
        colour: {"squares": [[square.x, square.y, square.side] for square in own], "score": score_squares(own)}
        for colour, own in found.items()
    }


def box_placement(case: Case) -> Any:
    """A card tried -> whether it is legal, why, the dots after it."""
    board = read_board(get(case, "dots", "placement"), "dots")
    card = read_card(get(case, "card", "placement"), "card")
    at = get(case, "at", "placement")
    if not on_lattice(at):
        return {"legal": False, "why": "not aligned", "dots_after": None}
    placement = place_card(board, card, int(at[0]), int(at[1]))
    after = None if placement.board is None else board_json(placement.board)
    return {"legal": placement.legal, "why": placement.why, "dots_after": after}


def pandora_battle(case: Case) -> Any:
    """Two units, cards and rolls -> modifiers, values, result, tokens, relic."""
    rolls = [each(pair, "rolls", read_die, 2, 2) for pair in sequence(get(case, "rolls", "battle"), "rolls", 1, 1000)]
    result = fight(
        read_fighter(get(case, "attacker", "battle"), "attacker"),
        read_fighter(get(case, "defender", "battle"), "defender"),
        read_battle_cards(case.get("attacker_cards", []), "attacker_cards"),
        read_battle_cards(case.get("defender_cards", []), "defender_cards"),
        [(pair[0], pair[1]) for pair in rolls],
    )
    return {
        "attacker_mod": result.attacker_mod,
        "defender_mod": result.defender_mod,
        "attacker_value": result.attacker_value,
        "defender_value": result.defender_value,
        "result": result.winner,
        "removed": result.removed,
        "tokens": {"attacker": result.attacker_tokens, "defender": result.defender_tokens},
        "relic_to": result.relic_to,
        "exchanges": result.exchanges,
    }


def pandora_creature(case: Case) -> Any:
    """A unit against a creature -> modifier, need, value, result, tokens, relic."""
    owner = case.get("controlled_by")
    result = fight_creature(
        read_fighter(get(case, "unit", "creature"), "unit"),
        read_die(get(case, "roll", "creature"), "roll"),
        read_battle_cards(case.get("cards", []), "cards"),
        sonnet=flag(case.get("sonnet", False), "sonnet"),
        controlled=owner is not None and bool(one_of(owner, "controlled_by", GODS)),
        creature_relic=flag(case.get("creature_relic", False), "creature_relic"),
        attacking=flag(case.get("attacking", True), "attacking"),
    )
    return {
        "mod": result.mod,
        "need": result.need,
        "value": result.value,
        "result": result.winner,
        "removed": result.removed,
        "tokens": {"unit": result.unit_tokens, "creature": result.creature_tokens},
        "relic_to": result.relic_to,
    }


def pandora_objective(case: Case) -> Any:
    """A try at the objective -> its result and the tokens left."""
    mode = one_of(get(case, "mode", "objective"), "mode", PRICES)
    tokens = whole(get(case, "tokens", "objective"), "tokens", 0, 60)
    result, left = roll_objective(mode, tokens, read_die(get(case, "roll", "objective"), "roll"))
    return {"result": result, "tokens": left}


def pandora_target(case: Case) -> Any:
    """The counting rule -> the seat it picks."""
    players = whole(get(case, "players", "target"), "players", 2, 8)
    me = whole(get(case, "me", "target"), "me", 0, players - 1)
    return target(players, me, read_die(get(case, "roll", "target"), "roll"))


def pandora_movement(case: Case) -> Any:
    """The steps of a unit of a god; `passive`, `seas`, `sandals` and `cards` may be given too."""
    passive = case.get("passive")
    return movement(
        one_of(get(case, "type", "movement"), "type", UNIT_TYPES),
        one_of(get(case, "god", "movement"), "god", GODS),
        passive=None if passive is None else one_of(passive, "passive", GODS),
        seas=whole(case.get("seas", 0), "seas", 0, 8),
        sandals=whole(case.get("sandals", 0), "sandals", 0, 8),
        cards=each(case.get("cards", []), "cards", lambda card, what: one_of(card, what, CARDS), 0, 3),
    )


@dataclass(frozen=True, slots=True)
class Form:
    """One form of case: the keys that it has and others have not, and how it is computed."""

    name: str
    keys: frozenset[str]
    compute: Callable[[Case], Any]


FORMS: Final[Sequence[Form]] = (
    Form("panda round", frozenset({"first_roll"}), panda_round),
    Form("panda trade", frozenset({"attempt", "hands"}), panda_trade),
    Form("panda game", frozenset({"events"}), panda_game),
    Form("pirate game", frozenset({"rounds"}), pirate_game),
    Form("pirate score", frozenset({"counts"}), pirate_score),
    Form("box placement", frozenset({"dots", "card"}), box_placement),
    Form("box score", frozenset({"dots"}), box_score),
    Form("pandora battle", frozenset({"attacker", "defender"}), pandora_battle),
    Form("pandora creature", frozenset({"unit", "roll"}), pandora_creature),
    Form("pandora objective", frozenset({"mode", "tokens", "roll"}), pandora_objective),
    Form("pandora target", frozenset({"me", "roll"}), pandora_target),
    Form("pandora movement", frozenset({"type", "god"}), pandora_movement),
    Form("panda score", frozenset({"dice"}), panda_score),
)


def form_of(case: object) -> Form:
    """The form of a case. Raises IllegalEvent where no form has its keys."""
    keys = set(mapping(case, "case"))
    for form in FORMS:
        if form.keys <= keys:
            return form
    names = join_words(form.name for form in FORMS)
    raise IllegalEvent(f"case: expected the keys of a {names}, got {quote(sorted(map(str, keys)))}")

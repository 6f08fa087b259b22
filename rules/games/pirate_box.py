"""Pirate Box: memorize the chest, place tokens on the grid, collect, score. Decisions PB-01 to PB-18."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from tablesight.rules.errors import BadSetup, IllegalEvent
from tablesight.rules.game import Event, Json, Setup
from tablesight.rules.games.pirate_scoring import ICONS, SPACES, read_counts
from tablesight.rules.games.pirate_state import (
    OPTIONS,
    ROUNDS,
    STATE_VERSION,
    PirateOptions,
    PirateRound,
    PirateState,
    Token,
)
from tablesight.rules.options import Option, chosen
from tablesight.rules.parsing import each, event_type, expect_phase, get, one_of, sequence, whole
from tablesight.rules.players import checked_players
from tablesight.rules.snapshot import opened, wrapped
from tablesight.rules.wording import plural


class PirateBox:
    """The game, for `GAMES`."""

    id: Final = "pirate-box"
    title: Final = "Pirate Box"
    player_counts: Final = tuple(ROUNDS)
    options: tuple[Option, ...] = OPTIONS

    def initial(self, setup: Setup) -> PirateState:
        """An open chest, an empty grid. Raises BadSetup."""
        players = checked_players(setup, self.player_counts)
        options = PirateOptions(**chosen(OPTIONS, setup.options))
        if options.first_captain >= len(players):
            raise BadSetup(f"first_captain: expected 0 to {len(players) - 1}, got {options.first_captain}")
        return PirateState(players, options)

    def apply(self, state: PirateState, event: Event) -> PirateState:
        """The state after the event. Raises IllegalEvent."""
        return EVENTS[event_type(event, EVENTS)](state, event)

    def legal(self, state: PirateState) -> list[Json]:
        """What may come next."""
        moves: list[Json] = []
        taken = [token.space for token in state.current.tokens]
        free = [space for space in range(SPACES) if space not in taken]
        if state.phase == "memorize":
            moves.append({"type": "shut", "timer_s": state.options.timer_s})
        if state.phase in ("memorize", "place"):
            moves.append({"type": "placed", "seat": state.turn, "spaces": free})
        if state.phase == "collect":
            moves.append({"type": "opened", "spaces": sorted(taken)})
        if state.phase != "finished":
            moves.append({"type": "counted", "dice_each": state.tokens_each})
        if any(played.collected for played in state.rounds):
            moves.append({"type": "corrected", "rounds": [1, len(state.rounds)]})
        return moves

    def view(self, state: PirateState) -> Json:
        """Everything a page shows; never the chest before it is opened in step 3 (PB-17)."""
        finished = state.phase == "finished"
        number = len(state.rounds)
        totals = state.totals
        return {
            "game": self.id,
            "version": STATE_VERSION,
            "options": state.options.to_json(),
            "phase": state.phase,
            "round": number,
            "last_round": ROUNDS[len(state.players)],
            "players": [{"seat": seat, "name": name} for seat, name in enumerate(state.players)],
            "captain": state.captain(number),
            "turn": state.turn if state.phase in ("memorize", "place") else None,
            "tokens_each": state.tokens_each,
            "tokens_left": [
                state.tokens_each - sum(token.seat == seat for token in state.current.tokens)
                for seat in range(len(state.players))
            ],
            "grid": _grid(state.current),
            "rounds": [_round_json(state, index + 1) for index in range(number)],
            "totals": list(totals),
            # the drawn Parrot never goes behind the Boat (PB-10)
            "parrots": [max(0, total) for total in totals],
            "winners": list(state.winners) if finished else [],
            "legal": self.legal(state),
        }

    def report(self, state: PirateState) -> Json:
        """The collected rounds, totals and winners."""
        rounds = [_round_json(state, index + 1) for index, played in enumerate(state.rounds) if played.collected]
        winners = list(state.winners) if state.phase == "finished" else []
        return {"rounds": rounds, "totals": list(state.totals), "winners": winners}

    def dump(self, state: PirateState) -> Json:
        """The state as JSON."""
        return wrapped(self.id, STATE_VERSION, state)

    def load(self, data: Any) -> PirateState:
        """The state that `dump` wrote. Raises ValueError."""
        return opened(PirateState, self.id, STATE_VERSION, data)


def _grid(played: PirateRound) -> list[int | None]:
    owners = {token.space: token.seat for token in played.tokens}
    return [owners.get(space) for space in range(SPACES)]


def _round_json(state: PirateState, number: int) -> Json:
    played = state.rounds[number - 1]
    seats = range(len(state.players))
    scores = state.scores(number) if played.collected else ()
    return {
        "round": number,
        "captain": state.captain(number),
        "placements": [[token.seat, token.space] for token in played.tokens],
        "chest": list(played.chest) if played.chest else None,
        "counts": [played.counts(seat) for seat in seats] if played.collected else [],
        "scores": [score.to_json() for score in scores],
        "points": [score.total for score in scores],
        "running": list(state.running(number)) if played.collected else [],
    }


def _shut(state: PirateState, event: Event) -> PirateState:
    expect_phase(state.phase, event, "memorize")
    return replace(state, phase="place")


def _placed(state: PirateState, event: Event) -> PirateState:
    expect_phase(state.phase, event, "memorize", "place")
    seat = whole(get(event, "seat"), "seat", 0, len(state.players) - 1)
    space = whole(get(event, "space"), "space", 0, SPACES - 1)
    if seat != state.turn:
        raise IllegalEvent(f"{state.players[seat]} places: expected {state.players[state.turn]}, whose turn it is")
    owner = _grid(state.current)[space]
    if owner is not None:
        raise IllegalEvent(f"space {space}: expected an empty space, got one with a token of {state.players[owner]}")
    played = replace(state.current, tokens=(*state.current.tokens, Token(seat, space)))
    done = len(played.tokens) == state.tokens_each * len(state.players)
    return state.with_round(played, len(state.rounds), phase="collect" if done else "place")


def _opened(state: PirateState, event: Event) -> PirateState:
    expect_phase(state.phase, event, "collect")
    chest = each(get(event, "chest"), "chest", _read_icon, SPACES, SPACES)
    for token in state.current.tokens:
        if chest[token.space] is None:
            raise IllegalEvent(f"chest[{token.space}]: expected an icon, {state.players[token.seat]} has a token there")
    return _collected(state, replace(state.current, chest=chest))


def _read_icon(value: object, what: str) -> str | None:
    return None if value is None else one_of(value, what, ICONS)


def _counted(state: PirateState, event: Event) -> PirateState:
    """The dice of each seat, counted by hand instead of read from the chest."""
    expect_phase(state.phase, event, "memorize", "place", "collect")
    count = len(state.players)
    rows = [
        _read_row(state, row, f"counts[{i}]")
        for i, row in enumerate(sequence(get(event, "counts"), "counts", count, count))
    ]
    return _collected(state, replace(state.current, counted=tuple(rows)))


def _read_row(state: PirateState, data: object, what: str) -> tuple[int, ...]:
    counts = read_counts(data, what)
    if sum(counts.values()) != state.tokens_each:
        got = plural(sum(counts.values()), "die", "dice")
        raise IllegalEvent(f"{what}: expected {state.tokens_each} dice, one for each token, got {got}")
    return tuple(counts.get(icon, 0) for icon in ICONS)


def _collected(state: PirateState, played: PirateRound) -> PirateState:
    state = state.with_round(played, len(state.rounds))
    if len(state.rounds) == ROUNDS[len(state.players)]:
        return replace(state, phase="finished")
    return replace(state, rounds=(*state.rounds, PirateRound()), phase="memorize")


def _corrected(state: PirateState, event: Event) -> PirateState:
    """`{round, space, icon}` puts an icon right, `{round, seat, counts}` a counted hand."""
    number = whole(get(event, "round"), "round", 1, len(state.rounds))
    played = state.rounds[number - 1]
    if not played.collected:
        raise IllegalEvent(f"round {number}: expected a round that is collected, got one in the phase {state.phase!r}")
    if played.chest is not None:
        space = whole(get(event, "space"), "space", 0, SPACES - 1)
        icon = one_of(get(event, "icon"), "icon", ICONS)
        chest = (*played.chest[:space], icon, *played.chest[space + 1 :])
        return state.with_round(replace(played, chest=chest), number)
    seat = whole(get(event, "seat"), "seat", 0, len(state.players) - 1)
    row = _read_row(state, get(event, "counts"), "counts")
    counted = tuple(row if place == seat else other for place, other in enumerate(played.counted or ()))
    return state.with_round(replace(played, counted=counted), number)


EVENTS: Final[Mapping[str, Callable[[PirateState, Event], PirateState]]] = {
    "shut": _shut,
    "placed": _placed,
    "opened": _opened,
    "counted": _counted,
    "corrected": _corrected,
}

"""Random games, played by the rules: the material of the laws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tablesight.rules.game import Game, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.panda_dice import BOX, IN_BAG, SIDES
from tablesight.rules.games.pirate_scoring import ICONS
from tablesight.rules.log import Timeline

Event = dict[str, Any]
Play = tuple[Setup, list[Event]]


class Table:
    """A game being played: every event is applied and written down."""

    def __init__(self, game: Game[Any], setup: Setup) -> None:
        self.game, self.setup = game, setup
        self.timeline = Timeline.start(game, setup)
        self.events: list[Event] = []

    @property
    def state(self) -> Any:
        return self.timeline.state

    def happen(self, **event: Any) -> None:
        self.timeline = self.timeline.apply(event)
        self.events.append(event)

    def move(self, kind: str) -> dict[str, Any] | None:
        return next((move for move in self.game.legal(self.state) if move["type"] == kind), None)


def roll(random: Random, kind: str) -> dict[str, Any]:
    value = random.randint(1, SIDES[kind])
    return {"kind": kind, "value": -value if kind.startswith("red") and random.random() < 0.5 else value}


def play_panda(random: Random, players: int, rounds: int = 10, **options: Any) -> Play:
    """A strict game of Panda Royale; trades are frequent, clear dice are liked, ties come by themselves."""
    table = Table(GAMES["panda-royale"], Setup.seats(players, {"mode": "strict", **options}))
    while table.state.phase != "finished" and table.state.round_number <= rounds:
        state = table.state
        if state.phase == "roll":
            pity = state.pity_for(state.round_number)
            hands = [[*kinds, "pink-d12"] if seat in pity else list(kinds) for seat, kinds in enumerate(state.owned)]
            rolled = [[roll(random, kind) for kind in random.sample(hand, len(hand))] for hand in hands]
            table.happen(type="rolled", dice=rolled)
        elif state.phase == "reroll":
            waiting = state.current.waiting
            table.happen(
                type="rerolled",
                dice=[
                    [roll(random, die.kind) for die in hand if die.kind.startswith("yellow")] if seat in waiting else []
                    for seat, hand in enumerate(state.current.lying)
                ],
            )
        elif state.phase == "trade":
            trade = table.move("traded")
            if trade and random.random() < 0.7:
                take = random.choice(trade["takes"])
                kind = random.choice(take["kinds"])
                table.happen(type="traded", seat=state.turn[0], give="clear-d6", other=take["other"], take=kind)
            else:
                table.happen(type="trading_ended", seat=state.turn[0])
        elif state.phase == "pool":
            out = Counter(kind for kinds in state.owned for kind in kinds)
            bag = [kind for kind in IN_BAG for _ in range(BOX[kind] - out[kind])]
            table.happen(type="pool_drawn", dice=random.sample(bag, players + 1))
        else:
            draft = table.move("drafted")
            assert draft is not None
            liked = [kind for kind in draft["kinds"] if kind == "clear-d6"]
            table.happen(type="drafted", seat=state.turn[0], kind=random.choice(liked or draft["kinds"]))
    return table.setup, table.events


def play_pirates(random: Random, players: int, **options: Any) -> Play:
    """A game of Pirate Box, chests and spaces at random."""
    table = Table(GAMES["pirate-box"], Setup.seats(players, {"first_captain": random.randrange(players), **options}))
    while table.state.phase != "finished":
        place = table.move("placed")
        if place:
            table.happen(type="placed", seat=place["seat"], space=random.choice(place["spaces"]))
        else:
            table.happen(type="opened", chest=[random.choice(ICONS) for _ in range(16)])
    return table.setup, table.events


def play_box(random: Random, players: int, **options: Any) -> Play:
    """A game of BOX with cards of 2 x 3 cells, laid wherever they may lie."""
    table = Table(GAMES["box"], Setup.seats(players, {"first": random.randrange(players), **options}))
    colours = ["purple", "blue", "red", "gray", None]
    table.happen(type="started", dots=[[x, y, "gray"] for x in range(3) for y in range(2)])
    while table.state.phase == "play":
        card = [[x, y, random.choice(colours)] for x in range(2) for y in range(3)]
        x, y, _ = random.choice(table.game.report(table.state)["dots"])
        at = [x + random.randint(-2, 2), y + random.randint(-3, 3)]
        try:
            table.happen(type="placed", seat=table.state.turn, card=card, at=at, turns=random.randrange(4))
        except ValueError:
            continue
    table.happen(type="revealed", colours=["purple", "blue", "red"][: table.state.teams])
    while table.state.phase == "claim":
        table.happen(type="claims_ended")
    return table.setup, table.events


def play_pandora(random: Random, players: int, turns: int = 40, **options: Any) -> Play:
    """Some turns of Pandora's Box: units move, fight and revive, cards are drawn, objectives tried."""
    table = Table(GAMES["pandoras-box"], Setup.seats(players, options))
    die = lambda: random.randint(1, 6)  # noqa: E731  # a word for the rolls below
    while table.state.phase == "start":
        table.happen(type="start_rolled", rolls=[die() for _ in table.state.contenders])
    gods = table.move("gods_drawn")
    assert gods is not None
    table.happen(type="gods_drawn", gods=random.sample(gods["gods"], players))
    if table.state.phase == "passive":
        table.happen(type="passive_rolled", roll=die())
    table.happen(type="board_ready")
    for _ in range(turns):
        if table.state.phase != "play":
            break
        _pandora_turn(random, table)
    return table.setup, table.events


def _pandora_turn(random: Random, table: Table) -> None:
    def attempt(**event: Any) -> None:
        try:
            table.happen(**event)
        except ValueError:
            return

    def unit(seat: int, alive: bool) -> str:
        names = [unit.id for unit in table.state.warlords[seat].units if unit.alive is alive]
        return random.choice(names or ["hero"])

    seat = table.state.seat
    other = random.choice([place for place in range(len(table.state.players)) if place != seat])
    die = lambda: random.randint(1, 6)  # noqa: E731  # a word for the rolls below
    attempt(type="revived", unit=unit(seat, False))
    attempt(type="card_drawn")
    attempt(type="card_played", card=random.choice(["shield", "pan_sonnet"]))
    attempt(type="card_played", card="mire", seat=other, units=[unit(other, True)])
    attempt(type="card_played", card="pandora_box", roll=die(), kills=[], relics=[])
    attempt(type="moved", unit=unit(seat, True), takes_relic=random.random() < 0.5)
    rolls = [[die(), die()] for _ in range(random.randint(1, 3))]
    attempt(type="battled", unit=unit(seat, True), seat=other, other_unit=unit(other, True), rolls=rolls)
    attempt(type="creature_fought", unit=unit(seat, True), roll=die())
    attempt(type="objective_rolled", roll=die(), target_rolls=[die()], victim=unit(other, True), reached=True)
    if table.state.phase == "play":
        table.happen(type="turn_ended")


PLAYS: dict[str, Callable[..., Play]] = {
    "panda-royale": play_panda,
    "pirate-box": play_pirates,
    "box": play_box,
    "pandoras-box": play_pandora,
}


@pytest.fixture(scope="session")
def play() -> Callable[..., Play]:
    """`play(game, random, players, **options)`: the setup and events of a random game."""

    def played(game: str, random: Random, players: int, **options: Any) -> Play:
        return PLAYS[game](random, players, **options)

    return played

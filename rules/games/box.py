"""BOX: cards of dots laid on one lattice; squares of the secret colour score at the end. Decisions BX-01 to BX-18."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from tablesight.rules.errors import BadSetup, IllegalEvent
from tablesight.rules.game import Event, Json, Setup
from tablesight.rules.games.box_board import (
    GRAY,
    Board,
    Dot,
    Place,
    Square,
    board_json,
    on_lattice,
    place_card,
    read_board,
    read_card,
    read_colour,
    read_coordinate,
    score_squares,
    squares,
    turned,
)
from tablesight.rules.options import Option, chosen
from tablesight.rules.parsing import each, event_type, expect_phase, get, sequence, whole
from tablesight.rules.players import checked_players
from tablesight.rules.snapshot import opened, wrapped
from tablesight.rules.wording import quote

STATE_VERSION: Final = 1
CARDS: Final = 24

Phase = Literal["start", "play", "reveal", "claim", "finished"]

OPTIONS: Final = (
    Option("first", 0, (0, 1, 2, 3, 4, 5), "the seat of the first player, the oldest one", "BX-17"),
    Option("turning", True, (True, False), "cards may be turned by quarter turns", "BX-03"),
    Option("blank_covers", True, (True, False), "a blank cell of a card hides a dot and counts as covering", "BX-07"),
    Option(
        "tie",
        "earlier_of_the_tied",
        ("earlier_of_the_tied", "first_player"),
        "who wins a tie: the one of the tied who played earlier, or always the first player",
        "BX-12",
    ),
    Option("squares", "automatic", ("automatic", "claimed"), "all valid squares count, or only those claimed", "BX-18"),
)


@dataclass(frozen=True, slots=True)
class BoxOptions:
    """The table's choices, named as in OPTIONS."""

    first: int
    turning: bool
    blank_covers: bool
    tie: str
    squares: str

    def to_json(self) -> dict[str, Any]:
        """The choices as they are written into a log."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class BoxState:
    """A game of BOX.

    `dots` are the visible dots, sorted by place; `unchecked` counts plays known from a photo only, whose legality the
    players vouch for; `secrets` the colour of each team once revealed; `claims` the squares claimed by each team.
    """

    players: tuple[str, ...]
    options: BoxOptions
    phase: Phase = "start"
    dots: tuple[Dot, ...] = ()
    plays: int = 0
    unchecked: int = 0
    secrets: tuple[str, ...] = ()
    claims: tuple[tuple[Square, ...], ...] = ()

    @property
    def board(self) -> dict[Place, str]:
        """The visible dots by place."""
        return {(dot.x, dot.y): dot.colour for dot in self.dots if dot.colour is not None}

    @property
    def teams(self) -> int:
        """2 or 3 single players, or two teams of 2 or 3, seated alternately."""
        return len(self.players) if len(self.players) < 4 else 2

    @property
    def turn(self) -> int:
        """The seat that plays the next card."""
        return (self.options.first + self.plays) % len(self.players)

    def counted(self, team: int) -> tuple[Square, ...]:
        """The squares that score for a team."""
        valid = squares(self.board, self.secrets[team])
        if self.options.squares == "automatic":
            return valid
        return tuple(square for square in self.claims[team] if square in valid)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each team, none before the colours are revealed."""
        return tuple(score_squares(self.counted(team)) for team in range(len(self.secrets)))

    @property
    def winners(self) -> tuple[int, ...]:
        """The team that wins; a tie goes to the one of the tied that played earlier (BX-12)."""
        scores, first = self.scores, self.options.first % self.teams
        best = [team for team, score in enumerate(scores) if score == max(scores)]
        if len(best) > 1 and self.options.tie == "first_player":
            return (first,)
        return (min(best, key=lambda team: (team - first) % self.teams),)

    def with_board(self, board: Board, **changes: Any) -> BoxState:
        """The state with other visible dots."""
        return replace(self, dots=tuple(Dot(x, y, board[x, y]) for x, y in sorted(board)), **changes)


class Box:
    """The game, for `GAMES`."""

    id: Final = "box"
    title: Final = "BOX"
    player_counts: Final = (2, 3, 4, 6)
    options: tuple[Option, ...] = OPTIONS

    def initial(self, setup: Setup) -> BoxState:
        """An empty table, before the Starting Card is read. Raises BadSetup."""
        players = checked_players(setup, self.player_counts)
        options = BoxOptions(**chosen(OPTIONS, setup.options))
        if options.first >= len(players):
            raise BadSetup(f"first: expected 0 to {len(players) - 1}, got {options.first}")
        return BoxState(players, options)

    def apply(self, state: BoxState, event: Event) -> BoxState:
        """The state after the event. Raises IllegalEvent."""
        return EVENTS[event_type(event, EVENTS)](state, event)

    def legal(self, state: BoxState) -> list[Json]:
        """What may come next."""
        moves: list[Json] = []
        if state.phase == "start":
            moves.append({"type": "started"})
        elif state.phase == "play":
            turns = [0, 1, 2, 3] if state.options.turning else [0]
            moves.append({"type": "placed", "seat": state.turn, "turns": turns})
            moves.append({"type": "board_read", "plays": [state.plays, CARDS]})
        elif state.phase == "reveal":
            moves.append({"type": "revealed", "teams": state.teams})
        elif state.phase == "claim":
            moves.append({"type": "claimed", "teams": list(range(state.teams))})
            moves.append({"type": "claims_ended"})
        if state.phase != "start":
            moves.append({"type": "corrected"})
        return moves

    def view(self, state: BoxState) -> Json:
        """Everything a page shows."""
        count = len(state.players)
        return {
            "game": self.id,
            "version": STATE_VERSION,
            "options": state.options.to_json(),
            "phase": state.phase,
            "players": [
                {"seat": seat, "name": name, "team": seat % state.teams} for seat, name in enumerate(state.players)
            ],
            "turn": state.turn if state.phase == "play" else None,
            "cards_left": [
                CARDS // count - len(range((seat - state.options.first) % count, state.plays, count))
                for seat in range(count)
            ],
            **self.report(state),
            # for a page that knows seats only
            "totals": [state.scores[seat % state.teams] if state.secrets else 0 for seat in range(count)],
            "legal": self.legal(state),
        }

    def report(self, state: BoxState) -> Json:
        """The board; once the colours are revealed, the squares, scores and winner."""
        teams = [
            {
                "team": team,
                "seats": [seat for seat in range(len(state.players)) if seat % state.teams == team],
                "colour": colour,
                "squares": [[square.x, square.y, square.side] for square in state.counted(team)],
                "score": state.scores[team],
            }
            for team, colour in enumerate(state.secrets)
        ]
        return {
            "plays": state.plays,
            "unchecked": state.unchecked,
            "dots": board_json(state.board),
            "teams": teams,
            "scores": list(state.scores),
            "winners": list(state.winners) if state.phase == "finished" else [],
        }

    def dump(self, state: BoxState) -> Json:
        """The state as JSON."""
        return wrapped(self.id, STATE_VERSION, state)

    def load(self, data: Any) -> BoxState:
        """The state that `dump` wrote. Raises ValueError."""
        return opened(BoxState, self.id, STATE_VERSION, data)


def _started(state: BoxState, event: Event) -> BoxState:
    """The dots of the Starting Card [BX:16]."""
    expect_phase(state.phase, event, "start")
    board = read_board(get(event, "dots"), "dots")
    if not board:
        raise IllegalEvent("dots: expected the dots of the Starting Card, got none")
    return state.with_board(board, phase="play")


def _placed(state: BoxState, event: Event) -> BoxState:
    expect_phase(state.phase, event, "play")
    seat = whole(get(event, "seat"), "seat", 0, len(state.players) - 1)
    if seat != state.turn:
        raise IllegalEvent(f"{state.players[seat]} plays: expected {state.players[state.turn]}, whose turn it is")
    turns = whole(event.get("turns", 0), "turns", 0, 3)
    if turns and not state.options.turning:
        raise IllegalEvent(f"turns: expected 0, cards are not turned at this table, got {turns}")
    card = read_card(get(event, "card"), "card")
    at = get(event, "at")
    if not on_lattice(at):
        raise IllegalEvent(f"at: expected a place on the lattice, two whole numbers, got {quote(at)}")
    x, y = (int(value) for value in at)
    placement = place_card(state.board, turned(card, turns), x, y, state.options.blank_covers)
    if placement.board is None:
        raise IllegalEvent(
            f"the card {placement.why}: expected it to cover 1 to 4 dots, or none and to lie next to one"
        )
    return _played(state.with_board(placement.board, plays=state.plays + 1))


def _board_read(state: BoxState, event: Event) -> BoxState:
    """The visible dots after a play, from a photo; `plays` where more than one card was laid since the last."""
    expect_phase(state.phase, event, "play")
    plays = whole(event.get("plays", state.plays + 1), "plays", state.plays, CARDS)
    board = read_board(get(event, "dots"), "dots")
    unchecked = state.unchecked + plays - state.plays
    return _played(state.with_board(board, plays=plays, unchecked=unchecked))


def _played(state: BoxState) -> BoxState:
    return replace(state, phase="reveal") if state.plays == CARDS else state


def _revealed(state: BoxState, event: Event) -> BoxState:
    expect_phase(state.phase, event, "reveal")
    secrets = each(get(event, "colours"), "colours", read_colour, state.teams, state.teams)
    if GRAY in secrets or len(set(secrets)) < len(secrets):
        raise IllegalEvent(f"colours: expected {state.teams} different colours but gray, got {quote(secrets)}")
    phase: Phase = "finished" if state.options.squares == "automatic" else "claim"
    return replace(state, secrets=secrets, claims=((),) * state.teams, phase=phase)


def _claimed(state: BoxState, event: Event) -> BoxState:
    expect_phase(state.phase, event, "claim")
    team = whole(get(event, "team"), "team", 0, state.teams - 1)
    x, y, side = sequence(get(event, "square"), "square", 3, 3)
    square = Square(read_coordinate(x, "square[0]"), read_coordinate(y, "square[1]"), whole(side, "square[2]", 2, 10))
    if square not in squares(state.board, state.secrets[team]):
        raise IllegalEvent(f"square: expected four {state.secrets[team]} corners, got {quote(event['square'])}")
    if square in state.claims[team]:
        raise IllegalEvent(f"square: {quote(event['square'])} is claimed already")
    claims = tuple((*own, square) if place == team else own for place, own in enumerate(state.claims))
    return replace(state, claims=claims)


def _claims_ended(state: BoxState, event: Event) -> BoxState:
    expect_phase(state.phase, event, "claim")
    return replace(state, phase="finished")


def _corrected(state: BoxState, event: Event) -> BoxState:
    """`{x, y, colour}` puts a dot right, with null it is none; in any phase, the scores follow."""
    expect_phase(state.phase, event, "play", "reveal", "claim", "finished")
    place = (read_coordinate(get(event, "x"), "x"), read_coordinate(get(event, "y"), "y"))
    colour = get(event, "colour")
    board = {other: shown for other, shown in state.board.items() if other != place}
    if colour is not None:
        board[place] = read_colour(colour, "colour")
    return state.with_board(board)


EVENTS: Final[Mapping[str, Callable[[BoxState, Event], BoxState]]] = {
    "started": _started,
    "placed": _placed,
    "board_read": _board_read,
    "revealed": _revealed,
    "claimed": _claimed,
    "claims_ended": _claims_ended,
    "corrected": _corrected,
}

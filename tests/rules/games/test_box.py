"""BOX: squares, placements, teams, ties."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesight.rules.game import IllegalEvent, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.box_board import Dot, Square, place_card, score_squares, squares, turned
from tablesight.rules.log import Timeline, replay

BOX = GAMES["box"]
PLACES = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
BOARDS = st.dictionaries(PLACES, st.sampled_from(["blue", "red", "gray"]), max_size=80)


def corners(x: int, y: int, side: int, colour: str = "blue") -> dict[tuple[int, int], str]:
    far = side - 1
    return {(x, y): colour, (x + far, y): colour, (x, y + far): colour, (x + far, y + far): colour}


@pytest.mark.parametrize("side", range(2, 11))
def test_a_square_is_worth_its_side(side: int) -> None:
    board = corners(-3, 4, side)
    assert squares(board, "blue") == (Square(-3, 4, side),)
    assert score_squares(squares(board, "blue")) == side


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        pytest.param(corners(0, 0, 11), 0, id="a side of 11 is worth nothing"),
        pytest.param({(0, 0): "blue"}, 0, id="a single dot is no square"),
        pytest.param({(1, 0): "blue", (0, 1): "blue", (2, 1): "blue", (1, 2): "blue"}, 0, id="a tilted square"),
        pytest.param({**corners(0, 0, 5), (4, 4): "gray"}, 0, id="a gray corner"),
        pytest.param({**corners(0, 0, 5), (2, 0): "red"}, 5, id="other dots on the sides do not matter"),
        pytest.param(dict.fromkeys(product(range(3), range(3)), "blue"), 11, id="overlapping and nested all count"),
    ],
)
def test_what_scores(board: dict[tuple[int, int], str], expected: int) -> None:
    assert score_squares(squares(board, "blue")) == expected


@given(BOARDS)
def test_squares_against_the_definition(board: dict[tuple[int, int], str]) -> None:
    blue = {place for place, colour in board.items() if colour == "blue"}
    found = {
        Square(x, y, side)
        for x, y, side in product(range(-6, 7), range(-6, 7), range(2, 11))
        if {(x, y), (x + side - 1, y), (x, y + side - 1), (x + side - 1, y + side - 1)} <= blue
    }
    assert set(squares(board, "blue")) == found


@given(BOARDS, st.integers(-50, 50), st.integers(-50, 50))
def test_moving_the_whole_board_changes_no_score(board: dict[tuple[int, int], str], dx: int, dy: int) -> None:
    moved = {(x + dx, y + dy): colour for (x, y), colour in board.items()}
    assert score_squares(squares(moved, "red")) == score_squares(squares(board, "red"))


ROW = {(x, 0): "gray" for x in range(6)}


@pytest.mark.parametrize(
    ("cells", "at", "legal", "why"),
    [
        pytest.param([(0, 0, "red")], (0, 1), True, "next to", id="beside a dot"),
        pytest.param([(0, 0, "red")], (6, 1), False, "touches no dot", id="corner to corner is not next to"),
        pytest.param([(0, 0, "red")], (0, 0), True, "covers 1", id="over a gray dot"),
        pytest.param([(x, 0, "red") for x in range(4)], (0, 0), True, "covers 4", id="four is the most"),
        pytest.param([(x, 0, "red") for x in range(5)], (0, 0), False, "covers 5", id="five is too many"),
        pytest.param([(0, 0, "red"), (0, 1, None)], (0, -1), True, "covers 1", id="a blank cell covers"),
        pytest.param([(0, 0, None), (0, 1, "red")], (0, 1), False, "touches no dot", id="a blank beside is no dot"),
    ],
)
def test_placements(cells: list[tuple[int, int, str | None]], at: tuple[int, int], legal: bool, why: str) -> None:
    placement = place_card(ROW, tuple(Dot(*cell) for cell in cells), *at)
    assert (placement.legal, placement.why) == (legal, why)
    assert (placement.board is not None) is legal


def test_a_blank_cell_hides_a_dot_or_lets_it_show() -> None:
    card = (Dot(0, 0, None), Dot(0, 1, "red"))
    hidden = place_card(ROW, card, 2, 0).board
    shown = place_card(ROW, card, 2, 0, blank_covers=False).board
    assert hidden is not None
    assert shown is not None
    assert (2, 0) not in hidden
    assert shown[2, 0] == "gray"


def test_four_quarter_turns_are_none() -> None:
    card = (Dot(0, 0, "red"), Dot(1, 0, "blue"), Dot(1, 2, None))
    assert turned(card, 1) != card
    assert turned(turned(card, 3), 1) == card
    assert turned(card, 4) == card


def begun(players: int = 2, **options: Any) -> Timeline[Any]:
    dots = [[x, y, "gray"] for x, y in ROW]
    return replay(BOX, Setup.seats(players, options), [{"type": "started", "dots": dots}])


def at_the_end(dots: list[list[Any]], players: int = 2, **options: Any) -> Timeline[Any]:
    return begun(players, **options).apply({"type": "board_read", "dots": dots, "plays": 24})


def dots_of(*boards: dict[tuple[int, int], str]) -> list[list[Any]]:
    return [[x, y, colour] for board in boards for (x, y), colour in board.items()]


PLACED = {"type": "placed", "seat": 0, "card": [[0, 0, "red"]], "at": [0, 1]}


@pytest.mark.parametrize(
    ("event", "options", "message"),
    [
        pytest.param({**PLACED, "seat": 1}, {}, "expected seat 0, whose turn it is", id="out of turn"),
        pytest.param({**PLACED, "at": [0.5, 1]}, {}, "expected a place on the lattice", id="not aligned"),
        pytest.param(
            {**PLACED, "at": [0, 9]}, {}, "the card touches no dot: expected it to cover 1 to 4", id="far off"
        ),
        pytest.param({**PLACED, "turns": 1}, {"turning": False}, "cards are not turned at this table", id="turned"),
        pytest.param({**PLACED, "card": []}, {}, "card: expected 1 to 100 entries, got 0", id="an empty card"),
        pytest.param({**PLACED, "card": [[0, 0, "red"]] * 2}, {}, "expected each cell once", id="a cell twice"),
        pytest.param(
            {"type": "revealed", "colours": ["red", "blue"]}, {}, "expected the phase 'reveal'", id="too early"
        ),
        pytest.param(
            {"type": "board_read", "dots": [[0, 0, "red"]] * 2}, {}, "expected each place once", id="dots twice"
        ),
        pytest.param({"type": "board_read", "dots": [], "plays": 25}, {}, "from 0 to 24, got 25", id="25 cards"),
    ],
)
def test_what_cannot_be(event: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(IllegalEvent, match=message):
        begun(**options).apply(event)


def test_a_card_may_be_laid_in_turn() -> None:
    state = begun().apply(PLACED).state
    assert state.board[0, 1] == "red"
    assert (state.turn, state.plays) == (1, 1)
    assert BOX.view(state)["cards_left"] == [11, 12]


def test_a_tie_goes_to_the_first_to_play() -> None:
    timeline = at_the_end(dots_of(corners(0, 0, 4), corners(20, 0, 4, "red")), first=1)
    state = timeline.apply({"type": "revealed", "colours": ["blue", "red"]}).state
    assert (state.scores, state.winners, state.phase) == ((4, 4), (1,), "finished")


@pytest.mark.parametrize(
    ("tie", "winner"),
    [pytest.param("earlier_of_the_tied", 1, id="BX-12"), pytest.param("first_player", 0, id="read literally")],
)
def test_a_tie_of_the_second_and_third(tie: str, winner: int) -> None:
    dots = dots_of(corners(0, 0, 4), corners(20, 0, 4, "red"), corners(40, 0, 2, "green"))
    event = {"type": "revealed", "colours": ["green", "blue", "red"]}
    assert at_the_end(dots, 3, tie=tie).apply(event).state.winners == (winner,)


def test_teams_sit_alternately() -> None:
    timeline = at_the_end(dots_of(corners(0, 0, 4)), 4).apply({"type": "revealed", "colours": ["red", "blue"]})
    report = BOX.report(timeline.state)
    assert [team["seats"] for team in report["teams"]] == [[0, 2], [1, 3]]
    assert report["winners"] == [1]
    assert BOX.view(timeline.state)["totals"] == [0, 4, 0, 4]


def test_only_claimed_squares_count_where_the_table_says_so() -> None:
    timeline = at_the_end(dots_of(corners(0, 0, 4), corners(20, 0, 5)), squares="claimed")
    timeline = timeline.apply({"type": "revealed", "colours": ["blue", "red"]})
    claim = {"type": "claimed", "team": 0, "square": [0, 0, 4]}
    timeline = timeline.apply(claim)
    with pytest.raises(IllegalEvent, match="is claimed already"):
        timeline.apply(claim)
    with pytest.raises(IllegalEvent, match="expected four red corners"):
        timeline.apply({**claim, "team": 1})
    assert timeline.apply({"type": "claims_ended"}).state.scores == (4, 0)


def test_a_wrong_dot_is_put_right_after_the_end() -> None:
    timeline = at_the_end([*dots_of(corners(0, 0, 4)), [9, 9, "red"]])
    timeline = timeline.apply({"type": "revealed", "colours": ["blue", "red"]})
    assert timeline.state.scores == (4, 0)
    timeline = timeline.apply({"type": "corrected", "x": 0, "y": 0, "colour": "gray"})
    assert timeline.state.scores == (0, 0)
    timeline = timeline.apply({"type": "corrected", "x": 9, "y": 9, "colour": None})
    assert (9, 9) not in timeline.state.board


@pytest.mark.parametrize("colours", [["blue", "blue"], ["gray", "red"], ["blue"], ["blue", ""]])
def test_secret_colours_that_cannot_be(colours: list[str]) -> None:
    with pytest.raises(IllegalEvent, match="colour"):
        at_the_end([]).apply({"type": "revealed", "colours": colours})


def test_a_game_played_out(play: Callable[..., Any]) -> None:
    setup, events = play("box", Random(7), 3)
    report = BOX.report(replay(BOX, setup, events).state)
    assert report["plays"] == 24
    assert report["unchecked"] == 0
    assert report["scores"] == [sum(side for _, _, side in team["squares"]) for team in report["teams"]]

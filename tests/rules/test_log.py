"""The append-only log: undo, redo, and the index of an illegal event."""

from __future__ import annotations

from typing import Any

import pytest

from tablesight.rules.errors import IllegalEvent, IllegalLog
from tablesight.rules.game import Setup
from tablesight.rules.games import GAMES
from tablesight.rules.log import Timeline, replay

PIRATES = GAMES["pirate-box"]
TWO = Setup(("Anna", "Ben"))


def placed(seat: int, space: int) -> dict[str, Any]:
    return {"type": "placed", "seat": seat, "space": space}


def test_an_illegal_event_is_named_by_its_place() -> None:
    with pytest.raises(IllegalLog, match="event 2: Ben places: expected Anna") as caught:
        replay(PIRATES, TWO, [placed(0, 0), placed(1, 1), placed(1, 2)])
    assert caught.value.index == 2
    assert caught.value.reason.startswith("Ben places")


def test_several_undos_and_redos() -> None:
    undone, redone = {"type": "undone"}, {"type": "redone"}
    events = [placed(0, 0), placed(1, 1), undone, undone, redone]
    timeline = replay(PIRATES, TWO, events)
    assert timeline.state == replay(PIRATES, TWO, events[:1]).state
    assert (timeline.can_undo, timeline.can_redo) == (True, True)


def test_after_something_new_there_is_nothing_to_redo() -> None:
    timeline = replay(PIRATES, TWO, [placed(0, 0), {"type": "undone"}, placed(0, 5)])
    assert not timeline.can_redo
    with pytest.raises(IllegalEvent, match="nothing to redo"):
        timeline.apply({"type": "redone"})


def test_a_refused_event_leaves_what_was_undone() -> None:
    timeline = replay(PIRATES, TWO, [placed(0, 0), {"type": "undone"}])
    with pytest.raises(IllegalEvent):
        timeline.apply(placed(1, 0))
    assert timeline.can_redo


@pytest.mark.parametrize("event", [None, 3, "undone", [], {}, {"type": None}, {"type": ["undone"]}, {"type": "Undone"}])
def test_what_is_no_event(event: Any) -> None:
    with pytest.raises(IllegalEvent, match="expected"):
        Timeline.start(PIRATES, TWO).apply(event)

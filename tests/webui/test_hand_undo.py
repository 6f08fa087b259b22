"""The games that are played by hand: undo says what it takes back, and takes back nothing else."""

from __future__ import annotations

from typing import Any

import pytest

Table = Any

PLAYED = [
    pytest.param("pirate-box", ("Ana", "Ben"), [({"type": "shut"}, None)], id="the captain shuts the chest"),
    pytest.param(
        "pirate-box",
        ("Ana", "Ben"),
        [({"type": "shut"}, None), ({"type": "placed", "seat": 0, "space": 3}, 0)],
        id="a token is put down",
    ),
    pytest.param(
        "box",
        ("Ana", "Ben"),
        [
            ({"type": "started", "dots": [[0, 0, "red"]]}, None),
            ({"type": "board_read", "dots": [[0, 0, "red"], [1, 0, "blue"]]}, 0),
        ],
        id="a card is laid",
    ),
    pytest.param(
        "pandoras-box",
        ("Ana", "Ben"),
        [
            ({"type": "start_rolled", "rolls": [6, 2]}, None),
            ({"type": "gods_drawn", "gods": ["ares", "hades"]}, None),
            ({"type": "board_ready"}, None),
            ({"type": "corrected", "seat": 1, "tokens": 2}, 1),
            ({"type": "turn_ended"}, 0),
        ],
        id="the warlords' first turn",
    ),
]


@pytest.mark.parametrize(("game", "players", "events"), PLAYED)
def test_undo_names_the_last_event_and_whose_it_was(
    table: Table, game: str, players: tuple[str, ...], events: list[tuple[dict[str, Any], int | None]]
) -> None:
    status, reply = table.post("/api/games", {"players": list(players), "game": game})
    assert status == 201
    assert table.game["undoes"] is None
    for event, seat in events:
        status, answer = table.post(f"/api/games/{reply['id']}/events", event)
        assert status == 200, answer
        assert table.game["undoes"] == {"type": event["type"], "seat": seat}
    for event, seat in reversed(events):
        assert table.game["undoes"] == {"type": event["type"], "seat": seat}
        assert table.post(f"/api/games/{reply['id']}/undo", {"seq": table.game["last"]["seq"]})[0] == 200
        assert table.game["last"]["turned"] == {"type": event["type"], "seat": seat}  # for those who did not tap
    assert table.game["undoes"] is None
    assert table.post(f"/api/games/{reply['id']}/redo", {})[0] == 200
    assert table.game["last"]["turned"] == {"type": events[0][0]["type"], "seat": events[0][1]}

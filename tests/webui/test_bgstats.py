"""The link to BG Stats, field by field as its public page describes it."""

from __future__ import annotations

import json
from urllib.parse import unquote

from tablesight.webui.bgstats import ADDRESS, bgstats_link
from tablesight.webui.log_entry import LogEntry
from tablesight.webui.record import Record, replayed

FIRST_S = 1_790_000_000.0
"""2026-09-21 14:13:20 UTC"""


def game(*events: dict[str, object]) -> Record:
    start: dict[str, object] = {
        "type": "game_started", "version": 1, "game": "panda-royale", "players": ["Zoë & Co", "Ben", "Cleo"],
        "options": {},
    }  # fmt: skip
    entries = [
        LogEntry(seq, "g1", FIRST_S + 600 * (seq - 1), "", event) for seq, event in enumerate((start, *events), start=1)
    ]
    record = replayed(entries)
    assert record is not None
    return record


def rolled(*values: int) -> dict[str, object]:
    return {"type": "rolled", "dice": [[{"kind": "yellow-d6", "value": value}] for value in values]}


def test_the_link_is_what_the_app_reads() -> None:
    link = bgstats_link(game(rolled(3, 6, 2)))
    assert link.startswith("bgstats://app.bgstatsapp.com/createPlay.html?data=%7B")
    assert not set(link.removeprefix(ADDRESS)) & set(' "{}&#/+')  # nothing that would end the parameter
    play = json.loads(unquote(link.removeprefix(ADDRESS)))
    assert play == {
        "sourceName": "Tablesight",
        "sourcePlayId": "g1",
        "playDate": "2026-09-21 14:13:20",
        "durationMin": 10,
        "game": {
            "name": "Panda Royale", "sourceGameId": "panda-royale", "highestWins": True, "noPoints": False,
        },
        "players": [
            {
                "name": "Zoë & Co", "sourcePlayerId": "Zoë & Co", "score": 3, "winner": False, "rank": 2,
                "startPlayer": False,
            },
            {"name": "Ben", "sourcePlayerId": "Ben", "score": 6, "winner": True, "rank": 1, "startPlayer": False},
            {"name": "Cleo", "sourcePlayerId": "Cleo", "score": 2, "winner": False, "rank": 3, "startPlayer": False},
        ],
    }  # fmt: skip


def test_a_shared_win_is_everybody_s_and_the_next_place_is_left_out() -> None:
    tied = {"type": "rerolled", "dice": [[{"kind": "yellow-d6", "value": value}] for value in (6, 6, 2)]}
    record = game(rolled(6, 6, 2), tied)
    play = json.loads(unquote(bgstats_link(record).removeprefix(ADDRESS)))
    totals = record.state.totals
    for player, total in zip(play["players"], totals, strict=True):
        assert player["winner"] == (total == max(totals))
        assert player["rank"] == 1 + sum(other > total for other in totals)


def test_a_game_left_open_for_days_has_no_duration() -> None:
    record = game(*[rolled(3, 6, 2)])
    slow = Record(
        record.id,
        record.started_at_s - 3 * 86400,
        False,
        record.timeline,
        record.notes,
        record.undone_notes,
        record.last,
    )
    assert "durationMin" not in json.loads(unquote(bgstats_link(slow).removeprefix(ADDRESS)))

"""The score sheet that goes out, earlier games, and what is left after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

Table = Any


def test_the_sheet_goes_out_as_csv_and_json(table: Table) -> None:
    game_id = table.start("=Ana", "Ben")
    table.see(0, [("yellow-d6", 2)])
    table.see(1, [("yellow-d6", 5)])
    text = table.client.get(f"/api/games/{game_id}/sheet.csv").get_data(as_text=True)
    assert "player,round,yellow,purple,blue,red,green,clear,pink,total" in text
    assert "'=Ana,1,2,0,0,0,0,0,0,2" in text
    data = table.client.get(f"/api/games/{game_id}/sheet.json").get_json()
    assert data["rounds"][0]["dice"] == [[{"kind": "yellow-d6", "value": 2}], [{"kind": "yellow-d6", "value": 5}]]
    assert data["totals"] == [2, 5]


def test_the_final_sheet_is_a_picture_too_and_games_are_listed_with_their_scores(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 2)])
    table.see(1, [("yellow-d6", 5)])
    png = table.client.get(f"/api/games/{game_id}/sheet.png").data
    assert png.startswith(b"\x89PNG")
    (listed,) = table.client.get("/api/games").get_json()["games"]
    assert (listed["players"], listed["totals"], listed["ended"]) == (["Ana", "Ben"], [2, 5], False)
    assert (listed["best_rounds"], listed["luck"]) == ([2, 5], [-1.5, 1.5])  # a yellow d6 shows 3.5 on average


def test_the_state_survives_a_restart_to_the_last_entry(tmp_path: Path, make_table: Any) -> None:
    first = make_table(tmp_path / "data")
    game_id = first.start("Ana", "Ben")
    first.see(0, [("yellow-d6", 2)])
    first.post(f"/api/games/{game_id}/corrections", {"round": 1, "seat": 0, "die": 0, "value": 6})
    first.see(1, [("yellow-d6", 5)])
    before = first.game
    first.house.close()
    second = make_table(tmp_path / "data")
    assert second.game == before
    second.house.close()

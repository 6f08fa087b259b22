"""docs/rules.md names every option with all its values, and every event; its example runs."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

from tablesight.rules.game import Game
from tablesight.rules.games import GAMES

DOCS = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
TEXT = DOCS.read_text(encoding="utf-8")


def section(game: Game[object]) -> str:
    (part,) = [part for part in re.split(r"^## ", TEXT, flags=re.M) if f"(`{game.id}`" in part]
    return part


def module_of(game: Game[object]) -> ModuleType:
    return importlib.import_module(type(game).__module__)


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])
def test_every_option_is_documented_with_its_default_first(game: Game[object]) -> None:
    text = section(game)
    for option in game.options:
        (row,) = re.findall(rf"^\| `{option.name}` \| (.*?) \| (.*) \|$", text, flags=re.M)
        values = re.findall(r"`([^`]+)`", row[0])
        assert values[0] == str(option.default).lower()
        assert sorted(values) == sorted(str(choice).lower() for choice in option.choices)
        assert option.decision in row[1]


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])
def test_every_event_is_documented(game: Game[object]) -> None:
    events = set(module_of(game).EVENTS)
    documented = set(re.findall(r"^\| `(\w+)` \|", section(game), flags=re.M))
    assert events <= documented
    assert documented - {option.name for option in game.options} == events


def test_the_example_runs() -> None:
    result = doctest.testfile(str(DOCS), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0

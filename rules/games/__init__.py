"""The games, by id."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from tablesight.rules.game import Game
from tablesight.rules.games.box import Box
from tablesight.rules.games.panda_royale import PandaRoyale
from tablesight.rules.games.pandoras_box import PandorasBox
from tablesight.rules.games.pirate_box import PirateBox

GAMES: Final[Mapping[str, Game[Any]]] = MappingProxyType(
    {game.id: game for game in (PandaRoyale(), PirateBox(), Box(), PandorasBox())}
)

"""Pandora's Box: gods, cards, units, modes by name, in Portuguese (as printed) and English [GD:3-78,203-335]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

Family = Literal["battle", "movement", "effect"]


@dataclass(frozen=True, slots=True)
class God:
    """One god: names, colour, and the piece of the objective; four pieces win."""

    id: str
    portuguese: str
    english: str
    colour: str
    piece: str
    piece_portuguese: str
    piece_english: str


GODS: Final[Mapping[str, God]] = MappingProxyType(
    {
        god.id: god
        for god in (
            God("ares", "Ares", "Ares", "red", "fort", "forte", "fort"),
            God("artemis", "Ártemis", "Artemis", "green", "hunt", "cabeça de caça", "hunt head"),
            God("zeus", "Zeus", "Zeus", "gold", "forge", "forja de raio", "lightning forge"),
            God("apolo", "Apolo", "Apollo", "orange", "sun", "sol", "sun"),
            God("hades", "Hades", "Hades", "purple", "portal", "portal", "portal"),
            God("atena", "Atena", "Athena", "white", "city", "cidade", "city"),
            God("poseidon", "Poseidon", "Poseidon", "blue", "sea", "mar", "sea"),
            God("hermes", "Hermes", "Hermes", "gray", "sandal", "sandália voadora", "winged sandal"),
        )
    }
)


@dataclass(frozen=True, slots=True)
class CardKind:
    """One kind of card. `portuguese` is as printed, misprints included; one movement card has no name."""

    id: str
    portuguese: str
    english: str
    family: Family
    count: int
    effect: str


_CARDS: Final = (
    CardKind("flank", "Flanquear", "Flank", "battle", 4, "cavalry jumps an enemy unit and gets +1"),
    CardKind("volley", "Saraivada", "Volley", "battle", 4, "archers attack at one space's distance"),
    CardKind("phalanx", "Falange", "Phalanx", "battle", 6, "the attacking of two adjacent lancers gets +2"),
    CardKind("leadership", "Liderança", "Leadership", "battle", 6, "+1"),
    CardKind("experience", "Experiência", "Experience", "battle", 4, "+2"),
    CardKind("supremacy", "Sepremacia", "Supremacy", "battle", 1, "+3"),
    CardKind("morale", "Moral", "Morale", "battle", 3, "roll the own die again in battle"),
    CardKind("swift_step", "Passo Acelerado", "Swift Step", "movement", 5, "a troop moves 1 further"),
    CardKind("forced_march", "Marcha Forçada", "Forced March", "movement", 3, "a troop moves 2 further"),
    CardKind("marathon", "Maratona", "Marathon", "movement", 1, "a troop moves 3 further"),
    CardKind("hero_step", "", "", "movement", 5, "the hero moves 1 further"),
    CardKind("chariot", "Biga", "Chariot", "movement", 3, "the hero moves 2 further"),
    CardKind("hermes_blessing", "Benção de Hermes", "Blessing of Hermes", "movement", 1, "the hero moves 3 further"),
    CardKind("corruption", "Corrupção", "Corruption", "movement", 3, "move 1 unit of the opponent"),
    CardKind("desertion", "Deserção", "Desertion", "movement", 2, "move 2 units of the opponent"),
    CardKind("eris_curse", "Maldição de Éris", "Curse of Eris", "movement", 1, "move 3 units of the opponent"),
    CardKind(
        *("aphrodite_apple", "Maçã de Afrodite", "Apple of Aphrodite", "effect", 2),
        "swap a living enemy troop for a dead own troop of the same type",
    ),
    CardKind("pan_sonnet", "Soneto de Pan", "Sonnet of Pan", "effect", 3, "a creature kills nobody for a round"),
    CardKind("drought", "Estiagem", "Drought", "effect", 2, "the opponent creates no units next round"),
    CardKind("pandora_box", "Caixa de Pandora", "Pandora's Box", "effect", 4, "the active power of the god"),
    CardKind("shield", "Escudo", "Shield", "effect", 4, "guards the owner for a turn from god and card effects"),
    CardKind("demeter_acolyte", "Acólito de Deméter", "Acolyte of Demeter", "effect", 2, "3 units reborn in a temple"),
    CardKind(
        "hera_order", "Ordem de Hera", "Order of Hera", "effect", 2, "a player may not attack or affect the owner"
    ),
    CardKind("fates_eye", "O Olho das Parcas", "Eye of the Fates", "effect", 2, "the hero revives beside an own troop"),
    CardKind("mire", "Atoleiro", "Mire", "effect", 4, "paralyses 1 unit of the opponent"),
    CardKind("torrent", "Torrente", "Torrent", "effect", 2, "paralyses 2 units of the opponent"),
    CardKind("medusa_gaze", "Visão da Medusa", "Gaze of Medusa", "effect", 1, "paralyses 3 units of the opponent"),
    CardKind("supplies", "Suprimentos", "Supplies", "effect", 3, "1 unit ignores paralysis"),
    CardKind("logistics", "Logística", "Logistics", "effect", 2, "2 units ignore paralysis"),
    CardKind("aegis_reflection", "Reflexo de Aegis", "Reflection of Aegis", "effect", 1, "3 units ignore paralysis"),
)
CARDS: Final[Mapping[str, CardKind]] = MappingProxyType({card.id: card for card in _CARDS})
BATTLE_CARDS: Final = tuple(card.id for card in _CARDS if card.family == "battle")

TROOPS: Final = ("lancer", "archer", "cavalry")
UNIT_TYPES: Final = (*TROOPS, "hero", "spartan", "creature")
UNIT_NAMES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "lancer": ("Lanceiro", "lancer"),
        "archer": ("Arqueiro", "archer"),
        "cavalry": ("Cavalaria", "cavalry"),
        "hero": ("Herói", "hero"),
        "spartan": ("Espartano", "Spartan"),
        "creature": ("Criatura", "creature"),
    }
)

PRICES: Final[Mapping[str, int]] = MappingProxyType({"quick": 3, "standard": 4, "long": 5})
"""Sacrifice tokens for a piece of the objective, by mode [GD:74-78]."""

PIECES_TO_WIN: Final = 4
TOKENS_LOST: Final = 2
HAND_LIMIT: Final = 3
TOKEN_SUPPLY: Final = 60

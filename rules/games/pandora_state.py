"""Pandora's Box: the state of the companion. The board itself stays on the table (GD-08)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from tablesight.rules.games.pandora_catalog import GODS, PIECES_TO_WIN, TROOPS
from tablesight.rules.options import Option

STATE_VERSION: Final = 1

Phase = Literal["start", "gods", "passive", "board", "play", "finished"]

STEPS: Final = ("revive", "draw", "cards", "move", "battle", "lay_down", "objective")
"""The steps of a turn in order [GD:93-95]; a later step ends the earlier ones."""

OPTIONS: Final = (
    Option("mode", "standard", ("quick", "standard", "long"), "3, 4 or 5 tokens for a piece of the objective", "GD-03"),
    Option("win", "at_once", ("at_once", "end_of_round"), "when the fourth piece wins", "GD-01"),
    Option("start_tokens", 0, (0, 1, 2, 3), "sacrifice tokens of each player at the start", "GD-05"),
    Option("start_cards", 0, (0, 1, 2, 3), "cards of each player at the start", "GD-05"),
    Option("empty_pile", "shuffle", ("shuffle", "no_cards"), "what happens when the draw pile is empty", "GD-12"),
    Option("unwanted_cards", True, (True, False), "unwanted cards may be laid down in step 6", "GD-13"),
    Option("defender_cards", True, (True, False), "the defender may play battle cards", "GD-14"),
    Option("most_battle_cards", 3, (1, 2, 3), "battle cards of one side in one battle", "GD-16"),
    Option("ties", "roll_again", ("roll_again", "defender_holds", "nothing"), "equal values in a battle", "GD-20"),
    Option("relic_tokens", "one", ("one", "each"), "extra tokens for a winner with several relics", "GD-26"),
    Option("hunted_again", "roll_again", ("roll_again", "no_piece"), "the hunt picks the last player hunted", "GD-27"),
    Option("no_victim", "tokens_kept", ("tokens_kept", "tokens_paid"), "the target has no legal victim", "GD-29"),
    Option("apollo", "from_5_players", ("from_5_players", "fewer_suns"), "Apollo below five players", "GD-30"),
    Option("lit_again", "roll_again", ("roll_again", "no_piece"), "the roll picks a temple already lit", "GD-31"),
    Option("zeus_passive", "once", ("once", "every_turn"), "when Zeus rolls for his passive power", "GD-32"),
    Option("pieces_add", True, (True, False), "two forts, seas or sandals beside a unit count twice", "GD-33"),
    Option("move_bonus", "at_start", ("at_start", "on_the_way"), "where seas and sandals lengthen a move", "GD-34"),
    Option("distance_attack", 1, (1, 0), "spaces between attacker and target of a distance attack", "GD-35"),
    Option("beside_sheltered", True, (True, False), "building beside Hades' sheltered unit is allowed", "GD-37"),
    Option("cards", 86, (86, 85), "cards in the box: the list adds up to 86, the sum printed is 85", "GD-39"),
    Option("tokens", "60", ("60", "unlimited"), "the supply of sacrifice tokens", "GD-40"),
    Option("spartans_last", "till_death", ("till_death", "till_next_turn"), "how long troops stay Spartans", "GD-42"),
    Option("creatures", "step_5", ("step_5", "at_once"), "creatures are fought in step 5, or as soon as met", "GD-47"),
    Option(
        "paralysed", "no_move_no_attack", ("no_move_no_attack", "no_move"), "what paralysed units cannot do", "GD-48"
    ),
    Option(
        "guards_last",
        "own_next_turn",
        ("own_next_turn", "one_turn"),
        "how long Escudo and Ordem de Hera last",
        "GD-49",
    ),
    Option("jump_is_a_step", True, (True, False), "the space jumped with Flanquear counts as a step", "GD-50"),
)


@dataclass(frozen=True, slots=True)
class PandoraOptions:
    """The table's choices, named as in OPTIONS."""

    mode: str
    win: str
    start_tokens: int
    start_cards: int
    empty_pile: str
    unwanted_cards: bool
    defender_cards: bool
    most_battle_cards: int
    ties: str
    relic_tokens: str
    hunted_again: str
    no_victim: str
    apollo: str
    lit_again: str
    zeus_passive: str
    pieces_add: bool
    move_bonus: str
    distance_attack: int
    beside_sheltered: bool
    cards: int
    tokens: str
    spartans_last: str
    creatures: str
    paralysed: str
    guards_last: str
    jump_is_a_step: bool

    def to_json(self) -> dict[str, Any]:
        """The choices as they are written into a log."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of a player. `bonus` are the steps that movement cards add this turn; `paralysed_by` a seat."""

    id: str
    type: str
    alive: bool = True
    spartan: bool = False
    relics: int = 0
    moved: bool = False
    attacked: bool = False
    bonus: int = 0
    paralysed_by: int | None = None

    @property
    def fights_as(self) -> str:
        """The type that counts in battle and movement: a Spartan is no lancer, archer or cavalry (GD-22)."""
        return "spartan" if self.spartan else self.type


def army() -> tuple[Unit, ...]:
    """2 lancers, 2 archers, 2 cavalry and the hero [GD:88]."""
    troops = tuple(Unit(f"{kind}-{number}", kind) for kind in TROOPS for number in (1, 2))
    return (*troops, Unit("hero", "hero"))


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect card in force: it lasts until the caster's next turn [GD:132-133]."""

    card: str
    caster: int
    target: int | None


@dataclass(frozen=True, slots=True)
class Warlord:
    """What one player has. `passive` is the god whose passive power holds: the own one, for Zeus a copied one."""

    god: str | None = None
    passive: str | None = None
    tokens: int = 0
    pieces: int = 0
    cards: int = 0
    creatures: int = 0
    units: tuple[Unit, ...] = ()
    last_hunted: int | None = None
    lit: tuple[int, ...] = ()

    def unit(self, name: str) -> Unit | None:
        """The unit with this id."""
        return next((unit for unit in self.units if unit.id == name), None)


@dataclass(frozen=True, slots=True)
class Turn:
    """What has happened in the current turn; `step` is an index into STEPS."""

    step: int = 0
    revived: bool = False
    drawn: bool = False
    tried: bool = False
    passive_rolled: bool = False
    looked: bool = False
    powers_used: int = 0
    extra: int = 0
    """Further turns of the same player that Apollo's active power has won."""
    may_roll_extra: bool = False
    temples_done: bool = False
    """Whether the temples were put back, rolled for, or taken off in this turn."""


@dataclass(frozen=True, slots=True)
class PandoraState:
    """A game of Pandora's Box. `told` says in words what the last event did."""

    players: tuple[str, ...]
    options: PandoraOptions
    phase: Phase = "start"
    warlords: tuple[Warlord, ...] = ()
    contenders: tuple[int, ...] = ()
    starter: int | None = None
    seat: int = 0
    turn: Turn = Turn()
    round_number: int = 1
    pile: int = 0
    discards: int = 0
    relics_on_board: int = 0
    temples_off_by: int | None = None
    """The seat whose power took temples and Olympus off the board, until it puts them back."""
    effects: tuple[Effect, ...] = ()
    winners: tuple[int, ...] = ()
    told: str = ""

    @property
    def me(self) -> Warlord:
        """The player whose turn it is."""
        return self.warlords[self.seat]

    @property
    def name(self) -> str:
        """The name of the player whose turn it is."""
        return self.players[self.seat]

    def god_name(self, seat: int) -> str:
        """A player with god, for messages."""
        god = self.warlords[seat].god
        return f"{self.players[seat]} ({GODS[god].english})" if god else self.players[seat]

    def with_warlord(self, seat: int, **changes: Any) -> PandoraState:
        """The state with one player's things changed."""
        warlord = replace(self.warlords[seat], **changes)
        return replace(self, warlords=(*self.warlords[:seat], warlord, *self.warlords[seat + 1 :]))

    def with_unit(self, seat: int, name: str, **changes: Any) -> PandoraState:
        """The state with one unit changed."""
        return self.with_units(seat, lambda unit: replace(unit, **changes) if unit.id == name else unit)

    def with_units(self, seat: int, change: Callable[[Unit], Unit]) -> PandoraState:
        """The state with every unit of a player passed through a function."""
        return self.with_warlord(seat, units=tuple(change(unit) for unit in self.warlords[seat].units))

    def effect_on(self, seat: int, card: str, caster: int | None = None) -> bool:
        """Whether an effect card of this kind lies before a player (cast by a certain one)."""
        return any(
            effect.card == card and effect.target == seat and caster in (None, effect.caster) for effect in self.effects
        )

    def pieces_to_win(self, seat: int) -> int:
        """Four; for Apollo below five players all the others' temples, by option (GD-30)."""
        fewer = self.options.apollo == "fewer_suns" and self.warlords[seat].god == "apolo"
        return min(PIECES_TO_WIN, len(self.players) - 1) if fewer else PIECES_TO_WIN

    def tokens_free(self) -> int:
        """How many sacrifice tokens can still be won (GD-40)."""
        if self.options.tokens == "unlimited":
            return 10_000
        return int(self.options.tokens) - sum(warlord.tokens for warlord in self.warlords)

    def paid(self, seat: int, tokens: int) -> PandoraState:
        """The state after a player wins (or loses) tokens, as far as the supply goes."""
        won = min(tokens, max(0, self.tokens_free()))
        return self.with_warlord(seat, tokens=max(0, self.warlords[seat].tokens + won))

"""Pandora's Box, the companion: set-up, steps of a turn, fights, objectives, the win."""

from __future__ import annotations

from typing import Any

import pytest

from tablesight.rules.game import IllegalEvent, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.log import Timeline, replay

BOX = GAMES["pandoras-box"]


def begun(*gods: str, hands: int = 3, **options: Any) -> Timeline[Any]:
    """Seat 0 begins; everybody holds `hands` cards."""
    options = {"start_cards": hands, **options}
    players = len(gods)
    events: list[dict[str, Any]] = [
        {"type": "start_rolled", "rolls": [6, *[1] * (players - 1)]},
        {"type": "gods_drawn", "gods": list(gods)},
    ]
    if "zeus" in gods:
        events.append({"type": "passive_rolled", "roll": 1})
    return replay(BOX, Setup.seats(players, options), [*events, {"type": "board_ready"}])


def do(timeline: Timeline[Any], *events: dict[str, Any]) -> Timeline[Any]:
    for event in events:
        timeline = timeline.apply(event)
    return timeline


def unit(timeline: Timeline[Any], seat: int, name: str) -> Any:
    found = timeline.state.warlords[seat].unit(name)
    assert found is not None
    return found


END = {"type": "turn_ended"}


def battle(name: str, other_unit: str, *rolls: list[int], seat: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": "battled", "unit": name, "seat": seat, "other_unit": other_unit, "rolls": list(rolls), **more}


def give(seat: int, **what: Any) -> dict[str, Any]:
    return {"type": "corrected", "seat": seat, **what}


def test_those_tied_for_the_start_roll_again() -> None:
    timeline = Timeline.start(BOX, Setup.seats(3)).apply({"type": "start_rolled", "rolls": [5, 2, 5]})
    assert BOX.legal(timeline.state) == [{"type": "start_rolled", "seats": [0, 2]}]
    timeline = timeline.apply({"type": "start_rolled", "rolls": [1, 3]})
    assert (timeline.state.starter, timeline.state.phase) == (2, "gods")


@pytest.mark.parametrize(
    ("gods", "options", "message"),
    [
        pytest.param(["ares", "ares", "hades"], {}, "a different god for each", id="a god twice"),
        pytest.param(["ares", "apolo", "hades"], {}, "got 'apolo'", id="Apollo below five players (GD-30)"),
        pytest.param(["ares", "artemis"], {}, "got 'artemis'", id="Artemis with two players (GD-27)"),
        pytest.param(["ares", "thor", "hades"], {}, "got 'thor'", id="a god of elsewhere"),
    ],
)
def test_gods_that_cannot_be_drawn(gods: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(IllegalEvent, match=message):
        begun(*gods, **options)


def test_apollo_below_five_players_by_option() -> None:
    assert begun("ares", "apolo", "hades", apollo="fewer_suns").state.pieces_to_win(1) == 2


def test_zeus_copies_a_passive_power() -> None:
    timeline = begun("zeus", "hermes", "ares")
    assert timeline.state.warlords[0].passive == "hermes"
    moves = next(move for move in BOX.legal(timeline.state) if move["type"] == "moved")
    assert {entry["unit"]: entry["steps"] for entry in moves["units"]}["hero"] == 3


def test_steps_go_forward_only() -> None:
    timeline = do(begun("ares", "hades", "atena", hands=0), {"type": "moved", "unit": "hero"})
    with pytest.raises(IllegalEvent, match="step 'draw' is over in this turn, expected move, battle"):
        timeline.apply({"type": "card_drawn"})


def test_each_unit_moves_once_and_no_further_than_it_can() -> None:
    timeline = begun("ares", "hades", "atena")
    with pytest.raises(IllegalEvent, match="steps of lancer-1: expected a whole number from 0 to 2, got 3"):
        timeline.apply({"type": "moved", "unit": "lancer-1", "steps": 3})
    timeline = timeline.apply({"type": "moved", "unit": "lancer-1", "steps": 2})
    with pytest.raises(IllegalEvent, match="lancer-1 has moved in this turn"):
        timeline.apply({"type": "moved", "unit": "lancer-1"})
    assert do(timeline, END, END, END, {"type": "moved", "unit": "lancer-1"}).state.round_number == 2


def test_a_battle_moves_relic_tokens_and_cards() -> None:
    timeline = do(
        begun("ares", "hades", "atena"),
        {"type": "moved", "unit": "cavalry-1", "takes_relic": True},
        battle("cavalry-1", "archer-1", [3, 5], [4, 1], attacker_cards=["leadership"]),
    )
    assert not unit(timeline, 1, "archer-1").alive
    assert (timeline.state.me.tokens, timeline.state.me.cards) == (2, 2)
    assert timeline.state.told == "cavalry-1 6 against archer-1 1: seat 0 wins"
    with pytest.raises(IllegalEvent, match="cavalry-1 has attacked in this turn"):
        timeline.apply(battle("cavalry-1", "archer-2", [3, 5]))
    # the beaten carrier's relic goes to the winner
    timeline = do(timeline, END, battle("lancer-1", "cavalry-1", [6, 1], seat=0))
    assert unit(timeline, 1, "lancer-1").relics == 1
    assert timeline.state.warlords[1].tokens == 1


def test_a_tie_needs_another_roll_or_the_tables_option() -> None:
    with pytest.raises(IllegalEvent, match="expected another pair of rolls"):
        begun("ares", "hades", "atena").apply(battle("hero", "hero", [3, 3]))
    timeline = begun("ares", "hades", "atena", ties="defender_holds").apply(battle("hero", "hero", [3, 3]))
    assert not unit(timeline, 0, "hero").alive


@pytest.mark.parametrize(
    ("event", "options", "message"),
    [
        pytest.param(battle("hero", "hero", [6, 1], seat=0), {}, "expected an opponent of seat 0", id="oneself"),
        pytest.param(battle("hero", "hero", [7, 1]), {}, "from 1 to 6, got 7", id="a face that is none"),
        pytest.param(battle("hero", "hero", [6, 1], attacker={"distance": 1}), {}, "expected at most 0", id="too far"),
        pytest.param(
            battle("hero", "hero", [6, 1], attacker_cards=["leadership"] * 4), {}, "0 to 3 entries, got 4", id="4 cards"
        ),
        pytest.param(
            battle("hero", "hero", [6, 1], defender_cards=["morale"]),
            {"defender_cards": False},
            "expected 0",
            id="GD-14",
        ),
        pytest.param(battle("hero", "hero", [6, 1], attacker_cards=["mire"]), {}, "got 'mire'", id="no battle card"),
        pytest.param(battle("creature-1", "hero", [6, 1]), {}, "got 'creature-1'", id="a creature one has not"),
    ],
)
def test_battles_that_cannot_be(event: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(IllegalEvent, match=message):
        begun("ares", "hades", "atena", **options).apply(event)


def test_archers_with_saraivada_and_artemis_hero_attack_from_afar() -> None:
    far = {"distance": 1}
    volley = battle("archer-1", "hero", [6, 1], attacker=far, attacker_cards=["volley"])
    assert begun("ares", "hades", "atena").apply(volley).state.me.tokens == 1
    assert begun("artemis", "hades", "atena").apply(battle("hero", "hero", [6, 1], attacker=far)).state.me.tokens == 1


def test_revival_is_free_once_and_then_costs_a_token() -> None:
    dead = [give(0, unit=name, alive=False) for name in ("hero", "archer-1")]
    timeline = do(begun("ares", "hades", "atena"), *dead, {"type": "revived", "unit": "hero"})
    with pytest.raises(IllegalEvent, match="expected a token for another one, got none"):
        timeline.apply({"type": "revived", "unit": "archer-1"})
    timeline = do(timeline, give(0, tokens=2), {"type": "revived", "unit": "archer-1"})
    assert timeline.state.me.tokens == 1
    with pytest.raises(IllegalEvent, match="only Athena revives in a city"):
        do(timeline, give(0, unit="hero", alive=False), {"type": "revived", "unit": "hero", "where": "city"})


def tried(roll: int, **more: Any) -> dict[str, Any]:
    return {"type": "objective_rolled", "roll": roll, **more}


def test_the_fourth_piece_wins() -> None:
    timeline = begun("ares", "hades", "atena", mode="quick").apply(give(0, tokens=4, pieces=3))
    assert timeline.apply(tried(1)).state.me.tokens == 2
    assert timeline.apply(tried(2)).state.me.tokens == 4
    won = timeline.apply(tried(3))
    assert (won.state.phase, won.state.winners, won.state.me.tokens) == ("finished", (0,), 1)
    with pytest.raises(IllegalEvent, match="has 2 tokens, expected 3 for a try"):
        do(timeline, give(0, tokens=2), tried(3))
    with pytest.raises(IllegalEvent, match="has tried the objective in this turn"):
        do(timeline, tried(2), tried(3))


def test_by_option_the_round_is_played_out() -> None:
    timeline = do(
        begun("ares", "hades", "atena", mode="quick", win="end_of_round"),
        give(0, tokens=3, pieces=3),
        tried(6),
        END,
        give(1, tokens=3, pieces=3),
        tried(6),
        END,
        END,
    )
    assert (timeline.state.phase, timeline.state.winners) == ("finished", (0, 1))


def test_the_hunt() -> None:
    start = begun("artemis", "hades", "atena", mode="quick").apply(give(0, tokens=9))
    timeline = start.apply(tried(5, target_rolls=[1], victim="hero"))
    assert (timeline.state.me.pieces, timeline.state.me.last_hunted) == (1, 1)
    assert not unit(timeline, 1, "hero").alive
    again = do(timeline, END, END, END)
    with pytest.raises(IllegalEvent, match="the last picks seat 1 again, expected another roll"):
        again.apply(tried(5, target_rolls=[1], victim="archer-1"))
    assert again.apply(tried(5, target_rolls=[1, 3, 2], victim="hero")).state.me.pieces == 2
    missed = start.apply(tried(5, target_rolls=[1], victim=None))
    assert (missed.state.me.pieces, missed.state.me.tokens) == (0, 9)
    with pytest.raises(IllegalEvent, match="picks seat 1, expected no further roll"):
        start.apply(tried(5, target_rolls=[1, 2], victim="hero"))


def test_suns_light_each_temple_once() -> None:
    gods = ("apolo", "ares", "hades", "atena", "hermes")
    timeline = do(begun(*gods, mode="quick"), give(0, tokens=9), tried(5, target_rolls=[1], reached=True))
    assert timeline.state.me.lit == (1,)
    again = do(timeline, END, END, END, END, END)
    with pytest.raises(IllegalEvent, match="expected another roll"):
        again.apply(tried(5, target_rolls=[1], reached=True))
    far = again.apply(tried(5, target_rolls=[1, 2], reached=False))
    assert (far.state.me.pieces, far.state.me.tokens) == (1, 6)


def test_the_supply_of_tokens_ends() -> None:
    timeline = begun("ares", "hades", "atena").apply(give(1, tokens=60))
    assert timeline.apply(battle("hero", "hero", [6, 1])).state.me.tokens == 0
    timeline = begun("ares", "hades", "atena", tokens="unlimited").apply(give(1, tokens=60))
    assert timeline.apply(battle("hero", "hero", [6, 1])).state.me.tokens == 1


def test_the_view_names_everything_in_both_languages() -> None:
    view = BOX.view(begun("ares", "hades", "atena").state)
    assert view["players"][0]["god"]["piece"] == {"id": "fort", "portuguese": "forte", "english": "fort"}
    assert view["players"][2]["god"]["english"] == "Athena"
    battle_cards = next(move for move in view["legal"] if move["type"] == "battled")["cards"]
    assert {"Falange", "Liderança"} <= {card["portuguese"] for card in battle_cards}


def test_a_creature_is_born_again_in_its_killers_turn() -> None:
    timeline = begun("ares", "hades", "atena").apply({"type": "creature_fought", "unit": "hero", "roll": 4})
    assert (timeline.state.me.creatures, timeline.state.me.tokens) == (1, 1)
    timeline = do(timeline, END, END, END, {"type": "creature_reborn"})
    assert timeline.state.me.creatures == 0
    with pytest.raises(IllegalEvent, match="expected one"):
        timeline.apply({"type": "creature_reborn"})


def test_each_relic_is_worth_a_token_by_option() -> None:
    for option, tokens in (("one", 2), ("each", 3)):
        timeline = do(begun("ares", "hades", "atena", relic_tokens=option), give(0, unit="hero", relics=2))
        assert timeline.apply(battle("hero", "hero", [6, 1])).state.me.tokens == tokens


def test_the_relic_of_a_wild_creatures_space_is_taken() -> None:
    event = {"type": "creature_fought", "unit": "hero", "roll": 4, "creature_relic": True}
    timeline = begun("ares", "hades", "atena").apply(event)
    assert (unit(timeline, 0, "hero").relics, timeline.state.relics_on_board) == (1, 2)
    none_left = do(begun("ares", "hades", "atena"), *[give(0, unit=f"archer-{n}", relics=n) for n in (1, 2)])
    with pytest.raises(IllegalEvent, match="all relics are carried"):
        none_left.apply(event)


def test_creatures_are_fought_in_step_5_or_at_once() -> None:
    event = {"type": "creature_fought", "unit": "hero", "roll": 6}
    later = begun("ares", "hades", "atena").apply(event)
    with pytest.raises(IllegalEvent, match="step 'move' is over"):
        later.apply({"type": "moved", "unit": "archer-1"})
    at_once = begun("ares", "hades", "atena", creatures="at_once").apply(event)
    assert at_once.apply({"type": "moved", "unit": "archer-1"}).state.me.tokens == 1


def test_one_piece_counts_where_pieces_do_not_add_up() -> None:
    two = battle("archer-1", "hero", [3, 6], attacker={"forts": 2})
    assert begun("ares", "hades", "atena").apply(two).state.told.startswith("archer-1 7 against")
    alone = begun("ares", "hades", "atena", pieces_add=False)
    assert alone.apply(two).state.told.startswith("archer-1 5 against")
    hermes = begun("hermes", "hades", "atena", pieces_add=False)
    with pytest.raises(IllegalEvent, match="from 0 to 5, got 6"):
        hermes.apply({"type": "moved", "unit": "hero", "sandals": 2, "steps": 6})


def test_athena_revives_in_her_city_and_artemis_hero_on_a_hunt_token() -> None:
    dead = [give(0, unit="hero", alive=False), give(0, unit="archer-1", alive=False)]
    for god, where, fits in (("atena", "city", ["hero", "archer-1"]), ("artemis", "hunt", ["hero"])):
        built = do(begun(god, "hades", "ares"), *dead, give(0, pieces=1))
        for name in ("hero", "archer-1"):
            event = {"type": "revived", "unit": name, "where": where}
            if name in fits:
                assert unit(built.apply(event), 0, name).alive
            else:
                with pytest.raises(IllegalEvent, match="expected 'temple'"):
                    built.apply(event)
        with pytest.raises(IllegalEvent, match="expected 'temple'"):
            do(begun(god, "hades", "ares"), *dead, {"type": "revived", "unit": "hero", "where": where})


def test_the_space_jumped_counts_as_a_step_or_not() -> None:
    jump = {"type": "moved", "unit": "cavalry-1", "jumped": True, "steps": 2}
    with pytest.raises(IllegalEvent, match="from 0 to 1, got 2"):
        begun("ares", "hades", "atena").apply(jump)
    free = begun("ares", "hades", "atena", jump_is_a_step=False)
    assert unit(free.apply(jump), 0, "cavalry-1").moved
    with pytest.raises(IllegalEvent, match="only cavalry jumps, got hero"):
        free.apply({**jump, "unit": "hero"})

"""Pandora's Box: cards and powers of the gods."""

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


def test_one_card_a_turn_and_three_in_hand() -> None:
    timeline = begun("ares", "hades", "atena", hands=2).apply({"type": "card_drawn"})
    assert (timeline.state.me.cards, timeline.state.pile) == (3, 86 - 6 - 1)
    with pytest.raises(IllegalEvent, match="has drawn a card in this turn"):
        timeline.apply({"type": "card_drawn"})
    timeline = do(timeline, END, END, END)
    with pytest.raises(IllegalEvent, match="holds 3 cards, expected at most 2; discard one first"):
        timeline.apply({"type": "card_drawn"})
    timeline = do(timeline, {"type": "card_discarded"}, {"type": "card_drawn"})
    assert (timeline.state.me.cards, timeline.state.discards) == (3, 1)


def test_a_movement_card_lengthens_one_move() -> None:
    timeline = begun("ares", "hades", "atena").apply({"type": "card_played", "card": "marathon", "unit": "archer-1"})
    assert timeline.state.told == "seat 0 plays Maratona (Marathon)"
    assert timeline.state.me.cards == 2
    timeline.apply({"type": "moved", "unit": "archer-1", "steps": 4})
    with pytest.raises(IllegalEvent, match="expected the hero for Biga"):
        timeline.apply({"type": "card_played", "card": "chariot", "unit": "archer-1"})


def test_drought_lasts_until_its_casters_next_turn() -> None:
    timeline = do(
        begun("ares", "hades", "atena"),
        give(1, unit="hero", alive=False),
        {"type": "card_played", "card": "drought", "seat": 1},
        END,
    )
    with pytest.raises(IllegalEvent, match=r"Estiagem \(Drought\) lies before seat 1"):
        timeline.apply({"type": "revived", "unit": "hero"})
    assert do(timeline, END, END, END, {"type": "revived", "unit": "hero"}).state.seat == 1


def test_paralysis_and_its_cure() -> None:
    timeline = do(
        begun("ares", "hades", "atena"),
        {"type": "card_played", "card": "torrent", "seat": 1, "units": ["hero", "archer-1"]},
        END,
    )
    for event in ({"type": "moved", "unit": "hero"}, battle("hero", "hero", [6, 1], seat=0)):
        with pytest.raises(IllegalEvent, match="hero is paralysed"):
            timeline.apply(event)
    cured = timeline.apply({"type": "card_played", "card": "supplies", "units": ["hero"]})
    assert cured.apply({"type": "moved", "unit": "hero"}).state.seat == 1
    later = do(timeline, END, END)
    assert later.state.seat == 0
    assert unit(later, 1, "archer-1").paralysed_by is None


def test_shield_order_and_relics_guard() -> None:
    mire = {"type": "card_played", "card": "mire", "seat": 0, "units": ["hero"]}
    shielded = do(begun("ares", "hades", "atena"), {"type": "card_played", "card": "shield"}, END)
    with pytest.raises(IllegalEvent, match=r"guarded by Escudo \(Shield\)"):
        shielded.apply(mire)
    ordered = do(begun("ares", "hades", "atena"), {"type": "card_played", "card": "hera_order", "seat": 1}, END)
    for event in (mire, battle("hero", "hero", [6, 1], seat=0)):
        with pytest.raises(IllegalEvent, match="Order of Hera"):
            ordered.apply(event)
    # the order binds only the player before whom it lies
    assert do(ordered, END, mire).state.seat == 2
    carried = do(begun("ares", "hades", "atena"), {"type": "moved", "unit": "hero", "takes_relic": True}, END)
    with pytest.raises(IllegalEvent, match="carries a relic, which guards it"):
        carried.apply(mire)


def test_aphrodites_apple_swaps_troops_of_one_type() -> None:
    start = begun("ares", "hades", "atena").apply(give(0, unit="archer-1", alive=False))
    apple = {"type": "card_played", "card": "aphrodite_apple", "seat": 1, "unit": "archer-1"}
    timeline = start.apply({**apple, "other_unit": "archer-2"})
    assert unit(timeline, 0, "archer-1").alive
    assert not unit(timeline, 1, "archer-2").alive
    with pytest.raises(IllegalEvent, match="a dead own troop of the type lancer"):
        start.apply({**apple, "other_unit": "lancer-1"})


PANDORA = {"type": "card_played", "card": "pandora_box"}


def test_ares_makes_spartans_that_fight_and_move_better() -> None:
    timeline = begun("ares", "hades", "atena").apply(PANDORA)
    assert unit(timeline, 0, "lancer-1").fights_as == "spartan"
    assert unit(timeline, 0, "hero").fights_as == "hero"
    timeline = timeline.apply(battle("archer-1", "hero", [3, 4], [3, 3], attacker={"forts": 1}))
    assert timeline.state.told.startswith("archer-1 6 against hero 4")


def test_artemis_controls_creatures_that_fight_without_a_die() -> None:
    timeline = begun("artemis", "hades", "atena").apply(PANDORA)
    fought = {"type": "creature_fought", "seat": 1, "owner": 0, "creature": "creature-1", "unit": "archer-1"}
    won = timeline.apply({**fought, "roll": 4})
    assert (won.state.me.tokens, unit(won, 1, "archer-1").alive) == (1, False)
    lost = timeline.apply({**fought, "roll": 5})
    assert lost.state.warlords[1].tokens == 1
    assert lost.state.warlords[0].unit("creature-1") is None


def test_hades_revives_all_and_is_paid_for_it() -> None:
    dead = [give(0, unit=name, alive=False) for name in ("hero", "archer-1", "lancer-2")]
    timeline = do(begun("hades", "ares", "atena"), *dead, PANDORA)
    assert all(soldier.alive for soldier in timeline.state.me.units)
    assert timeline.state.me.tokens == 3


def test_athena_kills_two_of_each_opponent() -> None:
    kills = [[0, "hero"], [0, "archer-1"], [1, "hero"]]
    timeline = do(begun("ares", "hades", "atena"), END, END, {**PANDORA, "kills": kills})
    assert [sum(not soldier.alive for soldier in warlord.units) for warlord in timeline.state.warlords] == [2, 1, 0]
    with pytest.raises(IllegalEvent, match="kills of seat 0: expected a whole number from 0 to 2, got 3"):
        do(begun("ares", "hades", "atena"), END, END, {**PANDORA, "kills": [*kills, [0, "archer-2"]]})


def test_hermes_takes_all_relics() -> None:
    timeline = do(begun("ares", "hermes", "atena"), {"type": "moved", "unit": "hero", "takes_relic": True}, END)
    timeline = timeline.apply({**PANDORA, "relics": [["hero", 2]]})
    assert unit(timeline, 0, "hero").relics == 0
    assert (unit(timeline, 1, "hero").relics, timeline.state.relics_on_board) == (2, 1)


def test_apollo_plays_again_and_perhaps_a_third_time() -> None:
    gods = ("apolo", "ares", "hades", "atena", "hermes")
    timeline = do(begun(*gods), PANDORA, {"type": "moved", "unit": "hero"}, END)
    assert timeline.state.seat == 0
    timeline = do(timeline, {"type": "moved", "unit": "hero"})
    assert timeline.apply({**END, "extra_roll": 5}).state.seat == 1
    third = timeline.apply({**END, "extra_roll": 6})
    assert third.state.seat == 0
    assert third.apply(END).state.seat == 1


def test_zeus_copies_an_active_power() -> None:
    timeline = begun("zeus", "ares", "hades").apply({**PANDORA, "roll": 1})
    assert unit(timeline, 0, "archer-1").spartan
    assert timeline.state.told == "seat 0 plays Caixa de Pandora (Pandora's Box): the power of seat 1 (Ares)"


def test_rays_and_altars_are_used_once_a_piece_and_turn() -> None:
    ray = {"type": "ray_fired", "seat": 1, "unit": "hero"}
    zeus = begun("zeus", "ares", "hades").apply(give(0, pieces=1))
    assert unit(zeus.apply({**ray, "roll": 5}), 1, "hero").alive
    killed = zeus.apply({**ray, "roll": 6})
    assert not unit(killed, 1, "hero").alive
    with pytest.raises(IllegalEvent, match="1 forge built, expected each to be used once a turn"):
        killed.apply({**ray, "unit": "archer-1", "roll": 6})
    with pytest.raises(IllegalEvent, match="expected Zeus"):
        begun("ares", "zeus", "hades").apply({**ray, "roll": 6})
    apollo = begun("apolo", "ares", "hades", "atena", "hermes").apply(give(0, pieces=1))
    timeline = apollo.apply({"type": "altar_rolled", "roll": 5, "units": [[1, "archer-1"]]})
    assert unit(timeline, 1, "archer-1").paralysed_by == 0


def test_poseidon_keeps_temples_off_by_a_roll() -> None:
    timeline = begun("poseidon", "ares", "atena").apply(PANDORA)
    assert timeline.state.temples_off_by == 0
    with pytest.raises(IllegalEvent, match="in an earlier turn"):
        timeline.apply({"type": "temples_placed"})
    timeline = do(timeline, END, END, END)
    assert timeline.apply({"type": "temples_placed"}).state.temples_off_by is None
    assert timeline.apply({"type": "temples_rolled", "roll": 4}).state.temples_off_by is None
    kept = timeline.apply({"type": "temples_rolled", "roll": 5})
    assert kept.state.temples_off_by == 0
    with pytest.raises(IllegalEvent, match="'temples_placed'"):
        kept.apply({"type": "temples_placed"})


@pytest.mark.parametrize(
    ("card", "most"),
    [("corruption", 1), ("desertion", 2), ("eris_curse", 3), ("mire", 1), ("torrent", 2), ("medusa_gaze", 3)],
)
def test_how_many_units_a_hostile_card_reaches(card: str, most: int) -> None:
    names = ["hero", "archer-1", "archer-2", "lancer-1"]
    event = {"type": "card_played", "card": card, "seat": 1}
    timeline = begun("ares", "hades", "atena")
    assert timeline.apply({**event, "units": names[:most]}).state.me.cards == 2
    with pytest.raises(IllegalEvent, match=rf"units: expected (1 to )?{most} entr(y|ies), got {most + 1}"):
        timeline.apply({**event, "units": names[: most + 1]})
    with pytest.raises(IllegalEvent, match="units: expected"):
        timeline.apply({**event, "units": ["hero", "hero"]})


def test_unwanted_cards_are_laid_down_or_kept() -> None:
    laid = do(begun("ares", "hades", "atena"), {"type": "moved", "unit": "hero"}, {"type": "card_discarded"})
    assert (laid.state.me.cards, laid.state.discards) == (2, 1)
    kept = begun("ares", "hades", "atena", unwanted_cards=False).apply({"type": "moved", "unit": "hero"})
    with pytest.raises(IllegalEvent, match="unwanted cards are kept at this table"):
        kept.apply({"type": "card_discarded"})


def test_an_empty_pile_is_made_of_the_discards_or_stays_empty() -> None:
    for option, drawn in (("shuffle", True), ("no_cards", False)):
        timeline = begun("ares", "hades", "atena", empty_pile=option)
        for _ in range(86 - 9):
            timeline = do(timeline, {"type": "card_discarded"}, {"type": "card_drawn"}, END)
        timeline = timeline.apply({"type": "card_discarded"})
        assert (timeline.state.pile, timeline.state.discards) == (0, 78)
        if drawn:
            assert timeline.apply({"type": "card_drawn"}).state.pile == 77
        else:
            with pytest.raises(IllegalEvent, match="the draw pile is empty"):
                timeline.apply({"type": "card_drawn"})


def test_a_lost_unit_leaves_its_relic_on_the_space() -> None:
    event = {"type": "creature_fought", "unit": "archer-1", "roll": 1}
    timeline = begun("ares", "hades", "atena").apply(give(0, unit="archer-1", relics=1))
    assert timeline.state.relics_on_board == 2
    assert timeline.apply(event).state.relics_on_board == 3
    charmed = timeline.apply({"type": "card_played", "card": "pan_sonnet"}).apply(event)
    assert unit(charmed, 0, "archer-1").alive


def test_a_controlled_creature_attacks_once_a_turn() -> None:
    event = {"type": "creature_fought", "seat": 1, "owner": 0, "creature": "creature-1", "unit": "hero", "roll": 1}
    timeline = begun("artemis", "hades", "atena").apply(PANDORA).apply(event)
    assert [soldier.id for soldier in timeline.state.me.units if soldier.type == "creature"] == [
        *("creature-1", "creature-2", "creature-3")
    ]
    with pytest.raises(IllegalEvent, match="creature-1 has attacked in this turn"):
        timeline.apply({**event, "unit": "archer-1"})
    assert not unit(timeline.apply({**event, "unit": "archer-1", "creature": "creature-2"}), 1, "archer-1").alive


def test_how_long_spartans_last() -> None:
    for option, still in (("till_death", True), ("till_next_turn", False)):
        timeline = do(begun("ares", "hades", "atena", spartans_last=option), PANDORA, END)
        assert unit(timeline, 0, "archer-1").spartan
        timeline = do(timeline, END, END)
        assert unit(timeline, 0, "archer-1").spartan is still
        # revived, a unit is an ordinary one again (GD-42)
        timeline = do(timeline, give(0, unit="archer-1", alive=False), {"type": "revived", "unit": "archer-1"})
        assert not unit(timeline, 0, "archer-1").spartan


def test_how_long_guards_last() -> None:
    mire = {"type": "card_played", "card": "mire", "seat": 0, "units": ["hero"]}
    for option, guarded in (("own_next_turn", True), ("one_turn", False)):
        timeline = begun("ares", "hades", "atena", guards_last=option)
        timeline = do(timeline, {"type": "card_played", "card": "shield"}, END)
        with pytest.raises(IllegalEvent, match="Shield"):
            timeline.apply(mire)
        timeline = timeline.apply(END)
        if guarded:
            with pytest.raises(IllegalEvent, match="Shield"):
                timeline.apply(mire)
        else:
            assert unit(timeline.apply(mire), 0, "hero").paralysed_by == 2

"""What a hand may begin with, and which rows can be played."""

from dataclasses import replace
from typing import Any

import pytest

from pokerfloor.games import (
    GAMES,
    HOLDEM,
    BetTier,
    Code,
    Deal,
    DealTo,
    DrawRound,
    Exposed,
    ForcedBet,
    ForcedKind,
    Half,
    HandSetup,
    HoleCardUse,
    Opener,
    PotPart,
    RakeCap,
    RakeRule,
    SeatStack,
    Street,
    Structure,
    check_row,
    check_setup,
)
from tests.support.games.scenario import antes, table


def codes(setup: HandSetup) -> list[Code]:
    return [refusal.code for refusal in check_setup(setup)]


@pytest.mark.rule("TBL-1", "HLD-1")
def test_two_to_ten_seats() -> None:
    for seats in range(2, 11):
        assert check_setup(table(*[100] * seats)) == ()
    assert codes(table(*[100] * 11)) == [Code.BAD_SEATS]
    assert codes(table(100, forced=(ForcedBet(1, ForcedKind.BIG_BLIND, 2),))) == [Code.BAD_SEATS]


@pytest.mark.rule("TBL-1")
@pytest.mark.parametrize(
    ("hole", "boards", "burn", "seats"),
    [
        (4, 1, True, 10),
        (5, 1, True, 8),
        (6, 1, True, 7),
        (4, 2, True, 9),
        (5, 2, True, 7),
        (6, 2, True, 6),
        (5, 1, False, 9),
        (4, 2, False, 10),
        (5, 2, False, 8),
        (6, 2, False, 7),
    ],
)
def test_the_deck_decides_how_many_seats_by_arithmetic(
    hole: int, boards: int, burn: bool, seats: int
) -> None:
    first = replace(HOLDEM.streets[0], deals=(Deal(DealTo.SEAT_DOWN, hole),))
    row = replace(
        HOLDEM,
        boards=boards,
        hole_cards_used=HoleCardUse.EXACTLY_TWO,
        streets=(first, *HOLDEM.streets[1:]),
    )
    assert check_setup(table(*[100] * seats, game=row, burn=burn)) == ()
    if seats < 10:
        refusal = check_setup(table(*[100] * (seats + 1), game=row, burn=burn))[0]
        assert refusal.code == Code.DECK_TOO_SMALL
        needed = (seats + 1) * hole + 5 * boards + (3 if burn else 0)
        assert f"= {needed} cards, the deck has 52" in refusal.reason


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        (
            {"seats": (SeatStack(1, 100), SeatStack(2, 100), SeatStack(2, 100))},
            Code.BAD_SEATS,
            "seats",
        ),
        ({"seats": (SeatStack(2, 100), SeatStack(1, 100))}, Code.BAD_SEATS, "seats"),
        ({"seats": (SeatStack(1, 0), SeatStack(2, 100))}, Code.BAD_SEATS, "seats"),
        ({"button": -1}, Code.BAD_SEATS, "button"),
        ({"forced": ()}, Code.BAD_FORCED_BETS, "forced"),
        ({"forced": (ForcedBet(3, ForcedKind.BIG_BLIND, 2),)}, Code.BAD_FORCED_BETS, "forced"),
        ({"forced": (ForcedBet(1, ForcedKind.BIG_BLIND, 0),)}, Code.BAD_FORCED_BETS, "forced"),
        ({"forced": antes(1, 1)}, Code.BAD_FORCED_BETS, "forced"),
        (
            {"forced": (ForcedBet(1, ForcedKind.ANTE, 1), ForcedBet(2, ForcedKind.ANTE, 2))},
            Code.BAD_FORCED_BETS,
            "forced",
        ),
        (
            {"forced": tuple(ForcedBet(s, ForcedKind.BIG_BLIND, 2) for s in (1, 2))},
            Code.BAD_FORCED_BETS,
            "forced",
        ),
        ({"forced": (ForcedBet(1, ForcedKind.POST, 2),) * 2}, Code.BAD_FORCED_BETS, "forced"),
    ],
)
def test_wrong_setups(change: dict[str, Any], code: Code, field: str | None) -> None:
    refusals = check_setup(replace(table(100, 100), **change))
    assert [(refusal.code, refusal.field) for refusal in refusals] == [(code, field)]
    assert refusals[0].reason


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"smallest_chip_minor": 0}, "smallest_chip_minor"),
        ({"min_bet_minor": 0}, "min_bet_minor"),
        ({"smallest_chip_minor": 5, "min_bet_minor": 12}, "min_bet_minor"),
        ({"rake": RakeRule(-1)}, "rake.rate_bp"),
        ({"rake": RakeRule(10_001)}, "rake.rate_bp"),
        ({"rake": RakeRule(1, (RakeCap(5, 1), RakeCap(2, 1)))}, "rake.caps"),
        ({"rake": RakeRule(1, (RakeCap(2, -1),))}, "rake.caps"),
    ],
)
def test_wrong_settings(change: dict[str, Any], field: str | None) -> None:
    refusals = check_setup(table(100, 100, **change))
    assert [(r.code, r.field) for r in refusals] == [(Code.BAD_SETTINGS, f"settings.{field}")]


@pytest.mark.rule("BET-30", "BET-31")
@pytest.mark.parametrize(
    ("change", "field"),
    [({}, "big_bet_minor"), ({"big_bet_minor": 4, "raise_cap": 0}, "raise_cap")],
)
def test_fixed_limit_needs_its_sizes(change: dict[str, Any], field: str | None) -> None:
    refusals = check_setup(table(100, 100, structure=Structure.FIXED_LIMIT, **change))
    assert f"settings.{field}" in [refusal.field for refusal in refusals]


def test_stacks_and_posts_are_whole_chips() -> None:
    bad = check_setup(table(100, 102, small=5, big=10, smallest_chip_minor=5))
    assert [(r.code, "102" in r.reason) for r in bad] == [(Code.BAD_SEATS, True)]
    post = check_setup(table(100, 100, small=4, big=10, smallest_chip_minor=5))
    assert [r.code for r in post] == [Code.BAD_FORCED_BETS]


STREETS = HOLDEM.streets
HOLE = Deal(DealTo.SEAT_DOWN, 2)
DRAW = DrawRound(0, 2, replaced=True)
LATE = Street("late", 0, (HOLE,), Opener.LEFT_OF_BUTTON, BetTier.BIG)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"deck": "tarot"}, "deck"),
        ({"streets": ()}, "streets"),
        ({"streets": (*STREETS, LATE)}, "hole_cards_used"),
        ({"streets": (*STREETS[:3], replace(STREETS[3], draw=DRAW), LATE)}, "streets"),
        ({"streets": (replace(STREETS[0], draw=DRAW), *STREETS[1:])}, "streets"),
        ({"streets": (*STREETS[:3], replace(STREETS[3], draw=DRAW, swap=True))}, "streets"),
        ({"streets": (*STREETS[:3], replace(STREETS[3], opener=Opener.BEST_EXPOSED))}, "streets"),
        ({"streets": (*STREETS[:3], replace(STREETS[3], open_pair=True))}, "streets"),
        ({"streets": (replace(STREETS[0], opener=Opener.BRING_IN), *STREETS[1:])}, "streets"),
        ({"exposed": Exposed.HIGH, "bomb_pots": False}, "exposed"),
        ({"community_last": True}, "community_last"),
        ({"id": "Ünsinn"}, "id"),
        ({"structures": ()}, "structures"),
        ({"parts": (PotPart(Half.LOW, "low8"),)}, "parts"),
        ({"parts": (PotPart(Half.LOW, "low8"), PotPart(Half.HIGH, "high52"))}, "parts"),
        ({"parts": (PotPart(Half.HIGH, "badugi"),)}, "hole_cards_used"),
        ({"streets": STREETS[1:]}, "streets"),
        ({"streets": (replace(STREETS[0], deals=(Deal(DealTo.SEAT_DOWN, 0),)),)}, "streets"),
        ({"streets": (replace(STREETS[0], burns=-1), *STREETS[1:])}, "streets"),
        ({"boards": 3}, "boards"),
        ({"max_seats": 11}, "max_seats"),
        ({"rake_from_street": 4}, "rake_from_street"),
        ({"parts": (PotPart(Half.HIGH, "nonsense"),)}, "parts"),
        ({"streets": STREETS[:2]}, None),
        ({"streets": STREETS[:1], "rake_from_street": 0}, "hole_cards_used"),
    ],
)
def test_rows_that_cannot_be_played_are_refused(change: dict[str, Any], field: str | None) -> None:
    refusal = check_row(replace(HOLDEM, **{"id": "test", **change}))
    if field is None:
        assert refusal is None
    else:
        assert refusal is not None
        assert (refusal.code, refusal.field) == (Code.BAD_GAME_ROW, field)
        assert codes(table(100, 100, game=replace(HOLDEM, **{"id": "test", **change})))


@pytest.mark.rule("HLD-1", "HLD-2")
def test_the_row_of_holdem() -> None:
    assert GAMES["holdem"] is HOLDEM
    assert check_row(HOLDEM) is None
    assert (HOLDEM.hole_cards(), HOLDEM.board_cards(), HOLDEM.burns()) == (2, 5, 3)
    assert [street.name for street in HOLDEM.streets] == ["pre-flop", "flop", "turn", "river"]

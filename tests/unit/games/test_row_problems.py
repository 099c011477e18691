"""What a row may not say, sentence by sentence, and what it may say at the very edge."""

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
    GameRow,
    Half,
    HoleCardUse,
    OddChips,
    Opener,
    PotPart,
    Street,
    check_row,
)

STREETS = HOLDEM.streets
FIRST, FLOP, TURN, RIVER = STREETS
STUD, DRAW, MATA = GAMES["stud7"], GAMES["draw27_single"], GAMES["mata_ases"]


def hole(count: int, to: DealTo = DealTo.SEAT_DOWN) -> Deal:
    return Deal(to, count)


def board(count: int) -> Deal:
    return Deal(DealTo.BOARD, count)


def street(*deals: Deal, **fields: Any) -> Street:
    return Street("extra", 0, deals, Opener.LEFT_OF_BUTTON, BetTier.BIG, **fields)


def problem(base: GameRow, **change: Any) -> tuple[str, str] | None:
    """The first thing wrong with a changed row, as (field, sentence)."""
    refusal = check_row(replace(base, **{"id": "test", **change}))
    if refusal is None:
        return None
    assert refusal.code == Code.BAD_GAME_ROW
    start = f"game {change.get('id', 'test')!r}: "
    assert refusal.reason.startswith(start)
    return refusal.field, refusal.reason.removeprefix(start)


DRAW_STREET = DRAW.streets[1]
FOUR = replace(DRAW_STREET, draw=DrawRound(0, 4, replaced=True))


@pytest.mark.parametrize(
    ("base", "change", "field", "reason"),
    [
        (HOLDEM, {"id": "Ü"}, "id", "an id has up to 40 lower-case letters, digits, - and _"),
        (HOLDEM, {"id": "a" * 41}, "id", "an id has up to 40 lower-case letters, digits, - and _"),
        (HOLDEM, {"deck": "tarot"}, "deck", "no deck is called 'tarot'"),
        (HOLDEM, {"boards": 3}, "boards", "one or two boards, not 3"),
        (HOLDEM, {"boards": 0}, "boards", "one or two boards, not 0"),
        (HOLDEM, {"max_seats": 11}, "max_seats", "2 to 10 seats, not 11"),
        (HOLDEM, {"max_seats": 1}, "max_seats", "2 to 10 seats, not 1"),
        (HOLDEM, {"rake_from_street": 4}, "rake_from_street", "there is no street 4"),
        (
            HOLDEM,
            {"streets": (FIRST,), "rake_from_street": 1},
            "rake_from_street",
            "there is no street 1",
        ),
        (HOLDEM, {"rake_from_street": -1}, "rake_from_street", "there is no street -1"),
        (
            HOLDEM,
            {"structures": HOLDEM.structures[:1] * 2},
            "structures",
            "at least one structure, and each once",
        ),
        (HOLDEM, {"streets": ()}, "streets", "one to 8 streets, not 0"),
        (HOLDEM, {"streets": (*STREETS, *[street()] * 5)}, "streets", "one to 8 streets, not 9"),
        (
            HOLDEM,
            {"streets": (*STREETS[:3], replace(RIVER, burns=2))},
            "streets",
            "river: zero or one burn, not 2",
        ),
        (
            HOLDEM,
            {"streets": (*STREETS, street(hole(1, DealTo.SEAT_EITHER), hole(1)))},
            "streets",
            "extra: facings are for one card, not on the first street",
        ),
        (
            HOLDEM,
            {"streets": (*STREETS, street(hole(1, DealTo.COMMUNITY)))},
            "streets",
            "extra: community cards are dealt on the first street only",
        ),
        (
            HOLDEM,
            {"streets": (*STREETS, street(board(8)))},
            "streets",
            "extra: a deal of one to 7 cards",
        ),
        (
            HOLDEM,
            {"streets": (*STREETS, street(board(0)))},
            "streets",
            "extra: a deal of one to 7 cards",
        ),
        (
            HOLDEM,
            {"streets": (*STREETS[:3], street(hole(1, DealTo.SEAT_UP), board(1)))},
            "streets",
            "extra: board and up cards on one street are not played",
        ),
        (
            HOLDEM,
            {"streets": (*STREETS[:3], street(hole(1, DealTo.SEAT_UP), board(1), hole(1)))},
            "streets",
            "extra: board and up cards on one street are not played",
        ),
        (
            HOLDEM,
            {"streets": (replace(FIRST, deals=(hole(2), board(1))), *STREETS[1:])},
            "streets",
            "board cards on the first street are not played",
        ),
        (
            STUD,
            {"streets": (replace(STUD.streets[0], deals=(hole(3, DealTo.SEAT_UP),)),)},
            "streets",
            "each seat is dealt a card face down on the first street",
        ),
        # Only cards that are held can be discarded.
        (
            DRAW,
            {
                "streets": (
                    DRAW.streets[0],
                    replace(DRAW_STREET, draw=DrawRound(0, 6, replaced=True)),
                )
            },
            "streets",
            f"{DRAW_STREET.name}: a draw of 0 to 5 cards, at least one",
        ),
        (
            DRAW,
            {
                "streets": (
                    DRAW.streets[0],
                    replace(DRAW_STREET, draw=DrawRound(0, 0, replaced=True)),
                )
            },
            "streets",
            f"{DRAW_STREET.name}: a draw of 0 to 5 cards, at least one",
        ),
        (
            DRAW,
            {
                "streets": (
                    replace(DRAW.streets[0], draw=DrawRound(0, 1, replaced=True)),
                    DRAW_STREET,
                )
            },
            "streets",
            f"{DRAW.streets[0].name}: a draw of 0 to 0 cards, at least one",
        ),
        (
            DRAW,
            {
                "streets": (
                    DRAW.streets[0],
                    replace(DRAW_STREET, draw=DrawRound(1, 2, replaced=False)),
                )
            },
            "streets",
            f"{DRAW_STREET.name}: every seat must discard the same number",
        ),
        # Two of five are gone: three are left, and then one is.
        (
            DRAW,
            {
                "streets": (
                    DRAW.streets[0],
                    replace(DRAW_STREET, draw=DrawRound(2, 2, replaced=False)),
                    replace(DRAW_STREET, draw=DrawRound(2, 2, replaced=False)),
                    replace(DRAW_STREET, name="last", draw=DrawRound(2, 2, replaced=False)),
                )
            },
            "streets",
            "last: a draw of 0 to 1 cards, at least one",
        ),
        (
            DRAW,
            {"streets": (DRAW.streets[0], replace(DRAW_STREET, swap=True))},
            "streets",
            "a game cannot have both a draw and a swap",
        ),
        (
            DRAW,
            {"streets": (replace(DRAW.streets[0], deals=(hole(4),)), FOUR, street(hole(1)))},
            "streets",
            "with a draw or a swap all hole cards are dealt down, on the first street",
        ),
        (
            DRAW,
            {
                "streets": (
                    replace(DRAW.streets[0], deals=(hole(4),)),
                    replace(FOUR, deals=(hole(1),)),
                )
            },
            "streets",
            "with a draw or a swap all hole cards are dealt down, on the first street",
        ),
        (
            DRAW,
            {
                "streets": (
                    replace(DRAW.streets[0], deals=(hole(4), hole(1, DealTo.SEAT_UP))),
                    DRAW_STREET,
                )
            },
            "streets",
            "with a draw or a swap all hole cards are dealt down, on the first street",
        ),
        (
            HOLDEM,
            {"parts": (PotPart(Half.LOW, "low8"), PotPart(Half.HIGH, "high52"))},
            "parts",
            "a high part, a low part, or a high and then a low one",
        ),
        (
            HOLDEM,
            {"parts": (PotPart(Half.LOW, "low8"),)},
            "parts",
            "the first part must have a winner, and not every hand qualifies",
        ),
        (
            HOLDEM,
            {"parts": (PotPart(Half.HIGH, "no"),)},
            "parts",
            "no ranking system is called 'no'",
        ),
        # What does not fit together.
        (
            HOLDEM,
            {"streets": (replace(FIRST, deals=(hole(4), hole(4))),), "rake_from_street": 0},
            "streets",
            "8 hole and 0 board cards, at most 7 each",
        ),
        (
            HOLDEM,
            {"streets": (*STREETS, street(board(3)))},
            "streets",
            "2 hole and 8 board cards, at most 7 each",
        ),
        (
            HOLDEM,
            {"hole_cards_used": HoleCardUse.EXACTLY_TWO, "streets": (FIRST, street(board(2)))},
            "hole_cards_used",
            "two hole and three board cards out of 2 and 2",
        ),
        (
            HOLDEM,
            {
                "hole_cards_used": HoleCardUse.EXACTLY_TWO,
                "streets": (replace(FIRST, deals=(hole(1),)), *STREETS[1:]),
            },
            "hole_cards_used",
            "two hole and three board cards out of 1 and 5",
        ),
        (
            HOLDEM,
            {"hole_cards_used": HoleCardUse.AT_MOST_ONE_OF_BOARD},
            "hole_cards_used",
            "five hole cards and one more out of 2 and 5",
        ),
        (
            HOLDEM,
            {"streets": (FIRST, street(board(2)))},
            "hole_cards_used",
            "high52 does not rank 4 cards",
        ),
        (
            HOLDEM,
            {"parts": (PotPart(Half.HIGH, "badugi"),), "hole_cards_used": HoleCardUse.EXACTLY_TWO},
            "hole_cards_used",
            "badugi does not rank 5 cards",
        ),
        (DRAW, {"boards": 2}, "boards", "two boards in a game without board cards"),
        (
            DRAW,
            {"streets": (DRAW.streets[0],), "bomb_pots": True, "rake_from_street": 0},
            "bomb_pots",
            "a bomb pot is played from the second street on",
        ),
        (
            STUD,
            {"bomb_pots": True},
            "bomb_pots",
            "a bomb pot is played from the second street on",
        ),
        (
            HOLDEM,
            {"community_last": True},
            "community_last",
            "a community card takes the place of one last hole card",
        ),
        (
            STUD,
            {
                "streets": (
                    *STUD.streets[:3],
                    replace(STUD.streets[3], deals=(hole(2),)),
                ),
            },
            "community_last",
            "a community card takes the place of one last hole card",
        ),
        # Decks and single cards.
        (
            HOLDEM,
            {"deck": "joker54"},
            "deck",
            "high52 does not rank every card of joker54",
        ),
        (
            GAMES["draw5"],
            {"odd_chips": OddChips.BY_CARD},
            "deck",
            "a joker has no rank to decide the opener or an odd chip",
        ),
        # The middle.
        (
            MATA,
            {"boards": 2, "parts": (PotPart(Half.HIGH, "high52"),)},
            "streets",
            "community cards besides a board or a community last card",
        ),
        # Who opens.
        (
            HOLDEM,
            {"streets": (*STREETS[:3], replace(RIVER, opener=Opener.BRING_IN))},
            "streets",
            "bring_in opens the first street, with one up card each",
        ),
        (
            STUD,
            {
                "streets": (
                    replace(STUD.streets[0], deals=(hole(1), hole(2, DealTo.SEAT_UP))),
                    *STUD.streets[1:],
                )
            },
            "streets",
            "bring_in opens the first street, with one up card each",
        ),
        (
            HOLDEM,
            {"streets": (*STREETS[:3], replace(RIVER, opener=Opener.BEST_EXPOSED))},
            "streets",
            "river: no up card to open by",
        ),
        (
            MATA,
            {"exposed": Exposed.LOW},
            "exposed",
            "the highest up card opens where high hands do",
        ),
        (
            HOLDEM,
            {"streets": (*STREETS[:3], replace(RIVER, open_pair=True))},
            "streets",
            "an open pair in a game where it does not open",
        ),
        (
            HOLDEM,
            {"exposed": Exposed.HIGH, "bomb_pots": False},
            "exposed",
            "required if, and only if, an exposed hand opens a street",
        ),
        (
            STUD,
            {"exposed": None},
            "streets",
            "an open pair in a game where it does not open",
        ),
    ],
)
def test_what_cannot_be_played_is_said(
    base: GameRow, change: dict[str, Any], field: str, reason: str
) -> None:
    assert problem(base, **change) == (field, reason)


@pytest.mark.parametrize(
    ("base", "change"),
    [
        (HOLDEM, {"id": "a" * 40}),
        (HOLDEM, {"max_seats": 2}),
        (HOLDEM, {"max_seats": 10}),
        (HOLDEM, {"boards": 2}),
        (HOLDEM, {"rake_from_street": 3}),
        (HOLDEM, {"streets": (*STREETS, *[street()] * 4)}),
        (HOLDEM, {"streets": tuple([replace(one, burns=1) for one in STREETS])}),
        (
            HOLDEM,
            {
                "streets": (replace(FIRST, deals=(hole(7),)),),
                "rake_from_street": 0,
                "bomb_pots": False,
            },
        ),
        (
            HOLDEM,
            {
                "hole_cards_used": HoleCardUse.EXACTLY_TWO,
                "streets": (replace(FIRST, deals=(hole(7),)), street(board(3)), street(board(4))),
            },
        ),
        (
            HOLDEM,
            {"hole_cards_used": HoleCardUse.EXACTLY_TWO, "streets": (FIRST, street(board(3)))},
        ),
        (HOLDEM, {"streets": (FIRST, street(board(5)))}),
        # Two gone of five, and then three of what is left.
        (
            DRAW,
            {
                "streets": (
                    replace(DRAW.streets[0], deals=(hole(7),)),
                    replace(DRAW_STREET, draw=DrawRound(2, 2, replaced=False)),
                    replace(DRAW_STREET, draw=DrawRound(0, 5, replaced=True)),
                )
            },
        ),
        (
            DRAW,
            {
                "streets": (
                    DRAW.streets[0],
                    replace(DRAW_STREET, draw=DrawRound(5, 5, replaced=True)),
                )
            },
        ),
        (GAMES["razz"], {}),
        (GAMES["draw5"], {}),
        (GAMES["razz"], {"community_last": False}),
        (MATA, {"parts": (PotPart(Half.HIGH, "high52"),)}),
    ],
)
def test_what_can_be_played_at_the_edge_is_good(base: GameRow, change: dict[str, Any]) -> None:
    assert problem(base, **change) is None

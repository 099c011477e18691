"""Check that the engine can play a row."""

import re
from functools import lru_cache
from typing import Final

from pokerfloor.cards import DECKS, CardError, parse_cards
from pokerfloor.games.refusal import Code, Refusal
from pokerfloor.games.rows import (
    Deal,
    DealTo,
    Exposed,
    GameRow,
    Half,
    HoleCardUse,
    OddChips,
    Opener,
    Street,
)
from pokerfloor.ranking import EXPOSED, LOW8, RANKINGS, RankingError

_ID: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_HALVES: Final = ([Half.HIGH], [Half.LOW], [Half.HIGH, Half.LOW])
_MOST_STREETS: Final = 8
_MOST_CARDS: Final = 7  # dealt to a seat or to a board
_ONE_EITHER: Final = (Deal(DealTo.SEAT_EITHER, 1),)
_EXPOSED: Final = (Opener.BRING_IN, Opener.HIGHEST_UP, Opener.BEST_EXPOSED)
_BY_ONE_CARD: Final = (Opener.BRING_IN, Opener.HIGHEST_UP)


@lru_cache
def check_row(row: GameRow) -> Refusal | None:
    """Return what the engine cannot play in this row, or None. The code is always BAD_GAME_ROW."""
    for field, problem in _problems(row):
        return Refusal(Code.BAD_GAME_ROW, f"game {row.id!r}: {problem}", field)
    return None


def _problems(row: GameRow) -> list[tuple[str, str]]:
    found = [("streets", problem) for problem in _streets_problems(row.streets)]
    if _ID.fullmatch(row.id) is None:
        found.append(("id", "an id has up to 40 lower-case letters, digits, - and _"))
    if row.deck not in DECKS:
        found.append(("deck", f"no deck is called {row.deck!r}"))
    if row.boards not in (1, 2):
        found.append(("boards", f"one or two boards, not {row.boards}"))
    if not 2 <= row.max_seats <= 10:
        found.append(("max_seats", f"2 to 10 seats, not {row.max_seats}"))
    if not 0 <= row.rake_from_street < max(1, len(row.streets)):
        found.append(("rake_from_street", f"there is no street {row.rake_from_street}"))
    if not row.structures or len(set(row.structures)) != len(row.structures):
        found.append(("structures", "at least one structure, and each once"))
    found += _part_problems(row)
    return found or _whole_problems(row)


def _streets_problems(streets: tuple[Street, ...]) -> list[str]:
    if not 1 <= len(streets) <= _MOST_STREETS:
        return [f"one to {_MOST_STREETS} streets, not {len(streets)}"]
    found: list[str] = []
    for street in streets:
        kinds = {deal.to for deal in street.deals}
        if not 0 <= street.burns <= 1:
            found.append(f"{street.name}: zero or one burn, not {street.burns}")
        if street.asks_facing() and (street is streets[0] or street.deals != _ONE_EITHER):
            found.append(f"{street.name}: facings are for one card, not on the first street")
        if DealTo.COMMUNITY in kinds and street is not streets[0]:
            found.append(f"{street.name}: community cards are dealt on the first street only")
        if any(not 1 <= deal.count <= _MOST_CARDS for deal in street.deals):
            found.append(f"{street.name}: a deal of one to {_MOST_CARDS} cards")
        if {DealTo.BOARD, DealTo.SEAT_UP} <= kinds:
            found.append(f"{street.name}: board and up cards on one street are not played")
        if DealTo.BOARD in kinds and street is streets[0]:
            found.append("board cards on the first street are not played")
    if all(deal.to is not DealTo.SEAT_DOWN for deal in streets[0].deals):
        found.append("each seat is dealt a card face down on the first street")
    return found or _draw_problems(streets)


def _draw_problems(streets: tuple[Street, ...]) -> list[str]:
    found: list[str] = []
    held = 0
    for street in streets:
        draw = street.draw
        if draw is not None:
            if not 0 <= draw.min_discards <= draw.max_discards <= held or not draw.max_discards:
                found.append(f"{street.name}: a draw of 0 to {held} cards, at least one")
            elif not draw.replaced:
                if draw.min_discards != draw.max_discards:
                    found.append(f"{street.name}: every seat must discard the same number")
                held -= draw.min_discards
        held += sum([deal.count for deal in street.deals if deal.to is not DealTo.BOARD])
    swaps = any(street.swap for street in streets)
    draws = any(street.draw is not None for street in streets)
    if swaps and draws:
        found.append("a game cannot have both a draw and a swap")
    dealt_later = any(street.deals_to_seats() for street in streets[1:])
    dealt_up = any(
        deal.to in (DealTo.SEAT_UP, DealTo.SEAT_EITHER)
        for street in streets
        for deal in street.deals
    )
    if (swaps or draws) and (dealt_later or dealt_up):
        found.append("with a draw or a swap all hole cards are dealt down, on the first street")
    return found


def _part_problems(row: GameRow) -> list[tuple[str, str]]:
    if [part.half for part in row.parts] not in _HALVES:
        return [("parts", "a high part, a low part, or a high and then a low one")]
    if row.parts[0].ranking == LOW8.name:
        return [("parts", "the first part must have a winner, and not every hand qualifies")]
    unknown = [part.ranking for part in row.parts if part.ranking not in RANKINGS]
    if unknown:
        return [("parts", f"no ranking system is called {name!r}") for name in unknown]
    return _qualifier_problems(row) if row.carries() else []


def _qualifier_problems(row: GameRow) -> list[tuple[str, str]]:
    """Return what is wrong with the qualifier of a pot (MAT-6)."""
    if len(row.parts) > 1 or row.boards > 1 or row.odd_chips is not OddChips.LEFT_OF_BUTTON:
        return [("parts", "a qualifier needs one part, one board and odd chips by seat")]
    try:
        RANKINGS[row.parts[0].ranking].strength(parse_cards(row.parts[0].qualifier))
    except (CardError, RankingError) as error:
        return [("parts", f"the qualifier: {error}")]
    return []


def _whole_problems(row: GameRow) -> list[tuple[str, str]]:
    """Return what does not fit together in a row whose single fields are valid."""
    hole, board = row.hole_cards(), row.board_cards() + row.community_cards()
    found: list[tuple[str, str]] = []
    if not hole:
        found.append(("streets", "no hole cards are dealt"))
    if max(hole, board) > _MOST_CARDS:
        found.append(
            ("streets", f"{hole} hole and {board} board cards, at most {_MOST_CARDS} each")
        )
    if row.hole_cards_used is HoleCardUse.EXACTLY_TWO and (hole < 2 or board < 3):
        reason = f"two hole and three board cards out of {hole} and {board}"
        found.append(("hole_cards_used", reason))
    if row.hole_cards_used is HoleCardUse.AT_MOST_ONE_OF_BOARD and (hole < 5 or not board):
        found.append(("hole_cards_used", f"five hole cards and one more out of {hole} and {board}"))
    ranked = hole + board if row.hole_cards_used is HoleCardUse.ANY else 5
    found += [
        ("hole_cards_used", f"{part.ranking} does not rank {ranked} cards")
        for part in row.parts
        if ranked not in RANKINGS[part.ranking].sizes
    ]
    if row.boards > 1 and not board:
        found.append(("boards", "two boards in a game without board cards"))
    if row.bomb_pots and (len(row.streets) < 2 or row.exposed is not None):
        found.append(("bomb_pots", "a bomb pot is played from the second street on"))
    last = row.streets[-1].deals
    if row.community_last and (board or [deal.count for deal in last] != [1]):
        found.append(("community_last", "a community card takes the place of one last hole card"))
    return found + _deck_problems(row) + _community_problems(row) + _exposed_problems(row)


def _deck_problems(row: GameRow) -> list[tuple[str, str]]:
    """Return where a card of the deck has no rank."""
    cards = set(DECKS[row.deck].cards)
    found = [
        ("deck", f"{part.ranking} does not rank every card of {row.deck}")
        for part in row.parts
        if not cards.issubset(RANKINGS[part.ranking].deck.cards)
    ]
    by_card = row.exposed is not None or row.odd_chips is OddChips.BY_CARD
    if by_card and not cards.issubset(EXPOSED.deck.cards):
        found.append(("deck", "a joker has no rank to decide the opener or an odd chip"))
    return found


def _community_problems(row: GameRow) -> list[tuple[str, str]]:
    revealing = [street for street in row.streets if street.community_up]
    if len(revealing) != bool(row.community_cards()) or row.streets[0] in revealing:
        return [("streets", "community cards are revealed once, not on the first street")]
    if row.community_cards() and (row.board_cards() or row.boards > 1 or row.community_last):
        return [("streets", "community cards besides a board or a community last card")]
    return []


def _exposed_problems(row: GameRow) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    up = 0
    for street in row.streets:
        up += sum([deal.count for deal in street.deals if deal.to is DealTo.SEAT_UP])
        if street.opener in _BY_ONE_CARD and (street is not row.streets[0] or up != 1):
            reason = f"{street.opener} opens the first street, with one up card each"
            found.append(("streets", reason))
        if street.opener is Opener.BEST_EXPOSED and not up:
            found.append(("streets", f"{street.name}: no up card to open by"))
        if street.opener is Opener.HIGHEST_UP and row.exposed is Exposed.LOW:
            found.append(("exposed", "the highest up card opens where high hands do"))
    downs = [deal.count for deal in row.streets[0].deals if deal.to is DealTo.SEAT_DOWN]
    only_one = downs == [1] and row.dealt_to(DealTo.SEAT_DOWN) == 1
    if row.dealt_to(DealTo.SEAT_EITHER) and (row.exposed is None or not only_one):
        found.append(("streets", "facings need exactly one down card, dealt first"))
    wanted = any(street.opener in _EXPOSED for street in row.streets)
    if any(street.open_pair for street in row.streets) and row.exposed is not Exposed.HIGH:
        found.append(("streets", "an open pair in a game where it does not open"))
    if wanted != (row.exposed is not None):
        found.append(("exposed", "required if, and only if, an exposed hand opens a street"))
    return found

"""Which rows the engine can play, and what is wrong with the others."""

import re
from functools import lru_cache
from typing import Final

from libs.cards import DECKS
from libs.games.refusal import Code, Refusal
from libs.games.rows import DealTo, Exposed, GameRow, Half, Opener, OwnCards, Street
from libs.ranking import LOW8, RANKINGS

_ID: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_HALVES: Final = ([Half.HIGH], [Half.LOW], [Half.HIGH, Half.LOW])
_MOST_STREETS: Final = 8
_MOST_CARDS: Final = 7  # dealt to a seat or to a board
_EXPOSED: Final = (Opener.BRING_IN, Opener.BEST_EXPOSED)


@lru_cache
def check_row(row: GameRow) -> Refusal | None:
    """Return what the engine cannot play in this row, or None. The code is always BAD_GAME_ROW."""
    for field, problem in _problems(row):
        return Refusal(Code.BAD_GAME_ROW, f"game {row.id!r}: {problem}", field)
    return None


def _problems(row: GameRow) -> list[tuple[str, str]]:
    found = [("streets", problem) for problem in _streets_problems(row.streets)]
    if _ID.fullmatch(row.id) is None:
        found.append(("id", "an id is up to 40 small letters, digits, - and _"))
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
            found.append(f"{street.name}: no burn or one, not {street.burns}")
        if any(not 1 <= deal.count <= _MOST_CARDS for deal in street.deals):
            found.append(f"{street.name}: a deal of one to {_MOST_CARDS} cards")
        if {DealTo.BOARD, DealTo.OWN_UP} <= kinds:
            found.append(f"{street.name}: board and up cards on one street are not played")
        if DealTo.BOARD in kinds and street is streets[0]:
            found.append("board cards on the first street are not played")
    return found or _exchange_problems(streets)


def _exchange_problems(streets: tuple[Street, ...]) -> list[str]:
    found: list[str] = []
    held = 0
    for street in streets:
        exchange = street.exchange
        if exchange is not None:
            if not 0 <= exchange.least <= exchange.most <= held or not exchange.most:
                found.append(f"{street.name}: an exchange of 0 to {held} cards, at least one")
            elif not exchange.replaced:
                if exchange.least != exchange.most:
                    found.append(f"{street.name}: every seat gives up as many cards")
                held -= exchange.least
        held += sum([deal.count for deal in street.deals if deal.to is not DealTo.BOARD])
    swaps = any(street.swap for street in streets)
    exchanges = any(street.exchange is not None for street in streets)
    if swaps and exchanges:
        found.append("an exchange and a swap in one game are not played")
    own_later = any(street.deals_own() for street in streets[1:])
    own_up = any(deal.to is DealTo.OWN_UP for street in streets for deal in street.deals)
    if (swaps or exchanges) and (own_later or own_up):
        found.append("with an exchange or a swap all own cards are dealt down, on the first street")
    return found


def _part_problems(row: GameRow) -> list[tuple[str, str]]:
    if [part.half for part in row.parts] not in _HALVES:
        return [("parts", "a high part, a low part, or a high and then a low one")]
    if row.parts[0].ranking == LOW8.name:
        return [("parts", "the first part must have a winner, and not every hand qualifies")]
    return [
        ("parts", f"no ranking system is called {part.ranking!r}")
        for part in row.parts
        if part.ranking not in RANKINGS
    ]


def _whole_problems(row: GameRow) -> list[tuple[str, str]]:
    """Return what does not fit together in a row whose fields are good one by one."""
    own, board = row.own_cards(), row.board_cards()
    found: list[tuple[str, str]] = []
    if row.own_cards_used is OwnCards.EXACTLY_TWO and (own < 2 or board < 3):
        reason = f"two own and three board cards out of {own} and {board}"
        found.append(("own_cards_used", reason))
    ranked = 5 if row.own_cards_used is OwnCards.EXACTLY_TWO else own + board
    found += [
        ("own_cards_used", f"{part.ranking} does not rank {ranked} cards")
        for part in row.parts
        if ranked not in RANKINGS[part.ranking].sizes
    ]
    if row.boards > 1 and not board:
        found.append(("boards", "two boards in a game without board cards"))
    if row.bomb_pots and (len(row.streets) < 2 or row.exposed is not None):
        found.append(("bomb_pots", "a bomb pot is played from the second street on"))
    last = row.streets[-1].deals
    if row.common_last and (board or [deal.count for deal in last] != [1]):
        found.append(("common_last", "a common card takes the place of one last own card"))
    return found + _exposed_problems(row)


def _exposed_problems(row: GameRow) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    up = 0
    for street in row.streets:
        up += sum([deal.count for deal in street.deals if deal.to is DealTo.OWN_UP])
        if street.opener is Opener.BRING_IN and (street is not row.streets[0] or up != 1):
            found.append(("streets", "a bring-in opens the first street, with one up card each"))
        if street.opener is Opener.BEST_EXPOSED and not up:
            found.append(("streets", f"{street.name}: no up card to open by"))
    wanted = any(street.opener in _EXPOSED for street in row.streets)
    if any(street.open_pair for street in row.streets) and row.exposed is not Exposed.HIGH:
        found.append(("streets", "an open pair in a game where it does not open"))
    if wanted != (row.exposed is not None):
        found.append(("exposed", "wanted where, and only where, an exposed hand opens a street"))
    return found

"""Check the setup of a placement hand."""

from pokerfloor.cards import DECKS
from pokerfloor.games.placement.layouts import LayoutRow
from pokerfloor.games.placement.rows import PlacementGame, PlacementStreet, Shown
from pokerfloor.games.placement.setup import PlacementSetup
from pokerfloor.games.refusal import Code, Refusal


def check_setup(setup: PlacementSetup) -> tuple[Refusal, ...]:
    """Return every reason to refuse this setup; empty if it is valid."""
    problem = _game_problem(setup.game)
    if problem:
        return (Refusal(Code.BAD_GAME_ROW, problem, "game"),)
    found = _check_seats(setup) + _check_fantasyland(setup)
    return tuple(found or _check_deck(setup))


def _game_problem(game: PlacementGame) -> str:
    """Return what is wrong with a game row, or ""."""
    if game.deck not in DECKS:
        return f"there is no deck {game.deck!r}"
    names = [row for row, _ in game.rows]
    if LayoutRow.DISCARD in names or sorted(set(names)) != sorted(game.fill_order):
        return f"rows {', '.join(names)} are filled in the order {', '.join(game.fill_order)}"
    dealing = [street for street in game.streets if street.dealt]
    placed = sum([street.placed for street in game.streets])
    if not dealing or placed != game.placed():
        return f"{placed} cards are placed, the rows take {game.placed()}"
    for number, street in enumerate(game.streets):
        problem = _street_problem(street, first=number == 0)
        if problem:
            return f"street {number}: {problem}"
    packet = game.fantasyland
    if packet is not None and not game.placed() <= packet.least <= packet.most:
        return f"Fantasyland with {packet.least} to {packet.most} cards for {game.placed()} places"
    if packet is not None and any(street.board for street in game.streets):
        return "Fantasyland in a game with a board"
    return ""


def _street_problem(street: PlacementStreet, *, first: bool) -> str:
    if min(street.dealt, street.burns, street.board) < 0 or not 0 <= street.placed <= street.dealt:
        return f"{street.placed} of {street.dealt} cards placed"
    if street.shown is Shown.UP and street.placed != street.dealt:
        return "cards dealt face up are all placed"
    if street.shown is Shown.TOGETHER:
        if street.dealt and not first:
            return "cards for all at once are dealt on the first street only"
        return "" if street.board or street.dealt else "nothing is dealt"
    if street.board or street.burns or not street.dealt:
        return "board cards need a street on which all set together"
    return ""


def _check_seats(setup: PlacementSetup) -> list[Refusal]:
    game = setup.game
    seats = [seat for seat, _ in setup.seats]
    found: list[Refusal] = []
    if not 2 <= len(seats) <= game.max_seats:
        reason = f"{game.name} is for 2 to {game.max_seats} seats, not {len(seats)}"
        found.append(Refusal(Code.BAD_SEATS, reason, "seats"))
    if seats != sorted(set(seats)) or (seats and seats[0] < 1):
        reason = f"seat numbers ascend from 1, each once: {seats}"
        found.append(Refusal(Code.BAD_SEATS, reason, "seats"))
    if setup.button not in seats:
        reason = f"the button is seat {setup.button}, which is not dealt in: {seats}"
        found.append(Refusal(Code.BAD_SEATS, reason, "button"))
    found += [
        Refusal(Code.BAD_SEATS, f"seat {seat} has {stack} points", "seats")
        for seat, stack in setup.seats
        if stack < 1
    ]
    return found


def _check_fantasyland(setup: PlacementSetup) -> list[Refusal]:
    packet = setup.game.fantasyland
    if not setup.fantasyland:
        return []
    if packet is None:
        return [_bad_fantasyland(f"{setup.game.name} has no Fantasyland")]
    dealt_in = {seat for seat, _ in setup.seats}
    seats = [seat for seat, _ in setup.fantasyland]
    found = [
        _bad_fantasyland(f"Fantasyland has {packet.least} to {packet.most} cards, not {cards}")
        for _, cards in setup.fantasyland
        if not packet.least <= cards <= packet.most
    ]
    if seats != sorted(set(seats)) or not set(seats) <= dealt_in:
        found.append(
            _bad_fantasyland(
                f"seats in Fantasyland must be dealt in and ascend, each once: {seats}"
            )
        )
    return found


def _bad_fantasyland(reason: str) -> Refusal:
    return Refusal(Code.BAD_FANTASYLAND, reason, "fantasyland")


def _check_deck(setup: PlacementSetup) -> list[Refusal]:
    game = setup.game
    packets = [cards for _, cards in setup.fantasyland]
    others = len(setup.seats) - len(packets)
    board = sum([street.board for street in game.streets])
    burned = sum([street.burns for street in game.streets]) if setup.burn else 0
    parts = [f"{others} x {game.dealt_cards()} dealt"] if others else []
    parts += [f"{cards} in Fantasyland" for cards in packets]
    parts += [f"{board} board"] if board else []
    parts += [f"{burned} burned"] if burned else []
    needed = others * game.dealt_cards() + sum(packets) + board + burned
    has = len(DECKS[game.deck])
    if needed <= has:
        return []
    reason = f"{' + '.join(parts)} = {needed} cards, the deck has {has}"
    return [Refusal(Code.DECK_TOO_SMALL, reason, "seats")]

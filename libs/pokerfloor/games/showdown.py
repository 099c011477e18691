"""What is asked of a showdown, and what it answers; how it is decided is in `resolve`."""

from typing import NamedTuple

from pokerfloor.cards import Card
from pokerfloor.games.places import Place
from pokerfloor.games.rows import GameRow, Half
from pokerfloor.games.setup import Losers, RakeRule


class Pot(NamedTuple):
    """A pot: 0 is the main pot; `eligible` are the seats that can win it, in seat order."""

    no: int
    amount: int
    eligible: tuple[int, ...]


class Rake(NamedTuple):
    """POT-10, POT-11: `by_pot` in the order of the pots; `by_seat` as (seat, share)."""

    total: int
    by_pot: tuple[int, ...]
    by_seat: tuple[tuple[int, int], ...]


class Raking(NamedTuple):
    """What a rake is reckoned from: the rule, what each seat put in, and whether the flop fell."""

    rule: RakeRule
    paid: tuple[tuple[int, int], ...]
    chip: int
    dropped: bool


class SeatPlaces(NamedTuple):
    """The places of a seat's hole cards, in the order dealt."""

    seat: int
    places: tuple[Place, ...]


class ShowdownRequest(NamedTuple):
    """A showdown to be resolved.

    `seats` are the seats still in, with their places. `order` is the order of showing (SHW-1,
    SHW-2). `from_button` are the same seats from the left of the button, for odd chips (ODD-1).
    `boards` are the boards' faces. `known` are faces of hole cards already revealed. With `all_in`
    every hand has been exposed and none can be mucked. `rake` is that of all pots; in a game in
    which pots may be carried, `raking` is what that of the pots paid is reckoned from (MAT-7).
    """

    hand_no: int
    game: GameRow
    smallest_chip_minor: int
    losers: Losers
    unread_hands_muck: bool
    all_in: bool
    pots: tuple[Pot, ...]
    rake: Rake
    seats: tuple[SeatPlaces, ...]
    order: tuple[int, ...]
    from_button: tuple[int, ...]
    boards: tuple[tuple[Card, ...], ...]
    known: tuple[tuple[Place, Card], ...]
    raking: Raking | None = None


class HandRank(NamedTuple):
    """What a shown hand is on one board for one half of the pot (RNK-6).

    `strength` compares only inside `system`; `cards` are the five that play, most important first.
    """

    board: int
    half: Half
    system: str
    category: str
    strength: int
    name: str
    cards: tuple[Card, ...]


class ShownHand(NamedTuple):
    """A hand tabled at the showdown."""

    seat: int
    cards: tuple[tuple[Place, Card], ...]
    ranks: tuple[HandRank, ...]


class Award(NamedTuple):
    """A seat's amount out of one part of one pot, after the rake."""

    pot_no: int
    board: int
    half: Half
    seat: int
    amount: int


class ShowdownResult(NamedTuple):
    """`shown` and `mucked` in the order of showing; `awards` from the last pot to the main pot.

    A mucked hand is not in it: its cards stay unknown (SHW-2). `carried` are the numbers of the
    pots that no hand qualifies for (MAT-6); without them, `awards` pay out all others.
    """

    shown: tuple[ShownHand, ...]
    mucked: tuple[int, ...]
    awards: tuple[Award, ...]
    carried: tuple[int, ...] = ()

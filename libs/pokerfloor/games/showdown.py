"""The request and the result of a showdown; `resolve` decides it."""

from typing import NamedTuple

from pokerfloor.cards import Card
from pokerfloor.games.places import Place
from pokerfloor.games.rows import GameRow, Half
from pokerfloor.games.setup import Losers, RakeRule


class Pot(NamedTuple):
    """A pot; number 0 is the main pot. `eligible` are the seats that can win it, in seat order."""

    no: int
    amount: int
    eligible: tuple[int, ...]


class Rake(NamedTuple):
    """The rake by pot, in the order of pots, and by seat as (seat, share) (POT-10, POT-11)."""

    total: int
    by_pot: tuple[int, ...]
    by_seat: tuple[tuple[int, int], ...]


class Raking(NamedTuple):
    """The inputs of the rake: the rule, what each seat paid, and whether the flop was dealt."""

    rule: RakeRule
    paid: tuple[tuple[int, int], ...]
    chip: int
    dropped: bool


class SeatPlaces(NamedTuple):
    """The hole places of a seat, in the order dealt."""

    seat: int
    places: tuple[Place, ...]


class ShowdownRequest(NamedTuple):
    """The request to resolve a showdown.

    `seats` are the seats still in, with their places. `order` is the order of showing (SHW-1,
    SHW-2). `from_button` are the same seats from the left of the button, for odd chips (ODD-1).
    `boards` are the faces of the boards. `known` are the hole cards already revealed. With `all_in`
    every hand is exposed and none can be mucked. `rake` is that of all pots. In a game that carries
    pots, `raking` are the inputs for the rake of the pots that are paid (MAT-7).
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
    """The rank of a shown hand on one board for one half of the pot (RNK-6).

    `strength` compares only within `system`; `cards` are the cards that play, highest first.
    """

    board: int
    half: Half
    system: str
    category: str
    strength: int
    name: str
    cards: tuple[Card, ...]


class ShownHand(NamedTuple):
    """A hand shown at the showdown."""

    seat: int
    cards: tuple[tuple[Place, Card], ...]
    ranks: tuple[HandRank, ...]


class Award(NamedTuple):
    """What a seat wins from one part of one pot, after the rake."""

    pot_no: int
    board: int
    half: Half
    seat: int
    amount: int


class ShowdownResult(NamedTuple):
    """The result of a showdown.

    `shown` and `mucked` are in the order of showing; the cards of mucked hands stay unknown
    (SHW-2). `awards` go from the last pot to the main pot. `carried` are the numbers of the pots
    that no hand qualifies for (MAT-6); `awards` pay out all others.
    """

    shown: tuple[ShownHand, ...]
    mucked: tuple[int, ...]
    awards: tuple[Award, ...]
    carried: tuple[int, ...] = ()

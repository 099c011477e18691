"""Random game rows: whatever the row language can say and `check_row` lets pass."""

from __future__ import annotations

from random import Random

from pokerfloor.games import (
    BetTier,
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
    Structure,
)
from pokerfloor.ranking import RANKINGS

_BLIND_OPENERS = (Opener.LEFT_OF_BLINDS, Opener.LEFT_OF_BUTTON)


def wild_row(rng: Random) -> GameRow:
    """A row put together at random; most are refused by `check_row`, some can be played."""
    exposed = rng.choice([None, None, Exposed.HIGH, Exposed.LOW])
    chooses = exposed is Exposed.HIGH and rng.random() < 0.4  # up or down (MAT)
    count = rng.randint(2, 5) if chooses else rng.randint(1, 6)
    streets = tuple([_street(rng, no, exposed, chooses=chooses) for no in range(count)])
    return GameRow(
        id=f"wild{rng.randint(0, 999)}",
        name="a wild game",
        deck=rng.choice(["standard52", "standard52", "short36", "joker54"]),
        max_seats=rng.randint(2, 10),
        boards=1 if chooses else rng.choice([1, 1, 2]),
        streets=streets,
        hole_cards_used=rng.choice(_CHOOSING if chooses else _USES),
        parts=_parts(rng),
        rake_from_street=rng.randrange(count),
        structures=tuple(rng.sample(list(Structure), rng.randint(1, 3))),
        bomb_pots=rng.random() < 0.4,
        community_last=rng.random() < 0.2,
        exposed=exposed,
        odd_chips=rng.choice(list(OddChips)),
    )


_USES = (
    HoleCardUse.ANY,
    HoleCardUse.ANY,
    HoleCardUse.EXACTLY_TWO,
    HoleCardUse.AT_MOST_ONE_OF_BOARD,
)
_CHOOSING = (HoleCardUse.ANY, HoleCardUse.AT_MOST_ONE_OF_BOARD)


def _parts(rng: Random) -> tuple[PotPart, ...]:
    high, low = (PotPart(half, rng.choice(list(RANKINGS))) for half in (Half.HIGH, Half.LOW))
    qualified = PotPart(Half.HIGH, "high52", rng.choice(["AcAd4c3d2h", "7c5d4h3s2c", "2c2d2h2s3c"]))
    return rng.choice([(high,), (high,), (low,), (high, low), (qualified,)])


def _street(rng: Random, number: int, exposed: Exposed | None, *, chooses: bool) -> Street:
    deals = _first_deals(rng, exposed) if number == 0 else _later_deals(rng, exposed)
    openers: tuple[Opener, ...] = _BLIND_OPENERS
    if exposed is not None:
        first = (Opener.HIGHEST_UP,) if chooses else (Opener.BRING_IN,)
        openers = (Opener.BEST_EXPOSED,) if number else first
    if chooses:
        middle = (Deal(DealTo.COMMUNITY, 3),)
        down_and_up = (Deal(DealTo.SEAT_DOWN, 1), Deal(DealTo.SEAT_UP, 1))
        deals = (Deal(DealTo.SEAT_EITHER, 1),) if number else down_and_up + middle
    change = rng.random() if number and exposed is None else 1.0
    least = rng.randint(0, 2)
    draw = DrawRound(least, rng.randint(least, 4), replaced=rng.random() < 0.6)
    return Street(
        name=f"street {number}",
        burns=rng.randint(0, 1),
        deals=deals,
        opener=rng.choice(openers),
        tier=rng.choice(list(BetTier)),
        draw=draw if change < 0.35 else None,
        swap=0.35 <= change < 0.5,
        open_pair=exposed is Exposed.HIGH and not chooses and rng.random() < 0.3,
        community_up=chooses and number == 1,
    )


def _first_deals(rng: Random, exposed: Exposed | None) -> tuple[Deal, ...]:
    down = Deal(DealTo.SEAT_DOWN, rng.randint(1, 5))
    if exposed is None:
        return (down,)
    up = Deal(DealTo.SEAT_UP, 1)
    return rng.choice([(Deal(DealTo.SEAT_DOWN, rng.randint(1, 3)), up), (up, down), (up,)])


def _later_deals(rng: Random, exposed: Exposed | None) -> tuple[Deal, ...]:
    board = Deal(DealTo.BOARD, rng.choice([1, 1, 2, 3]))
    kinds = [(board,), (board,), ()]
    if exposed is not None or rng.random() < 0.1:
        one = rng.choice([DealTo.SEAT_UP, DealTo.SEAT_DOWN])
        kinds += [(Deal(one, 1),)] * 4
    return rng.choice(kinds)

"""Pots, rakes and awards as messages, and back."""

from collections.abc import Iterable

from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.games import Award, Half, Pot, PotAwarded, Rake, RakeTaken
from pokerfloor.tablelog.amounts import StakeKind, from_amount, to_amount
from pokerfloor.tablelog.enum_codes import HALF, HALF_CODE, look_up
from pokerfloor.tablelog.errors import LogError


def write_pots(pots: Iterable[Pot], kind: StakeKind) -> list[pb.Pot]:
    """Return pots as messages, main pot first."""
    return [
        pb.Pot(pot_no=pot.no, amount=to_amount(pot.amount, kind), seats=pot.eligible)
        for pot in pots
    ]


def read_pots(messages: Iterable[pb.Pot], kind: StakeKind, field: str = "pots") -> tuple[Pot, ...]:
    """Return pots, which must be numbered from 0. Raises LogError."""
    pots = [
        Pot(pot.pot_no, from_amount(pot.amount, kind, f"{field}.amount"), tuple(pot.seats))
        for pot in messages
    ]
    if [pot.no for pot in pots] != list(range(len(pots))):
        raise LogError("pots are numbered from 0, without gaps", f"{field}.pot_no")
    return tuple(pots)


def write_rake(rake: Rake | RakeTaken, kind: StakeKind) -> pb.RakeTaken:
    """Return a rake as a message."""
    return pb.RakeTaken(
        total=to_amount(rake.total, kind),
        by_pot=[
            pb.PotRake(pot_no=pot_no, amount=to_amount(share, kind))
            for pot_no, share in enumerate(rake.by_pot)
        ],
        by_seat=[
            pb.SeatRake(seat=seat, amount=to_amount(share, kind)) for seat, share in rake.by_seat
        ],
    )


def read_rake(message: pb.RakeTaken, kind: StakeKind) -> Rake:
    """Return a rake, whose shares are in the order of the pots. Raises LogError."""
    total = from_amount(message.total, kind, "total")
    if [share.pot_no for share in message.by_pot] != list(range(len(message.by_pot))):
        raise LogError("shares of the rake are in the order of the pots", "by_pot.pot_no")
    by_pot = [from_amount(share.amount, kind, "by_pot.amount") for share in message.by_pot]
    by_seat = [
        (share.seat, from_amount(share.amount, kind, "by_seat.amount")) for share in message.by_seat
    ]
    return Rake(total, tuple(by_pot), tuple(by_seat))


def write_award(award: Award | PotAwarded, kind: StakeKind) -> pb.PotAwarded:
    """Return an award as a message. A whole pot is its high half with `uncontested`."""
    whole = award.half is Half.WHOLE
    return pb.PotAwarded(
        pot_no=award.pot_no,
        board=award.board,
        half=pb.POT_HALF_HIGH if whole else HALF_CODE[award.half],
        seat=award.seat,
        amount=to_amount(award.amount, kind),
        uncontested=whole,
    )


def read_award(message: pb.PotAwarded, kind: StakeKind) -> Award:
    """Return an award. Raises LogError."""
    return Award(
        message.pot_no,
        message.board,
        Half.WHOLE if message.uncontested else look_up(HALF, message.half, "half"),
        message.seat,
        from_amount(message.amount, kind),
    )

"""What is done to a ledger while it is killed: each unit of work that it knows, on one book."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from floor_wallet.domain import (
    AskReversal,
    PostTournament,
    Reverse,
    TournamentMove,
    Transfer,
    ask_reversal,
    cash,
    post_tournament,
    reverse,
    transfer,
)
from pokerfloor.api.events.v1 import table_events_pb2
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.table_log import (
    Event,
    TableLog,
    ended,
    left,
    minor,
    opened,
    taken,
    voided,
)

SEATED = ("ann", "bob", "cid", "dan", "eve", "fay")
STACK = 2_000
# After hand 1, which left 120 in the table's pot.
AFTER_HAND_1 = dict.fromkeys(SEATED, STACK) | {"ann": STACK - 70, "bob": STACK - 50}
# The first steps of t1: opened, seated, hand 1.
STEPS = 3

Work = Callable[[Ledger], Awaitable[Any]]


async def prepare(ledger: Ledger) -> None:
    """Six seats at t1 with a carried pot, a hold of zoe's, a tournament's entry, facts waiting."""
    await ledger.rich(*SEATED, "zoe")
    await ledger.register()
    for player in SEATED:
        await ledger.reserve(f"in/{player}", player, STACK)
    log = TableLog()
    seats = [taken(p, STACK, f"in/{p}", seat) for seat, p in enumerate(SEATED, start=1)]
    hand = {p: (STACK, stack) for p, stack in AFTER_HAND_1.items()}
    steps = [log.step(opened()), log.step(*seats), log.step(ended(1, hand, carried_out=120))]
    assert (await ledger.take(steps)).stopped == ()
    await ledger.reserve("held", "zoe", 1_500)
    await ledger.register("cup")
    await _tournament("entry", TournamentMove.ENTRY, prize=500, fee=50)(ledger)
    await ledger.deposit("bob", STACK, "more")  # so that his first one, entry 2, can be undone
    await _ask(2)(ledger)
    ledger.now_ms += 1_000


def _log(*steps: tuple[Event, ...]) -> Work:
    """Take in the next steps of t1; taken in again, they do nothing."""

    async def work(ledger: Ledger) -> None:
        log = TableLog(table_seq=STEPS)
        await ledger.take([log.step(*events) for events in steps], first_seq=STEPS + 1)

    return work


def _six_seats(rake: int, carried_in: int, carried_out: int) -> Event:
    """Hand 2: everyone wins or loses something."""
    nets = dict(zip(SEATED, (-400, 130, -90, 275, -15, 160), strict=True))
    nets["fay"] -= sum(nets.values()) + rake + carried_out - carried_in
    stacks = {p: (AFTER_HAND_1[p], AFTER_HAND_1[p] + net) for p, net in nets.items()}
    return ended(2, stacks, rake, carried_in, carried_out)


def _pot_closed(*shares: tuple[str, int], suspense: int) -> Event:
    return Event(
        carried_pot_closed=table_events_pb2.CarriedPotClosed(
            shares=[
                table_events_pb2.SeatShare(seat=seat, player_id=player, amount=minor(amount))
                for seat, (player, amount) in enumerate(shares, start=1)
            ],
            suspense=minor(suspense),
        )
    )


def _tournament(
    request_id: str, move: TournamentMove, *, prize: int, fee: int = 0, entered_by: str = ""
) -> Work:
    command = PostTournament(move, request_id, "cup", "ann", prize, fee, "EUR", 1, entered_by)
    return lambda ledger: ledger.run(partial(post_tournament, command, at_ms=ledger.now_ms))


def _ask(entry_no: int) -> Work:
    command = AskReversal("desk", entry_no, "typed twice")
    return lambda ledger: ledger.run(partial(ask_reversal, command, at_ms=ledger.now_ms))


def _undo(entry_no: int) -> Work:
    command = Reverse("boss", "undo", entry_no, "so it is", "desk")
    return lambda ledger: ledger.run(partial(reverse, command, at_ms=ledger.now_ms))


def _transfer(ledger: Ledger) -> Awaitable[Any]:
    command = Transfer("desk", "give", cash("bob", "EUR"), cash("cid", "EUR"), 333, "a debt")
    return ledger.run(partial(transfer, command, at_ms=ledger.now_ms))


async def _expire(ledger: Ledger) -> None:
    await Ledger(ledger.store, ledger.now_ms + 60_000).expire("held")


async def _published(ledger: Ledger) -> None:
    await ledger.store.execute(lambda book: book.delete_events(range(1, 6)))


#: Each is one unit of work. Done again it answers the same and changes nothing.
SCENARIOS: dict[str, Work] = {
    "open an account": lambda ledger: ledger.open("yan", currency="USD"),
    "deposit": lambda ledger: ledger.deposit("ann", 700, "d1"),
    "withdraw": lambda ledger: ledger.withdraw("ann", 700, "w1"),
    "transfer": _transfer,
    "register a table": lambda ledger: ledger.register("t9"),
    "reserve": lambda ledger: ledger.reserve("more", "zoe", 900),
    "void": lambda ledger: ledger.void("held"),
    "void before the reserve": lambda ledger: ledger.void("never-came"),
    "expire": _expire,
    "ask for a reversal": _ask(7),
    "reverse": _undo(2),
    "tournament entry": _tournament("e2", TournamentMove.ENTRY, prize=500, fee=50),
    "tournament prize": _tournament("p1", TournamentMove.PRIZE, prize=400),
    "tournament refund": _tournament(
        "r1", TournamentMove.REFUND, prize=500, fee=50, entered_by="entry"
    ),
    "refund before its entry": _tournament(
        "r2", TournamentMove.REFUND, prize=500, fee=50, entered_by="never-came"
    ),
    "commit": _log((taken("zoe", 1_500, "held"),)),
    "hand of six seats": _log((_six_seats(rake=25, carried_in=120, carried_out=60),)),
    "void hand": _log((voided(2),)),
    "carried pot shared out": _log((_pot_closed(("ann", 70), suspense=50),)),
    "cash-out": _log((left("ann", AFTER_HAND_1["ann"]), left("cid", AFTER_HAND_1["cid"]))),
    "several steps": _log(
        (taken("zoe", 1_500, "held"),),
        (_six_seats(rake=25, carried_in=0, carried_out=0),),
        (left("ann", AFTER_HAND_1["ann"] - 400),),
    ),
    "a step that stops its table": _log(
        (left("cid", AFTER_HAND_1["cid"]), _six_seats(rake=301, carried_in=0, carried_out=0)),
    ),
    "facts published": _published,
}

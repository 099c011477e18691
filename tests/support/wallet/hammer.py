"""Clients who hammer a few accounts, and keep their own record of what they were answered."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import grpc.aio

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.internal.wallet.v1 import table_money_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from pokerfloor.servicekit import connect, error_of, fixed_token
from tests.support.accounts import account
from tests.support.processes import ServiceProcess
from tests.support.stubs import WalletStub
from tests.support.wallet.wallet_floor import EUR, WalletFloor

ACCOUNTS: Final = tuple(f"player-{n}" for n in range(10))
FIRST: Final = 20_000
DESKS: Final = 8
TABLE: Final = "t1"

OK: Final = errors_pb2.ERROR_CODE_UNSPECIFIED
NOT_ENOUGH: Final = errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
GONE: Final = errors_pb2.ERROR_CODE_RESERVATION_GONE
#: Answers that say nothing: the same id is asked again.
_ASK_AGAIN: Final = frozenset({errors_pb2.ERROR_CODE_UNAVAILABLE, errors_pb2.ERROR_CODE_OVERLOADED})
_AGAIN_S: Final = 0.05
_CALL_S: Final = 10.0


@dataclass(frozen=True)
class Desk:
    """Somebody who is cashier and supervisor, with a channel of their own."""

    name: str
    stub: WalletStub


@dataclass(frozen=True)
class Done:
    """A command that was carried out: by whom, and what it was answered."""

    desk: Desk
    call: str
    request: Any
    entry_no: int
    balance_minor: int
    #: By account, what it moved.
    moved: tuple[tuple[str, int], ...]


@dataclass
class Slip:
    """What all clients know of the book, by the answers they were given."""

    #: By caller and request id.
    done: dict[tuple[str, str], Done] = field(default_factory=dict)
    #: By number of the entry undone: the request that did it.
    undone: dict[int, Done] = field(default_factory=dict)
    #: Reservations: player and amount, and whether they were held for long.
    held: dict[str, tuple[str, int]] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    refusals: Counter[int] = field(default_factory=Counter)
    rounds: int = 0
    asked_again: int = 0

    def note(self, done: Done) -> None:
        key = (done.desk.name, done.request.command_id)
        first = self.done.setdefault(key, done)
        same = (first.entry_no, first.balance_minor) == (done.entry_no, done.balance_minor)
        assert same, f"{key} was answered {first.entry_no} and then {done.entry_no}"

    def balances(self) -> Counter[str]:
        """What the accounts hold by all of this."""
        found: Counter[str] = Counter()
        for done in self.done.values():
            for moved, amount in done.moved:
                found[moved] += amount
        for player, amount in self.held.values():
            found[player] -= amount
            found[f"reserved {player}"] += amount
        return found


class Hammer:
    """One client: its own random numbers, its own ids, everybody's accounts."""

    def __init__(self, number: int, desks: Sequence[Desk], floor: WalletFloor, slip: Slip) -> None:
        self._name = f"c{number}"
        self._desk = desks[number % len(desks)]
        self._desks = desks
        self._table = floor.table
        self._floor = floor
        self._slip = slip
        self._rng = random.Random(f"hammer {number}")
        self._ids = 0
        self._own: list[Done] = []
        self._whats: dict[Callable[[], Awaitable[None]], int] = {
            self._cash: 5,
            self._transfer: 6,
            self._again: 4,
            self._other_content: 2,
            self._undo: 3,
            self._hold: 4,
            self._look: 3,
        }

    async def work(self, count: int) -> None:
        for _ in range(count):
            (what,) = self._rng.choices(list(self._whats), list(self._whats.values()))
            await what()
            self._slip.rounds += 1

    # What clients do

    async def _cash(self) -> None:
        """In or out, sometimes by several calls at once that say the same."""
        call = self._rng.choice(("Deposit", "Withdraw"))
        player, amount = self._rng.choice(ACCOUNTS), self._rng.randint(1, 4_000)
        if call == "Deposit":
            amount //= 2
        of = pb.DepositRequest if call == "Deposit" else pb.WithdrawRequest
        request = of(
            command_id=self._new_id(), player_id=player, currency="EUR", amount_minor=amount + 1
        )
        sign = 1 if call == "Deposit" else -1
        moved = ((player, sign * (amount + 1)), ("house", -sign * (amount + 1)))
        await self._several_times(call, request, moved)

    async def _transfer(self) -> None:
        source, target = self._rng.sample(ACCOUNTS, 2)
        amount = self._rng.randint(1, 5_000)
        request = pb.TransferRequest(
            command_id=self._new_id(),
            source=_cash_of(source),
            target=_cash_of(target),
            amount_minor=amount,
            reason="a debt",
        )
        await self._several_times("Transfer", request, ((source, -amount), (target, amount)))

    async def _again(self) -> None:
        """The same id and content as something long done, through any channel of its caller."""
        if self._own:
            done = self._rng.choice(self._own)
            code, answer = await self._ask(done.desk.stub, done.call, done.request)
            assert code == OK
            self._note(done, answer)

    async def _other_content(self) -> None:
        """An id that was used, with other content, or by another caller, to whom it is new."""
        if not self._own:
            return
        done = self._rng.choice(self._own)
        request = type(done.request).FromString(done.request.SerializeToString())
        if hasattr(request, "amount_minor"):
            request.amount_minor += 1
        else:
            request.reason = "another one"
        code, _ = await self._ask(done.desk.stub, done.call, request)
        assert code == errors_pb2.ERROR_CODE_ID_REUSED

    async def _undo(self) -> None:
        """One asks, another does it, and a third tries as well."""
        if not self._own:
            return
        done = self._rng.choice(self._own)
        asking, doing, third = self._rng.sample(self._desks, 3)
        ask = pb.AskReversalRequest(entry_no=done.entry_no, reason="typed twice")
        code, _ = await self._ask(asking.stub, "AskReversal", ask)
        if code != OK:
            assert code in (
                errors_pb2.ERROR_CODE_ALREADY_REVERSED,
                errors_pb2.ERROR_CODE_NOT_REVERSIBLE,
            )
            return
        alone = self._undoing(done.entry_no, asking)
        code, _ = await self._ask(asking.stub, "Reverse", alone)
        assert code in (
            errors_pb2.ERROR_CODE_SECOND_PERSON_NEEDED,
            errors_pb2.ERROR_CODE_ALREADY_REVERSED,
        )
        moved = tuple((account, -amount) for account, amount in done.moved)
        await asyncio.gather(
            self._reverse(doing, self._undoing(done.entry_no, asking), moved),
            self._reverse(third, self._undoing(done.entry_no, asking), moved),
        )

    async def _reverse(
        self, desk: Desk, request: pb.ReverseRequest, moved: tuple[tuple[str, int], ...]
    ) -> None:
        code, answer = await self._ask(desk.stub, "Reverse", request)
        if code != OK:
            assert code in (errors_pb2.ERROR_CODE_ALREADY_REVERSED, NOT_ENOUGH)
            return
        undone = Done(desk, "Reverse", request, answer.entry_no, answer.balance_minor, moved)
        first = self._slip.undone.setdefault(request.entry_no, undone)
        assert first.entry_no == answer.entry_no, "an entry was undone twice"
        self._own.append(undone)
        self._slip.note(undone)

    async def _hold(self) -> None:
        """Money held for a seat: given up at once, before it came, later, or left to expire."""
        player, amount = self._rng.choice(ACCOUNTS), self._rng.randint(1, 900)
        end = self._rng.choice(("void", "void first", "expire", "expire", "keep"))
        key = f"{self._new_id()}-{end.replace(' ', '-')}"
        seconds = 0.3 if end == "expire" else 600.0
        reserve = self._floor.reservation(key, TABLE, player, amount, seconds)
        void = table_money_pb2.VoidReservationRequest(
            reservation_id=key, table_id=TABLE, reason="asked", owner_epoch=1
        )
        if end == "void first":
            await self._ask(self._table, "VoidReservation", void)
        both = [self._ask(self._table, "Reserve", reserve) for _ in range(self._rng.randint(1, 2))]
        codes = {code for code, _ in await asyncio.gather(*both)}
        if end == "void first":
            assert codes == {errors_pb2.ERROR_CODE_ROLLED_BACK}
        elif end == "expire":
            # It may have expired on its way, or before it was asked for again.
            assert codes <= {OK, NOT_ENOUGH, GONE}, codes
            self._slip.ended.add(key)
        elif OK in codes:
            self._slip.held[key] = (player, amount)
            if end == "void":
                code, answer = await self._ask(self._table, "VoidReservation", void)
                assert code == OK
                assert answer.voided
                del self._slip.held[key]
                self._slip.ended.add(key)

    async def _look(self) -> None:
        """Nothing is negative, whenever one looks; what is held adds up."""
        player = self._rng.choice(ACCOUNTS)
        request = pb.GetBalanceRequest(player_id=player, currency="EUR")
        code, found = await self._ask(self._floor.auditor, "GetBalance", request)
        assert code == OK
        assert min(found.cash_minor, found.reserved_minor) >= 0
        if len(found.holds) < 100:
            assert sum(hold.amount_minor for hold in found.holds) == found.reserved_minor
        trial_of = pb.GetTrialBalanceRequest(currency="EUR")
        code, trial = await self._ask(self._floor.auditor, "GetTrialBalance", trial_of)
        assert code == OK
        assert (trial.total_minor, trial.unbalanced_entries) == (0, 0)

    # How they do it

    def _new_id(self) -> str:
        self._ids += 1
        return f"{self._name}-{self._ids}"

    def _undoing(self, entry_no: int, asked_by: Desk) -> pb.ReverseRequest:
        return pb.ReverseRequest(
            command_id=self._new_id(),
            entry_no=entry_no,
            reason="so it is",
            requested_by=asked_by.name,
        )

    async def _several_times(
        self, call: str, request: Any, moved: tuple[tuple[str, int], ...]
    ) -> None:
        times = self._rng.choice((1, 1, 1, 2, 3))
        asked = [self._ask(self._desk.stub, call, request) for _ in range(times)]
        done = [answer for code, answer in await asyncio.gather(*asked) if code == OK]
        if done:
            first = Done(self._desk, call, request, done[0].entry_no, done[0].balance_minor, moved)
            self._own.append(first)
            for answer in done:
                self._note(first, answer)

    def _note(self, done: Done, answer: Any) -> None:
        self._slip.note(
            Done(
                done.desk,
                done.call,
                done.request,
                answer.entry_no,
                answer.balance_minor,
                done.moved,
            )
        )

    async def _ask(self, stub: WalletStub, call: str, request: Any) -> tuple[int, Any]:
        """Ask until there is an answer: OK and what it says, or the code of the refusal."""
        while True:
            try:
                answer = await getattr(stub, call)(request, timeout=_CALL_S)
            except grpc.aio.AioRpcError as failure:
                code = error_of(failure).code
                if code not in _ASK_AGAIN:
                    self._slip.refusals[code] += 1
                    return code, None
                self._slip.asked_again += 1
                await asyncio.sleep(_AGAIN_S * (1 + self._rng.random()))
            else:
                return OK, answer


async def begin(floor: WalletFloor, slip: Slip, wallets: Sequence[ServiceProcess]) -> list[Desk]:
    """Open the accounts, with some money in them, and a table; gives the wallets' desks."""
    desks = []
    for number in range(DESKS):
        name, wallet = f"desk-{number}", wallets[number % len(wallets)]
        token = floor.identities.token(name, "cashier", "supervisor")
        channel = connect(wallet.address, fixed_token(token))
        floor.channels.append(channel)
        desks.append(Desk(name, WalletStub(channel)))
    stub = desks[0].stub
    for player in ACCOUNTS:
        await stub.OpenAccount(
            pb.OpenAccountRequest(command_id=f"open-{player}", player_id=player, currency=EUR)
        )
        request = pb.DepositRequest(
            command_id=f"first-{player}", player_id=player, currency="EUR", amount_minor=FIRST
        )
        answer = await stub.Deposit(request)
        moved = ((player, FIRST), ("house", -FIRST))
        slip.note(Done(desks[0], "Deposit", request, answer.entry_no, answer.balance_minor, moved))
    await floor.register(TABLE)
    return desks


def _cash_of(player: str) -> pb.Account:
    return account(pb.ACCOUNT_KIND_PLAYER_CASH, player)

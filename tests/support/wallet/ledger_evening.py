"""A random evening on a running wallet: every kind of entry, several tables and currencies."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.internal.tournament.v1alpha1 import tournament_money_pb2
from pokerfloor.api.internal.wallet.v1 import table_money_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from tests.support.accounts import account as account_of
from tests.support.wallet.table_log import (
    Event,
    added,
    ended,
    left,
    minor,
    opened,
    points_ended,
    settings,
    taken,
    voided,
)
from tests.support.wallet.wallet_floor import WalletFloor, code_of, until

CURRENCIES = {"EUR": 2, "JPY": 0, "BTC8": 8}
# What hledger or a careless reader could take for something else.
PLAYERS = ("ann", "b:ob;x", "(cyd)", "d%an")
BUY_IN = 5_000
PRICE = 10
_MAX_RAKE = 300


@dataclass
class Seats:
    """A table and what the players have in front of them, in its own units."""

    table_id: str
    currency: str
    price: int = 0
    stacks: dict[str, int] = field(default_factory=dict)
    carried: int = 0
    hands: int = 0

    @property
    def settings(self) -> settings_pb2.TableSettings:
        code, exponent = self.currency, CURRENCIES[self.currency]
        of = settings(currency=code, exponent=exponent, max_buy_in=10 * BUY_IN)
        if self.price:
            currency = money_pb2.Currency(code=code, exponent=exponent)
            points = money_pb2.PointStake(currency=currency, point_price_minor=self.price)
            of.stake.CopyFrom(money_pb2.Stake(points=points))
        return of


class Evening:
    """Plays on a wallet's floor; what comes is drawn from `seed`."""

    def __init__(self, floor: WalletFloor, seed: int) -> None:
        self.floor = floor
        self.chance = random.Random(seed)
        self.tables = [
            Seats("main-1", "EUR"),
            Seats("main-2", "EUR"),
            Seats("yen-1", "JPY"),
            Seats("coin-1", "BTC8"),
            Seats("ofc-1", "EUR", PRICE),
        ]
        self._number = 0
        self._boss = floor.stub("boss", "supervisor", "operations")

    async def begin(self) -> None:
        """Accounts with money, tables open, three of four players at each."""
        for code, exponent in CURRENCIES.items():
            currency = money_pb2.Currency(code=code, exponent=exponent)
            for player in PLAYERS:
                account = pb.OpenAccountRequest(
                    command_id=self._id(), player_id=player, currency=currency
                )
                await self.floor.desk.OpenAccount(account)
                await self._cash("Deposit", player, code, 1_000_000)
        for table in self.tables:
            await self.floor.store(table.table_id, opened(table.settings))
        for table in self.tables:
            await until(partial(self._is_known, table.table_id))
            for player in PLAYERS[:3]:
                await self.sit(table, player)

    async def go_on(self, rounds: int) -> None:
        """Let things happen; afterwards all of it is in the ledger."""
        for _ in range(rounds):
            table = self.chance.choice(self.tables)
            what = self.chance.choice(
                (self.hand, self.hand, self.hand, self.void, self.come_or_go, self.top_up)
            )
            await what(table)
            if self.chance.random() < 0.3:
                await self.chance.choice((self.at_the_desk, self.tournament, self.undo))()
        await self.settled()

    async def settled(self) -> None:
        for table in self.tables:
            await self.floor.settled(table.table_id)

    async def _is_known(self, table_id: str) -> bool:
        asked = self.floor.table.GetTableProgress(pb.GetTableProgressRequest(table_id=table_id))
        return await code_of(asked) == 0

    async def sit(self, table: Seats, player: str, kind: str = "buyin") -> None:
        reservation_id = f"{table.table_id}/{kind}/{self._id()}"
        request = self.floor.reservation(reservation_id, table.table_id, player, BUY_IN)
        request.currency = table.currency
        await self.floor.table.Reserve(request)
        event = taken(player, BUY_IN, reservation_id)
        if kind == "topup":
            event = added(player, BUY_IN, reservation_id)
        elif self.chance.random() < 0.1:
            await self.floor.table.VoidReservation(
                table_money_pb2.VoidReservationRequest(
                    reservation_id=reservation_id,
                    table_id=table.table_id,
                    reason="changed their mind:\n[2020-01-01] date:2020-02-02 ; really",
                    owner_epoch=1,
                )
            )
            return
        await self.floor.store(table.table_id, event)
        unit = table.price or 1
        table.stacks[player] = table.stacks.get(player, 0) + BUY_IN // unit
        await self.floor.settled(table.table_id)

    async def top_up(self, table: Seats) -> None:
        if table.stacks:
            await self.sit(table, self.chance.choice(sorted(table.stacks)), "topup")

    async def come_or_go(self, table: Seats) -> None:
        player = self.chance.choice(PLAYERS)
        if player not in table.stacks:
            await self.sit(table, player)
        else:
            stack = table.stacks.pop(player) * (table.price or 1)
            await self.floor.store(table.table_id, left(player, stack, f"out-{self._id()}"))
            await self.floor.settled(table.table_id)

    async def void(self, table: Seats) -> None:
        table.hands += 1
        await self.floor.store(table.table_id, voided(table.hands))

    async def hand(self, table: Seats) -> None:
        """Somebody loses to somebody; money tables rake, carry a pot, or share one out."""
        if len(table.stacks) < 2:
            return
        loser, winner = self.chance.sample(sorted(table.stacks), 2)
        lost = self.chance.randint(0, table.stacks[loser])
        rake = 0 if table.price else min(lost // 20, _MAX_RAKE)
        carried_in, carried_out = (0, 0) if table.price else self._carry(table, lost - rake)
        won = lost - rake + carried_in - carried_out
        table.hands += 1
        before = dict(table.stacks)
        table.stacks[loser] -= lost
        table.stacks[winner] += won
        table.carried += carried_out - carried_in
        stacks = {player: (before[player], table.stacks[player]) for player in sorted(before)}
        if table.price:
            event = points_ended(table.hands, stacks)
        else:
            event = ended(table.hands, stacks, rake, carried_in, carried_out)
        await self.floor.store(table.table_id, event)
        if table.carried and self.chance.random() < 0.3:
            await self.floor.store(table.table_id, self._close_pot(table))

    async def at_the_desk(self) -> None:
        code = self.chance.choice(sorted(CURRENCIES))
        player, other = self.chance.sample(PLAYERS, 2)
        amount = self.chance.randint(1, 500)
        what = self.chance.choice(("Deposit", "Withdraw", "tip", "transfer", "drop"))
        cash = pb.ACCOUNT_KIND_PLAYER_CASH
        if what in ("Deposit", "Withdraw"):
            await self._cash(what, player, code, amount)
        elif what == "tip":
            await self._move(code, (cash, player), (pb.ACCOUNT_KIND_TIPS, "room-1"), amount)
        elif what == "transfer":
            await self._move(code, (cash, player), (cash, other), amount)
        else:
            await self._move(
                code, (pb.ACCOUNT_KIND_HOUSE, ""), (pb.ACCOUNT_KIND_SUSPENSE, ""), amount
            )

    async def tournament(self) -> None:
        """An entry, and either its refund or its prize."""
        player = self.chance.choice(PLAYERS)
        entry_id = self._id()
        await self._post_tournament("entry", player, entry_id, prize=450, fee=50)
        if self.chance.random() < 0.4:
            await self._post_tournament(
                "refund", player, self._id(), prize=450, fee=50, of=entry_id
            )
        elif self.chance.random() < 0.7:
            await self._post_tournament("prize", self.chance.choice(PLAYERS), self._id(), prize=450)

    async def undo(self) -> None:
        """A deposit that was mistyped, asked for by the desk, undone by the boss."""
        code = self.chance.choice(sorted(CURRENCIES))
        posted = await self._cash("Deposit", self.chance.choice(PLAYERS), code, 7_777)
        ask = pb.AskReversalRequest(entry_no=posted.entry_no, reason="mistyped; date:2020-01-01")
        await self.floor.desk.AskReversal(ask)
        await self._boss.Reverse(
            pb.ReverseRequest(
                command_id=self._id(),
                entry_no=posted.entry_no,
                reason="seen",
                requested_by="desk",
            )
        )

    def _carry(self, table: Seats, lost: int) -> tuple[int, int]:
        roll = self.chance.random()
        if roll < 0.2 and table.carried:
            return table.carried, 0
        if roll < 0.5:
            return 0, self.chance.randint(0, lost)
        return 0, 0

    def _close_pot(self, table: Seats) -> Event:
        player = self.chance.choice(sorted(table.stacks))
        share = self.chance.randint(0, table.carried)
        closed = table_events_pb2.CarriedPotClosed(suspense=minor(table.carried - share))
        if share:
            closed.shares.add(seat=1, player_id=player, amount=minor(share))
        table.stacks[player] += share
        table.carried = 0
        return Event(carried_pot_closed=closed)

    async def _cash(self, call: str, player: str, code: str, amount: int) -> Any:
        kind = pb.DepositRequest if call == "Deposit" else pb.WithdrawRequest
        request = kind(
            command_id=self._id(),
            player_id=player,
            currency=code,
            amount_minor=amount,
            reference="till 3; [2001-01-01]",
        )
        answer: Any = await getattr(self.floor.desk, call)(request)
        return answer

    async def _move(
        self, code: str, source: tuple[int, str], target: tuple[int, str], amount: int
    ) -> None:
        def account(of: tuple[int, str]) -> pb.Account:
            return account_of(of[0], of[1], code)

        await self._boss.Transfer(
            pb.TransferRequest(
                command_id=self._id(),
                source=account(source),
                target=account(target),
                amount_minor=amount,
                reason="asked",
            )
        )

    async def _post_tournament(
        self, what: str, player: str, request_id: str, *, prize: int, fee: int = 0, of: str = ""
    ) -> None:
        move = tournament_money_pb2.TournamentMove.Value(f"TOURNAMENT_MOVE_{what.upper()}")
        await self.floor.table.PostTournament(
            tournament_money_pb2.PostTournamentRequest(
                command_id=request_id,
                table_id="main-1",
                player_id=player,
                move=move,
                prize_minor=prize,
                fee_minor=fee,
                currency="EUR",
                owner_epoch=1,
                entry_command_id=of,
            )
        )

    def _id(self) -> str:
        self._number += 1
        return f"q{self._number}"

"""What a table's log says of money: the entries that must stand in the ledger, in their order.

A second reading of the log, apart from the wallet's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2

#: Kind and owner of an account.
AccountKey = tuple[int, str]

_ESCROW: Final = wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW
_POT: Final = wallet_pb2.ACCOUNT_KIND_TABLE_POT
_RAKE: Final = wallet_pb2.ACCOUNT_KIND_RAKE
_CASH: Final = wallet_pb2.ACCOUNT_KIND_PLAYER_CASH
_RESERVED: Final = wallet_pb2.ACCOUNT_KIND_RESERVED
_SUSPENSE: Final = wallet_pb2.ACCOUNT_KIND_SUSPENSE


@dataclass(frozen=True, slots=True)
class ExpectedEntry:
    """An entry that a step demands; `entry_id` is "" for a hand that moves nothing.

    `movements` and `after` are in minor units: what is moved, and what escrows and the carried pot
    hold afterwards. `hand_no` is 0 where it is no hand.
    """

    what: str
    table_seq: int
    kind: int
    entry_id: str
    currency: str
    movements: Mapping[AccountKey, int]
    after: Mapping[AccountKey, int]
    hand_no: int = 0
    rake_minor: int = 0
    reference: str = ""


@dataclass(slots=True)
class TableMoney:
    """Reads a table's steps in order. Holds a stack for each player who ever sat there."""

    table_id: str
    table_seq: int = 0
    hand_no: int = 0
    flaws: list[str] = field(default_factory=list)
    _room_id: str = ""
    _currency: str = ""
    # Of one of the units that stacks are counted in: a minor unit, or a point.
    _price_minor: int = 1
    _stacks: dict[str, int] = field(default_factory=dict)
    _carried_minor: int = 0

    def read(self, step: step_pb2.Step) -> Iterator[ExpectedEntry]:
        """Yield what the next step demands, in order."""
        if step.table_seq != self.table_seq + 1:
            self._note(step.table_seq, f"step {self.table_seq + 1} is missing before it")
        self.table_seq = step.table_seq
        for event in step.events:
            yield from self._read_event(event, step)

    def _read_event(
        self, event: table_events_pb2.TableEvent, step: step_pb2.Step
    ) -> Iterator[ExpectedEntry]:
        match event.WhichOneof("event"):
            case "table_opened":
                self._take_settings(event.table_opened.settings)
            case "settings_changed":
                self._take_settings(event.settings_changed.settings)
            case "seat_taken":
                seat = event.seat_taken
                kind = wallet_pb2.ENTRY_KIND_BUY_IN
                yield self._bought(
                    kind, seat.player_id, seat.buy_in_minor, seat.reservation_id, step
                )
            case "chips_added":
                added = event.chips_added
                kind = wallet_pb2.ENTRY_KIND_TOP_UP
                yield self._bought(
                    kind, added.player_id, added.amount_minor, added.reservation_id, step
                )
            case "seat_left":
                yield from self._left(event.seat_left, step)
            case "carried_pot_closed":
                yield self._shared_out(event.carried_pot_closed, step)
            case "hand":
                yield from self._hand(event.hand, step)

    def _take_settings(self, settings: settings_pb2.TableSettings) -> None:
        stake = settings.stake
        in_points = stake.WhichOneof("kind") == "points"
        self._room_id = settings.room_id
        self._currency = (stake.points.currency if in_points else stake.money).code
        self._price_minor = stake.points.point_price_minor if in_points else 1

    def _bought(
        self, kind: int, player: str, amount: int, reservation_id: str, step: step_pb2.Step
    ) -> ExpectedEntry:
        self._stacks[player] = self._stacks.get(player, 0) + amount
        what = "buy-in" if kind == wallet_pb2.ENTRY_KIND_BUY_IN else "top-up"
        expected = self._expect(
            step,
            f"{what} of {player} at {self.table_id}",
            kind,
            f"commit/{reservation_id}",
            {(_RESERVED, player): -amount, self._escrow(player): amount},
        )
        return replace(expected, reference=reservation_id)

    def _left(
        self, left: table_events_pb2.SeatLeft, step: step_pb2.Step
    ) -> Iterator[ExpectedEntry]:
        player, amount = left.player_id, left.cash_out_minor
        stack = self._stacks.get(player, 0)
        if stack != amount:
            self._note(step.table_seq, f"{player} leaves with {amount} of {stack}")
        self._stacks[player] = stack - amount
        if amount:
            expected = self._expect(
                step,
                f"cash-out of {player} at {self.table_id}",
                wallet_pb2.ENTRY_KIND_CASH_OUT,
                f"cashout/{self.table_id}/{step.table_seq}/{player}",
                {self._escrow(player): -amount, (_CASH, player): amount},
            )
            yield replace(expected, reference=left.cash_out_id)

    def _shared_out(
        self, closed: table_events_pb2.CarriedPotClosed, step: step_pb2.Step
    ) -> ExpectedEntry:
        moved: dict[AccountKey, int] = {}
        for share in closed.shares:
            player, amount = share.player_id, self._minor(share.amount)
            self._stacks[player] = self._stacks.get(player, 0) + amount
            moved[self._escrow(player)] = amount
        moved[_SUSPENSE, ""] = self._minor(closed.suspense)
        shared = sum(moved.values())
        if shared != self._carried_minor:
            self._note(step.table_seq, f"{shared} of a pot of {self._carried_minor} is shared out")
        self._carried_minor -= shared
        moved[_POT, self.table_id] = -shared
        kind = wallet_pb2.ENTRY_KIND_CARRIED_POT
        entry_id = f"carried/{self.table_id}/{step.table_seq}"
        return self._expect(step, f"carried pot of {self.table_id}", kind, entry_id, moved)

    def _hand(
        self, event: hand_events_pb2.HandEvent, step: step_pb2.Step
    ) -> Iterator[ExpectedEntry]:
        match event.WhichOneof("event"):
            case "hand_ended":
                yield self._ended(event.hand_ended, step)
            case "hand_voided":
                hand_no = self._next_hand(event.hand_voided.hand_no or step.hand_no, step)
                yield self._expect_hand(hand_no, "", {}, step)

    def _ended(self, ended: hand_events_pb2.HandEnded, step: step_pb2.Step) -> ExpectedEntry:
        hand_no = self._next_hand(ended.hand_no or step.hand_no, step)
        moved: dict[AccountKey, int] = {}
        for seat in ended.seats:
            player, start, net = seat.player_id, self._minor(seat.start), self._minor(seat.net)
            stack = self._stacks.get(player, 0)
            if (start, self._minor(seat.end)) != (stack, stack + net):
                self._note(
                    step.table_seq,
                    f"hand {hand_no} takes {player} from {start} by {net} to "
                    f"{self._minor(seat.end)}, and {stack} was there before",
                )
            self._stacks[player] = stack + net
            moved[self._escrow(player)] = net
        rake = self._minor(ended.rake)
        carried = self._minor(ended.carried_out) - self._minor(ended.carried_in)
        self._carried_minor += carried
        moved[_RAKE, self._room_id] = rake
        moved[_POT, self.table_id] = carried
        if sum(moved.values()):
            self._note(step.table_seq, f"hand {hand_no} does not sum to zero")
        entry_id = f"hand/{self.table_id}/{hand_no}" if any(moved.values()) else ""
        return replace(self._expect_hand(hand_no, entry_id, moved, step), rake_minor=rake)

    def _next_hand(self, hand_no: int, step: step_pb2.Step) -> int:
        if hand_no != self.hand_no + 1:
            self._note(step.table_seq, f"hand {hand_no} ends after hand {self.hand_no}")
        self.hand_no = hand_no
        return hand_no

    def _expect_hand(
        self, hand_no: int, entry_id: str, moved: Mapping[AccountKey, int], step: step_pb2.Step
    ) -> ExpectedEntry:
        what = f"hand {hand_no} of {self.table_id}"
        expected = self._expect(step, what, wallet_pb2.ENTRY_KIND_HAND, entry_id, moved)
        return replace(expected, hand_no=hand_no)

    def _expect(
        self,
        step: step_pb2.Step,
        what: str,
        kind: int,
        entry_id: str,
        moved: Mapping[AccountKey, int],
    ) -> ExpectedEntry:
        after = {place: self._held(place) for place in moved if place[0] in (_ESCROW, _POT)}
        return ExpectedEntry(
            what=what,
            table_seq=step.table_seq,
            kind=kind,
            entry_id=entry_id,
            currency=self._currency,
            movements={place: amount for place, amount in moved.items() if amount},
            after=after,
        )

    def _held(self, place: AccountKey) -> int:
        if place[0] == _POT:
            return self._carried_minor
        return self._stacks.get(place[1].partition("/")[2], 0)

    def _escrow(self, player_id: str) -> AccountKey:
        return _ESCROW, f"{self.table_id}/{player_id}"

    def _minor(self, amount: money_pb2.Amount) -> int:
        if amount.WhichOneof("kind") == "points":
            return amount.points * self._price_minor
        return amount.minor

    def _note(self, table_seq: int, flaw: str) -> None:
        self.flaws.append(f"the log of {self.table_id} at step {table_seq}: {flaw}")

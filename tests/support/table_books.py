"""Accounts kept from a table's public events alone, as the wallet keeps them."""

from pokerfloor.api.common.v1.money_pb2 import Amount
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent


class Books:
    """What each player has in escrow at one table. `note` asserts that every event adds up.

    Points are worth what the table's settings say, which stand in its first event.
    """

    def __init__(self) -> None:
        self.escrow: dict[str, int] = {}
        self.rake = 0
        self.paid_in = 0
        self.paid_out = 0
        self.pot = 0  # carried from hand to hand
        self.suspense = 0
        self.point_price = 0

    def note(self, event: TableEvent) -> None:
        which = event.WhichOneof("event")
        if which == "table_opened":
            self.point_price = event.table_opened.settings.stake.points.point_price_minor
        elif which == "seat_taken":
            self._add(event.seat_taken.player_id, event.seat_taken.buy_in_minor)
            self.paid_in += event.seat_taken.buy_in_minor
        elif which == "chips_added":
            self._add(event.chips_added.player_id, event.chips_added.amount_minor)
            self.paid_in += event.chips_added.amount_minor
            assert self._minor(event.chips_added.stack) == self.escrow[event.chips_added.player_id]
        elif which == "seat_left":
            left = event.seat_left
            assert self.escrow.pop(left.player_id) == left.cash_out_minor, "the whole stack, always"
            self.paid_out += left.cash_out_minor
        elif which == "hand" and event.hand.WhichOneof("event") == "hand_ended":
            ended = event.hand.hand_ended
            into_pot = ended.carried_out.minor - ended.carried_in.minor
            nets = sum(self._minor(seat.net) for seat in ended.seats)
            assert nets + ended.rake.minor + into_pot == 0
            assert 0 <= ended.carried_in.minor <= self.pot
            self.pot += into_pot
            for seat in ended.seats:
                assert self._minor(seat.start) == self.escrow[seat.player_id]
                self._add(seat.player_id, self._minor(seat.net))
                assert self._minor(seat.end) == self.escrow[seat.player_id] >= 0
            self.rake += ended.rake.minor
        elif which == "carried_pot_closed":
            closed = event.carried_pot_closed
            for share in closed.shares:
                self._add(share.player_id, share.amount.minor)
            shared = sum(share.amount.minor for share in closed.shares)
            assert shared + closed.suspense.minor == self.pot
            self.suspense, self.pot = self.suspense + closed.suspense.minor, 0
        kept = self.pot + self.suspense + sum(self.escrow.values())
        assert self.paid_in == self.paid_out + self.rake + kept

    def _add(self, player: str, amount: int) -> None:
        self.escrow[player] = self.escrow.get(player, 0) + amount

    def _minor(self, amount: Amount) -> int:
        assert not (amount.points and amount.minor), "one kind of amount at a table"
        return amount.minor + amount.points * self.point_price

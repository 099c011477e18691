"""Accounts kept from a table's public events alone, as the wallet keeps them."""

from libs.floorapi.floor.events.v1.table_events_pb2 import TableEvent


class Books:
    """What each player has in escrow at one table. `note` asserts that every event adds up."""

    def __init__(self) -> None:
        self.escrow: dict[str, int] = {}
        self.rake = 0
        self.paid_in = 0
        self.paid_out = 0

    def note(self, event: TableEvent) -> None:
        which = event.WhichOneof("event")
        if which == "seat_taken":
            self._add(event.seat_taken.player_id, event.seat_taken.buy_in_minor)
            self.paid_in += event.seat_taken.buy_in_minor
        elif which == "chips_added":
            self._add(event.chips_added.player_id, event.chips_added.amount_minor)
            self.paid_in += event.chips_added.amount_minor
            assert event.chips_added.stack.minor == self.escrow[event.chips_added.player_id]
        elif which == "seat_left":
            left = event.seat_left
            assert self.escrow.pop(left.player_id) == left.cash_out_minor, "the whole stack, always"
            self.paid_out += left.cash_out_minor
        elif which == "hand" and event.hand.WhichOneof("event") == "hand_ended":
            ended = event.hand.hand_ended
            assert sum(seat.net.minor for seat in ended.seats) + ended.rake.minor == 0
            for seat in ended.seats:
                assert seat.start.minor == self.escrow[seat.player_id]
                self._add(seat.player_id, seat.net.minor)
                assert seat.end.minor == self.escrow[seat.player_id] >= 0
            self.rake += ended.rake.minor
        assert self.paid_in == self.paid_out + self.rake + sum(self.escrow.values())

    def _add(self, player: str, amount: int) -> None:
        self.escrow[player] = self.escrow.get(player, 0) + amount

"""A table's log made by hand: the steps a table service would store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pokerfloor.api.common.v1 import errors_pb2, money_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.settings.v1 import settings_pb2

Event = table_events_pb2.TableEvent

ROOM = "room-1"
MAX_BUY_IN = 20_000
MAX_RAKE = 300


def minor(amount: int) -> money_pb2.Amount:
    return money_pb2.Amount(minor=amount)


def settings(
    *,
    room_id: str = ROOM,
    currency: str = "EUR",
    exponent: int = 2,
    max_buy_in: int = MAX_BUY_IN,
    rake_bp: int = 500,
    caps: Mapping[int, int] | None = None,
) -> settings_pb2.TableSettings:
    return settings_pb2.TableSettings(
        name="Main",
        room_id=room_id,
        stake=money_pb2.Stake(money=money_pb2.Currency(code=currency, exponent=exponent)),
        seats=9,
        buy_in=settings_pb2.BuyInSettings(min_minor=1, max_minor=max_buy_in),
        rake=settings_pb2.RakeSettings(
            rate_bp=rake_bp,
            caps=[
                settings_pb2.RakeCap(players=players, cap_minor=cap)
                for players, cap in (caps or {2: MAX_RAKE}).items()
            ],
        ),
    )


def opened(of: settings_pb2.TableSettings | None = None) -> Event:
    return Event(
        table_opened=table_events_pb2.TableOpened(settings=of or settings(), opened_by="ops")
    )


def taken(player_id: str, amount: int, reservation_id: str, seat: int = 1) -> Event:
    return Event(
        seat_taken=table_events_pb2.SeatTaken(
            seat=seat,
            player_id=player_id,
            stack=minor(amount),
            reservation_id=reservation_id,
            buy_in_minor=amount,
        )
    )


def released(player_id: str, reservation_id: str, reason: str = "expired") -> Event:
    return Event(
        seat_released=table_events_pb2.SeatReleased(
            seat=1,
            player_id=player_id,
            reservation_id=reservation_id,
            error=errors_pb2.Error(reason=reason),
        )
    )


def added(player_id: str, amount: int, reservation_id: str) -> Event:
    return Event(
        chips_added=table_events_pb2.ChipsAdded(
            seat=1, player_id=player_id, amount_minor=amount, reservation_id=reservation_id
        )
    )


def top_up_released(player_id: str, reservation_id: str) -> Event:
    return Event(
        top_up_released=table_events_pb2.TopUpReleased(
            seat=1,
            player_id=player_id,
            reservation_id=reservation_id,
            error=errors_pb2.Error(reason="refused"),
        )
    )


def left(player_id: str, amount: int, cash_out_id: str = "out") -> Event:
    return Event(
        seat_left=table_events_pb2.SeatLeft(
            seat=1,
            player_id=player_id,
            cash_out_minor=amount,
            cash_out_id=cash_out_id,
            reason=table_events_pb2.LEAVE_REASON_ASKED,
        )
    )


def ended(
    hand_no: int,
    stacks: Mapping[str, tuple[int, int]],
    rake: int = 0,
    carried_in: int = 0,
    carried_out: int = 0,
) -> Event:
    """`stacks`: by player, before and after."""
    return Event(
        hand=hand_events_pb2.HandEvent(
            hand_ended=hand_events_pb2.HandEnded(
                hand_no=hand_no,
                seats=[
                    hand_events_pb2.SeatResult(
                        seat=seat,
                        player_id=player,
                        start=minor(start),
                        end=minor(end),
                        net=minor(end - start),
                    )
                    for seat, (player, (start, end)) in enumerate(stacks.items(), start=1)
                ],
                rake=minor(rake),
                carried_in=minor(carried_in),
                carried_out=minor(carried_out),
            )
        )
    )


def points_ended(hand_no: int, stacks: Mapping[str, tuple[int, int]]) -> Event:
    """`stacks`: by player, before and after, in points."""
    event = ended(hand_no, stacks)
    result = event.hand.hand_ended
    for seat in result.seats:
        for amount in (seat.start, seat.end, seat.net):
            amount.points = amount.minor
    for name in ("rake", "carried_in", "carried_out"):
        result.ClearField(name)
    return event


def voided(hand_no: int) -> Event:
    return Event(
        hand=hand_events_pb2.HandEvent(
            hand_voided=hand_events_pb2.HandVoided(hand_no=hand_no, reason="misdeal")
        )
    )


def noise() -> Event:
    """What a table logs between, and the wallet does not care for."""
    return Event(clock_set=table_events_pb2.ClockSet(seat=1, turn_no=1, deadline_ms=5))


@dataclass
class TableLog:
    """Numbers the steps of a table, as its service does."""

    table_id: str = "t1"
    owner_epoch: int = 1
    table_seq: int = 0
    at_ms: int = 1_000
    stored: list[bytes] = field(default_factory=list)

    def step(self, *events: Event, hand_no: int = 0) -> bytes:
        self.table_seq += 1
        self.at_ms += 10
        step = step_pb2.Step(
            schema_version=1,
            table_id=self.table_id,
            table_seq=self.table_seq,
            hand_no=hand_no,
            owner_epoch=self.owner_epoch,
            at_ms=self.at_ms,
            events=events,
        )
        data = step.SerializeToString(deterministic=True)
        self.stored.append(data)
        return data

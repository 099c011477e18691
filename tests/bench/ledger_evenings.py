"""Logs of whole evenings, as the table service stores them: what the ledger settles from.

A few evenings are played by the table's own rules; the others are the same under another name,
which is as long, so that it can be put into the stored bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from tests.support.evening import Evening, table_settings

SEATS: Final = 6
BIG_BLIND: Final = 100
BUY_IN: Final = 100 * BIG_BLIND
MAX_RAKE: Final = 300
_TOP_UP_BELOW: Final = 20 * BIG_BLIND


def evenings(tables: int, hands: int, *, played: int = 4) -> Iterator[tuple[str, list[bytes]]]:
    """Yield the name and the stored steps of each table; `played` of them are played out."""
    logs = [_play(_name(number), number, hands) for number in range(played)]
    for number in range(tables):
        model = number % played
        old, new = _name(model).encode(), _name(number).encode()
        yield _name(number), [step.replace(old, new) for step in logs[model]]


def players(table_id: str) -> list[str]:
    """Return the names of a table's players."""
    return [f"{table_id}-seat-{seat}" for seat in range(1, SEATS + 1)]


def _name(number: int) -> str:
    return f"ledger-bench-{number:04d}"


def _play(table_id: str, seed: int, hands: int) -> list[bytes]:
    settings = table_settings(seats=SEATS, small=BIG_BLIND // 2, big=BIG_BLIND)
    settings.buy_in.max_minor = 1_000 * BUY_IN
    settings.rake.rate_bp = 500
    settings.rake.caps.append(settings_pb2.RakeCap(players=2, cap_minor=MAX_RAKE))
    evening = Evening(settings, seed, table_id=table_id)
    for seat, player in enumerate(players(table_id), start=1):
        evening.sit(player, seat, BUY_IN)
    for _ in range(hands):
        _play_hand(evening)
        _top_up(evening)
    return [step.SerializeToString(deterministic=True) for step in evening.steps]


def _play_hand(evening: Evening) -> None:
    evening.now_ms += 1_000
    evening.settle()
    while (wait := evening.wait()) is not None:
        legal, roll = wait.legal, evening.random.random()
        evening.now_ms += 1_000
        if legal.can_check and roll < 0.25 and legal.bet_max:
            outcome = evening.act("bet", legal.bet_min)
        elif legal.can_check:
            outcome = evening.act("check")
        elif roll < 0.35:
            outcome = evening.act("fold")
        elif roll > 0.9 and legal.raise_max:
            outcome = evening.act("raise", legal.raise_min)
        else:
            outcome = evening.act("call")
        assert isinstance(outcome, Step), outcome
        evening.settle(begin=False)


def _top_up(evening: Evening) -> None:
    """Keep all six in play."""
    for seat in evening.table.seats.values():
        if seat.stack < _TOP_UP_BELOW:
            evening.top_up(seat.player_id, BUY_IN - seat.stack)
    evening.settle(begin=False)

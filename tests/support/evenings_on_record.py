"""The evenings that log fixtures are recorded from: each a script of what players do.

A script is never changed once its fixture is there: what it would give today is not what matters,
but what it gave then. New rules get new scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from floor_table.domain import (
    ConnectionIn,
    HouseDelayIn,
    Operation,
    Refusal,
    SettlementIn,
)
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.cards import STANDARD, Card, parse_cards
from pokerfloor.games import Hand
from tests.support.counted_evening import equities
from tests.support.evening import Evening, minor, table_settings
from tests.support.games_on_record import GAME_EVENINGS
from tests.support.points_on_record import POINTS_EVENINGS
from tests.support.regulars import Regulars

_ROYAL_BOARD: Final = "2c3d4s5c6d7s2d3c8cThJhQh9cKh9dAh"


def record(name: str) -> list[Step]:
    """Play the evening of this name and give its log."""
    return EVENINGS[name]().steps


def _deck(text: str) -> tuple[Card, ...]:
    first = parse_cards(text)
    return (*first, *[card for card in STANDARD.cards if card not in first])


def _play(evening: Evening, *actions: str) -> None:
    """Act in turn: "call", "raise:20", ...; the outside answers in between."""
    for action in actions:
        kind, _, to = action.partition(":")
        _stored(evening.act(kind, int(to or 0)))
        evening.now_ms += 1_500
        evening.settle(begin=False)


def _stored(outcome: Step | Refusal) -> None:
    assert isinstance(outcome, Step), outcome


def _call_down(evening: Evening) -> None:
    while (wait := evening.wait()) is not None:
        _play(evening, "call" if wait.legal.call_by else "check")


def _show(evening: Evening, *slots: int) -> None:
    """The winner of the hand just over shows cards."""
    hand = evening.table.hand
    assert isinstance(hand, Hand)
    winner = evening.table.player_at(hand.state.awards[0].seat)
    wanted = table_pb2.ShowCardsCommand(hand_no=evening.table.hands, slots=slots)
    _stored(evening.command(winner, table_pb2.TableCommand(show_cards=wanted)))
    evening.settle(begin=False)


def first_night() -> Evening:
    """A table from its opening to its close: buy-ins, top-ups, showdowns, rake, a pause."""
    settings = table_settings(seats=6)
    settings.rake.rate_bp = 500
    settings.rake.caps.add(players=2, cap_minor=3)
    settings.game.losers = settings_pb2.LOSERS_RULE_MUCK
    settings.clock.between_hands_ms = 3_000
    evening = Evening(settings, 11, table_id="first-night")
    for player in ("ann", "bob", "cat"):
        evening.sit(player, buy_in=200)
    evening.wallet_says_no = 1.0
    evening.sit("poor", buy_in=200)
    _stored(evening.top_up("ann", 50))
    evening.settle(begin=False)  # the wallet refuses
    evening.wallet_says_no = 0.0
    _stored(evening.top_up("ann", 50))
    evening.settle(begin=False)
    wanted = table_pb2.PreferencesCommand(always_show=True, auto_top_up_minor=200)
    _stored(evening.command("bob", table_pb2.TableCommand(preferences=wanted)))
    for number in range(8):
        evening.now_ms += 3_000
        evening.settle()
        if number == 2:
            _stored(evening.top_up("cat", 100))
            evening.settle(begin=False)  # held until the hand is over
        if number % 3 == 2:
            _play(evening, "raise:12", "fold", "fold")
            _show(evening, 2)
        else:
            _play(evening, "raise:8")
            _call_down(evening)
    _stored(evening.operate(Operation.PAUSE, reason="a fly in the soup"))
    _stored(evening.do(SettlementIn(paused=True)))
    _stored(evening.do(SettlementIn(paused=False)))
    _stored(evening.operate(Operation.RESUME))
    evening.pass_time(6_000)
    evening.settle()
    _play(evening, "call", "call")
    _stored(evening.leave("ann"))
    _stored(evening.operate(Operation.CLOSE))
    _call_down(evening)
    assert evening.table.closed
    return evening


def comings_and_goings() -> Evening:
    """Blinds missed and made good, seats taken and left, both ways to enter; antes."""
    settings = table_settings(seats=9)
    settings.seating.missed_blinds = settings_pb2.MISSED_BLINDS_RULE_BIG_AND_DEAD_SMALL
    settings.game.ante.kind = settings_pb2.ANTE_KIND_BIG_BLIND
    settings.game.ante.amount.CopyFrom(minor(2))
    evening = Evening(settings, 12, table_id="comings-and-goings")
    for seat, player in enumerate(("ann", "bob", "cat", "dan", "eve"), 1):
        evening.sit(player, seat)
    during: dict[int, tuple[Callable[[], Step | Refusal], ...]] = {
        1: (lambda: evening.sit_out("dan"),),
        5: (lambda: evening.sit("fay", 7, post=True),),
        6: (lambda: evening.sit_in("dan", post=True),),
        8: (lambda: evening.sit("gus", 8), lambda: evening.sit_out("eve")),
        12: (lambda: evening.leave("bob"),),
        15: (lambda: evening.sit("bob", 6, 400),),
        18: (lambda: evening.sit_out("cat"),),
        21: (lambda: evening.sit_in("cat"),),  # and waits for the big blind
    }
    for hand in range(34):
        evening.settle()
        for happens in during.get(hand, ()):
            _stored(happens())
        evening.fold_around()
        evening.now_ms += 2_000
    return evening


def all_ins() -> Evening:
    """Side pots, uncalled bets, split pots with an odd chip, busts, a seat that stays empty."""
    decks = {
        1: "KdQc2c3c",
        2: "AsKs2dTdAhKh3dTc4s9hTsJd5h6c6d8s",
        3: _ROYAL_BOARD,
        4: "AsKs2dTdAhKh3dTc4s9hTsJd5h6c6d8s",
    }
    settings = table_settings(seats=4)
    settings.game.ante.kind = settings_pb2.ANTE_KIND_EVERYONE
    settings.game.ante.amount.CopyFrom(minor(1))
    evening = Evening(
        settings,
        13,
        table_id="all-ins",
        deck_of=lambda deck_no: _deck(decks.get(deck_no, "QsJs")),
    )
    for player, buy_in in (("ann", 60), ("bob", 130), ("cat", 400), ("dan", 255)):
        evening.sit(player, buy_in=buy_in)
    evening.settle()
    while (wait := evening.wait()) is not None:
        _play(evening, "all_in" if wait.legal.all_in_as is not None else "call")
    _stored(evening.top_up("ann", 151))
    for seat in evening.table.by_number():
        if not seat.stack and seat.top_up is None:
            _stored(evening.top_up(seat.player_id, 101))
    evening.settle()
    _play(evening, "fold")
    _call_down(evening)  # three share 10
    evening.settle()
    _play(evening, "raise:40")
    while (wait := evening.wait()) is not None:
        _play(evening, "all_in" if wait.legal.all_in_as is not None else "fold")
    evening.pass_time(130_000)  # who has no chips goes
    for _ in range(3):
        evening.settle()
        _call_down(evening)
    return evening


def clocks_and_faults() -> Evening:
    """Time-outs, time banks, lost connections, take-overs, the house's delays, void hands."""
    evening = Evening(table_settings(seats=6), 14, table_id="clocks-and-faults")
    for seat, player in enumerate(("ann", "bob", "cat", "dan"), 1):
        evening.sit(player, seat)
        _stored(evening.do(ConnectionIn(seat, connected=True)))
    evening.settle()
    evening.now_ms += 26_000
    _play(evening, "call")  # six seconds of the bank
    evening.pass_time(50_002)
    _stored(evening.do(ConnectionIn(2, connected=False)))
    evening.take_over("two")
    evening.settle(begin=False)
    _stored(evening.do(HouseDelayIn()))
    _call_down(evening)
    for number in range(12):
        evening.settle()
        if evening.wait() is None:
            break
        if number in (1, 4):
            _play(evening, "raise:10")
            _stored(
                evening.operate(Operation.VOID, reason="fouled deck", hand_no=evening.table.hand_no)
            )
        elif number == 2:
            evening.take_over("three")
        for one in evening.table.by_number():
            if one.sitting_out:
                _stored(evening.sit_in(one.player_id, post=True))
        evening.fold_around()
    evening.settle()
    evening.fold_around()
    evening.pass_time(6_000)  # nobody shows
    _stored(evening.do(ConnectionIn(2, connected=True)))
    return evening


def regulars() -> Evening:
    """Nine players who do what comes to their minds, at a pot-limit table."""
    settings = table_settings(seats=6)
    settings.game.structure = settings_pb2.BETTING_STRUCTURE_POT_LIMIT
    evening = Evening(settings, 16, table_id="regulars")
    evening.wallet_says_no = 0.1
    players = Regulars(evening, 9)
    for name in players.names[:4]:
        evening.sit(name)
    players.evening_of(800)
    return evening


EVENINGS: Final[Mapping[str, Callable[[], Evening]]] = {
    "first-night-1": first_night,
    "comings-and-goings-1": comings_and_goings,
    "all-ins-1": all_ins,
    "clocks-and-faults-1": clocks_and_faults,
    "regulars-1": regulars,
    **GAME_EVENINGS,
    **POINTS_EVENINGS,
    "equities-1": equities,
}

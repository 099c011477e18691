"""A hand's beginning from the log, and a finished hand from its steps."""

from collections.abc import Callable, Iterable
from typing import Final

from libs.floorapi.floor.events.v1.hand_events_pb2 import HandEvent
from libs.floorapi.floor.events.v1.table_events_pb2 import HandOpened
from libs.floorapi.floor.log.v1.step_pb2 import Step
from libs.floorapi.floor.settings.v1 import settings_pb2 as pb
from libs.floorlog.amounts import StakeKind, from_amount, kind_of_amount
from libs.floorlog.errors import LogError
from libs.floorlog.read_hand_events import read_hand_event
from libs.floorlog.words import FORCED_KIND, LOSERS, MIN_RAISE, STRUCTURE, look_up
from libs.games import (
    GAMES,
    Event,
    ForcedBet,
    Hand,
    HandSettings,
    HandSetup,
    InvalidSetupError,
    RakeCap,
    RakeRule,
    SeatStack,
    Structure,
)

_DEFAULT_RAISE_CAP: Final = 3


def hand_stake_kind(opened: HandOpened) -> StakeKind:
    """Return what a hand's amounts count in. Raises LogError."""
    if not opened.seats:
        raise LogError("a hand without seats", "seats")
    return kind_of_amount(opened.seats[0].stack, "seats.stack")


def hand_settings(game: pb.GameSettings, rake: pb.RakeSettings, kind: StakeKind) -> HandSettings:
    """Return the settings that the engine plays by. Raises LogError."""
    structure = structure_of(game)
    fixed = structure is Structure.FIXED_LIMIT
    least = game.small_bet if fixed else game.big_blind
    return HandSettings(
        smallest_chip_minor=from_amount(game.smallest_chip, kind, "game.smallest_chip"),
        min_bet_minor=from_amount(least, kind, "game.small_bet" if fixed else "game.big_blind"),
        big_bet_minor=from_amount(game.big_bet, kind, "game.big_bet") if fixed else 0,
        min_raise=look_up(MIN_RAISE, game.min_raise, "game.min_raise"),
        raise_cap=game.raise_cap or _DEFAULT_RAISE_CAP,
        heads_up_uncapped=game.heads_up_uncapped,
        losers=look_up(LOSERS, game.losers, "game.losers"),
        rake=rake_rule(rake),
        burn=not game.no_burn,
    )


def structure_of(game: pb.GameSettings) -> Structure:
    """Return how much may be bet. Raises LogError when it is not set."""
    return look_up(STRUCTURE, game.structure, "game.structure")


def rake_rule(rake: pb.RakeSettings) -> RakeRule:
    """Return the house's share as the engine takes it."""
    caps = tuple([RakeCap(cap.players, cap.cap_minor) for cap in rake.caps])
    return RakeRule(rake.rate_bp, caps, not rake.also_without_flop)


def hand_setup(opened: HandOpened) -> HandSetup:
    """Return what a hand begins with. Raises LogError; the engine checks the rest in `Hand`."""
    game = GAMES.get(opened.game.game)
    if game is None:
        raise LogError(f"no game is called {opened.game.game!r}", "game.game")
    kind = hand_stake_kind(opened)
    return HandSetup(
        hand_no=opened.hand_no,
        game=game,
        structure=structure_of(opened.game),
        settings=hand_settings(opened.game, opened.rake, kind),
        seats=tuple(
            [
                SeatStack(seat.seat, from_amount(seat.stack, kind, "seats.stack"))
                for seat in opened.seats
            ]
        ),
        button=opened.button,
        forced=tuple(
            [
                ForcedBet(
                    bet.seat,
                    look_up(FORCED_KIND, bet.kind, "forced.kind"),
                    from_amount(bet.amount, kind, "forced.amount"),
                )
                for bet in opened.forced
            ]
        ),
    )


def open_hand(opened: HandOpened) -> Hand:
    """Return a hand that has been opened and not begun. Raises LogError."""
    try:
        return Hand(hand_setup(opened))
    except InvalidSetupError as error:
        refusal = error.refusals[0]
        raise LogError(refusal.reason, refusal.field) from error


def fold_hand(steps: Iterable[Step], watch: Callable[[Event], None] | None = None) -> Hand:
    """Return the hand that its steps make: from the one with `HandOpened` on. Raises LogError.

    Events of the table between them are passed over. Several hands' steps are refused. `watch`, if
    given, gets every event of the hand after it was applied.
    """
    hand: Hand | None = None
    kind = StakeKind.MONEY
    for step in steps:
        for number, event in enumerate(step.events):
            where = f"steps[{step.table_seq}].events[{number}]"
            which = event.WhichOneof("event")
            if which == "hand_opened":
                if hand is not None:
                    raise LogError("a second hand", where)
                kind = hand_stake_kind(event.hand_opened)
                hand = open_hand(event.hand_opened)
            elif which == "hand" and hand is not None:
                watched = _fold(hand, event.hand, kind, where)
                if watch is not None:
                    watch(watched)
    if hand is None:
        raise LogError("no hand was opened", "steps")
    return hand


def _fold(hand: Hand, message: HandEvent, kind: StakeKind, where: str) -> Event:
    try:
        event = read_hand_event(message, hand, kind)
        hand.apply(event)
    except (AssertionError, LookupError) as error:
        raise LogError(f"an event that cannot be true: {error}", where) from error
    except LogError as error:
        raise LogError(error.reason, f"{where}.{error.field}") from error
    return event

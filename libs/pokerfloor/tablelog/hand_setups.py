"""A hand's beginning from the log, and a finished hand from its steps."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.games import (
    NOTHING_CARRIED,
    Carried,
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
from pokerfloor.games.placement import PlacementEvent, PlacementHand
from pokerfloor.tablelog.amounts import StakeKind, from_amount, kind_of_amount
from pokerfloor.tablelog.enum_codes import (
    FIRST_TIE,
    FORCED_KIND,
    LOSERS,
    MIN_RAISE,
    SECOND_ROUND_FIRST,
    SHORTAGE,
    STRUCTURE,
    look_up,
)
from pokerfloor.tablelog.errors import LogError
from pokerfloor.tablelog.event_rows import AnyHand
from pokerfloor.tablelog.game_rows import game_row, is_placement_game
from pokerfloor.tablelog.hand_events import is_remark, read_hand_event
from pokerfloor.tablelog.placement_setups import placement_setup

_DEFAULT_RAISE_CAP: Final = 3


def hand_stake_kind(opened: HandBegan) -> StakeKind:
    """Return what a hand's amounts count in. Raises LogError."""
    if not opened.seats:
        raise LogError("a hand without seats", "seats")
    return kind_of_amount(opened.seats[0].stack, "seats.stack")


def hand_settings(game: pb.GameSettings, rake: pb.RakeSettings, kind: StakeKind) -> HandSettings:
    """Return the settings that the engine plays by. Raises LogError."""
    structure = structure_of(game)
    fixed = structure is Structure.FIXED_LIMIT
    least = least_bet_field(game)
    return HandSettings(
        smallest_chip_minor=from_amount(game.smallest_chip, kind, "game.smallest_chip"),
        min_bet_minor=from_amount(getattr(game, least), kind, f"game.{least}"),
        big_bet_minor=from_amount(game.big_bet, kind, "game.big_bet") if fixed else 0,
        min_raise=look_up(MIN_RAISE, game.min_raise, "game.min_raise"),
        raise_cap=game.raise_cap or _DEFAULT_RAISE_CAP,
        heads_up_uncapped=game.heads_up_uncapped,
        losers=look_up(LOSERS, game.losers, "game.losers"),
        rake=rake_rule(rake),
        burn=not game.no_burn,
        short_blind_counts_full=game.short_blind_counts_full,
        bring_in_minor=_amount_or_0(game, "bring_in", kind),
        open_pair_rule=game.open_pair_rule or not game.HasField("open_pair_rule"),
        seventh_shortage=look_up(SHORTAGE, game.seventh_shortage, "game.seventh_shortage"),
        redeal_when_checked=game.redeal_when_checked,
        second_round_first=look_up(
            SECOND_ROUND_FIRST, game.second_round_first, "game.second_round_first"
        ),
        max_draw=game.max_draw,
        first_tie=look_up(FIRST_TIE, game.first_tie, "game.first_tie"),
    )


def least_bet_field(game: pb.GameSettings) -> str:
    """Return the name of the setting that says the least bet (BET-10, BET-30)."""
    if structure_of(game) is Structure.FIXED_LIMIT:
        return "small_bet"
    return "min_bet" if game.HasField("min_bet") else "big_blind"


def _amount_or_0(game: pb.GameSettings, name: str, kind: StakeKind) -> int:
    present = game.HasField(name)  # type: ignore[arg-type]  # one of the amounts
    return from_amount(getattr(game, name), kind, f"game.{name}") if present else 0


def structure_of(game: pb.GameSettings) -> Structure:
    """Return how much may be bet. Raises LogError when it is not set."""
    return look_up(STRUCTURE, game.structure, "game.structure")


def rake_rule(rake: pb.RakeSettings) -> RakeRule:
    """Return the house's share as the engine takes it."""
    caps = tuple([RakeCap(cap.players, cap.cap_minor) for cap in rake.caps])
    return RakeRule(rake.rate_bp, caps, not rake.also_without_flop)


def hand_setup(opened: HandBegan) -> HandSetup:
    """Return what a hand begins with. Raises LogError; the engine checks the rest in `Hand`."""
    kind = hand_stake_kind(opened)
    return HandSetup(
        hand_no=opened.hand_no,
        game=game_row(opened.game),
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
                    look_up(FORCED_KIND, bet.kind, "forced_bets.kind"),
                    from_amount(bet.amount, kind, "forced_bets.amount"),
                )
                for bet in opened.forced_bets
            ]
        ),
        carried=_carried(opened, kind),
    )


def _carried(opened: HandBegan, kind: StakeKind) -> Carried:
    if not opened.HasField("carried"):
        return NOTHING_CARRIED
    return Carried(from_amount(opened.carried, kind, "carried"), tuple(opened.carried_seats))


def open_hand(opened: HandBegan) -> AnyHand:
    """Return a hand that has been opened and not begun: of which kind, its game says.

    Raises LogError.
    """
    try:
        if is_placement_game(opened.game):
            return PlacementHand(placement_setup(opened))
        return Hand(hand_setup(opened))
    except InvalidSetupError as error:
        refusal = error.refusals[0]
        raise LogError(refusal.reason, refusal.field) from error


def replay_hand(steps: Iterable[Step], watch: Callable[[Event], None] | None = None) -> Hand:
    """Return the betting hand that its steps make: from the one with `HandBegan` on.

    Events of the table between them are passed over. Several hands' steps are refused. `watch`, if
    given, gets every event of the hand after it was applied. Raises LogError, also for a placement
    hand.
    """
    hand = _fold_steps(steps, watch, Hand)
    assert isinstance(hand, Hand)
    return hand


def replay_placement_hand(
    steps: Iterable[Step], watch: Callable[[PlacementEvent], None] | None = None
) -> PlacementHand:
    """Return the placement hand that its steps make; all else is as with `replay_hand`."""
    hand = _fold_steps(steps, watch, PlacementHand)
    assert isinstance(hand, PlacementHand)
    return hand


def apply_hand_event(hand: AnyHand, message: HandEvent, kind: StakeKind) -> Event | PlacementEvent:
    """Fold a message into the hand just before it and return its event. Raises LogError.

    What cannot be true of the hand fails an assertion of the engine.
    """
    if isinstance(hand, PlacementHand):
        placement = read_hand_event(message, hand, kind)
        hand.apply(placement)
        return placement
    event = read_hand_event(message, hand, kind)
    hand.apply(event)
    return event


def _fold_steps(
    steps: Iterable[Step], watch: Callable[[Any], None] | None, wanted: type[AnyHand]
) -> AnyHand:
    hand: AnyHand | None = None
    kind = StakeKind.MONEY
    for step in steps:
        for number, event in enumerate(step.events):
            where = f"steps[{step.table_seq}].events[{number}]"
            which = event.WhichOneof("event")
            if which == "hand_began":
                if hand is not None:
                    raise LogError("a second hand", where)
                kind = hand_stake_kind(event.hand_began)
                hand = open_hand(event.hand_began)
                if not isinstance(hand, wanted):
                    raise LogError(f"a hand of {event.hand_began.game.game}", where)
            elif which == "hand" and hand is not None and not is_remark(event.hand):
                watched = _fold(hand, event.hand, kind, where)
                if watch is not None:
                    watch(watched)
    if hand is None:
        raise LogError("no hand was opened", "steps")
    return hand


def _fold(hand: AnyHand, message: HandEvent, kind: StakeKind, where: str) -> Event | PlacementEvent:
    try:
        return apply_hand_event(hand, message, kind)
    except (AssertionError, LookupError) as error:
        raise LogError(f"an event that cannot be true: {error}", where) from error
    except LogError as error:
        raise LogError(error.reason, f"{where}.{error.field}") from error

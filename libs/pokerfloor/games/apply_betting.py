"""Apply the betting events: streets, turns, bets and pots."""

from typing import Final

from pokerfloor.games.events import (
    ActionTaken,
    BetReturned,
    BetsCollected,
    CarriedPotAdded,
    ForcedBetPosted,
    OpenerAnnounced,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.inputs import ActKind
from pokerfloor.games.rows import BetTier, Structure
from pokerfloor.games.setup import ForcedKind, HandSetup
from pokerfloor.games.state import NOBODY, Appliers, HandState


def _street_began(state: HandState, event: StreetBegan) -> None:
    street_no, _ = event
    assert street_no == state.street_no + 1, "streets out of order"
    assert not any(state.bets), "a street begins with bets still in front"
    setup = state.setup
    settings = setup.settings
    street = setup.game.streets[street_no]
    state.street_no = street_no
    state.street = street
    state.swap_open = street.swap
    state.opener = NOBODY
    if street_no in state.choice_streets:
        state.to_choose = tuple([p for p in state.from_button if not state.folded[p]])
    big = street.tier is _BIG and setup.structure is _FIXED_LIMIT
    state.round.start(settings.big_bet_minor if big else settings.min_bet_minor)


def _forced_bet_posted(state: HandState, event: ForcedBetPosted) -> None:
    seat, kind, amount, _ = event
    index = state.index_of[seat]
    state.take(index, amount)
    state.pots_stale = True
    if kind in _DEAD:
        state.pot_total += amount
        paid = state.antes if kind in _LAYERED else state.dead
        paid[index] += amount
        return
    state.bets[index] += amount
    front = state.bets[index]
    if kind is ForcedKind.BIG_BLIND:
        state.round.post_bet(front, _full_amount(state.setup, event))
    elif kind is ForcedKind.STRADDLE and amount == _full_amount(state.setup, event):
        state.round.post_bet(front, front)
    elif kind is ForcedKind.BRING_IN:
        settings = state.setup.settings
        state.round.bring_in(index, settings.bring_in_minor or settings.min_bet_minor)
    else:
        state.round.post(front)


_LAYERED: Final = frozenset({ForcedKind.ANTE, ForcedKind.BOMB})
_DEAD: Final = _LAYERED | {ForcedKind.ANTE_FOR_ALL, ForcedKind.DEAD_SMALL}


def _full_amount(setup: HandSetup, event: ForcedBetPosted) -> int:
    """Return the full amount of a forced bet, before the stack capped it."""
    full = [b.amount for b in setup.forced if (b.seat, b.kind) == (event.seat, event.kind)]
    assert full, f"seat {event.seat} owes no {event.kind}"
    return full[0]


def _opener_announced(state: HandState, event: OpenerAnnounced) -> None:
    assert event.seat in state.index_of, "the opener is not dealt in"
    state.opener = event.seat


def _carried_pot_added(state: HandState, event: CarriedPotAdded) -> None:
    assert not state.carried_in, "a carried pot added twice"
    assert event.amount == state.setup.carried.amount, "the carried pot is not the one of the setup"
    state.carried_in = event.amount
    state.brought += event.amount
    state.pot_total += event.amount
    state.pots_stale = True


def _turn_began(state: HandState, event: TurnBegan) -> None:
    seat, turn_no = event
    assert turn_no == state.turn_no + 1, "turns out of order"
    state.turn = state.index_of[seat]
    state.turn_no = turn_no
    if not state.round.begun and not state.to_choose:
        two_left = state.can_act == 2
        uncapped = two_left and state.setup.settings.heads_up_uncapped
        state.round.begin(uncapped=uncapped, upper=_upper_size(state))


def _upper_size(state: HandState) -> int:
    """Return the larger fixed-limit bet size if an open pair allows it, else 0 (STD-4)."""
    setup = state.setup
    if not state.street.open_pair or not setup.settings.open_pair_rule:
        return 0
    fixed = setup.structure is _FIXED_LIMIT
    return setup.settings.big_bet_minor if fixed and state.shows_open_pair() else 0


def _action_taken(state: HandState, event: ActionTaken) -> None:
    seat, turn_no, kind, to, by, _ = event
    index = state.turn
    assert state.seats[index] == seat, "an action out of turn"
    assert state.turn_no == turn_no, "an action in another turn"
    state.turn = NOBODY
    if kind == _CHECK:
        state.round.acted(index)
        return
    state.pots_stale = True
    if kind == _FOLD:
        state.folded[index] = True
        state.in_hand -= 1
        state.can_act -= 1
        return
    state.take(index, by)
    state.bets[index] += by
    assert state.bets[index] == to, f"{event} leaves {state.bets[index]} in front"
    if kind == _CALL:
        state.round.acted(index)
    else:
        state.round.raised(index, to)


# Looking up an Enum member costs as much as the arithmetic here.
_CHECK: Final = ActKind.CHECK
_FOLD: Final = ActKind.FOLD
_CALL: Final = ActKind.CALL
_BIG: Final = BetTier.BIG
_FIXED_LIMIT: Final = Structure.FIXED_LIMIT


def _bet_returned(state: HandState, event: BetReturned) -> None:
    index = state.index_of[event.seat]
    if not state.stacks[index]:
        state.can_act += 1
    state.bets[index] -= event.amount
    state.stacks[index] += event.amount
    assert state.bets[index] >= 0, "more returned than was bet"


def _bets_collected(state: HandState, event: BetsCollected) -> None:
    state.pot_total += sum(state.bets)
    state.live = [before + bet for before, bet in zip(state.live, state.bets, strict=True)]
    state.bets = [0] * len(state.bets)
    assert sum([pot.amount for pot in event.pots]) == state.pot_total, "the pots do not add up"
    state.pots = event.pots
    state.pots_stale = False


BETTING_APPLIERS: Final[Appliers] = {
    StreetBegan: _street_began,
    ForcedBetPosted: _forced_bet_posted,
    OpenerAnnounced: _opener_announced,
    CarriedPotAdded: _carried_pot_added,
    TurnBegan: _turn_began,
    ActionTaken: _action_taken,
    BetReturned: _bet_returned,
    BetsCollected: _bets_collected,
}

"""What follows from an input, by the rules: turns, street ends, cards due, showdown, payment.

Each function applies events one at a time; what comes next is read off the state they have made.
"""

from typing import Final

from libs.games.dealing import places_of_street, places_still_in
from libs.games.ending import final_rake, hand_ended, showdown_order
from libs.games.events import (
    BetReturned,
    BetsCollected,
    ForcedBetPosted,
    OpeningDue,
    OpeningReason,
    PlacesDealt,
    PotAwarded,
    RakeTaken,
    ShowdownBegan,
    StreetBegan,
    TurnBegan,
)
from libs.games.legal import next_to_act
from libs.games.pots import form_pots, uncalled
from libs.games.rows import Half, Opener
from libs.games.setup import ForcedBet, ForcedKind, last_blind
from libs.games.state import NOBODY, HandState

_make = tuple.__new__  # half the time of calling the class, in the innermost loop
_BEFORE_BLINDS: Final = (ForcedKind.ANTE, ForcedKind.ANTE_FOR_ALL)


def begin(state: HandState) -> None:
    """Post the forced bets, antes before blinds (TBL-14), and deal the first street."""
    state.apply(StreetBegan(0, state.setup.game.streets[0].name))
    for bet in sorted(state.setup.forced, key=_antes_first):
        _post(state, bet)
    _deal(state)
    _next_turn(state, _before_opener(state))


def after_action(state: HandState, position: int) -> None:
    """Go on after a position has acted: the next turn, or the end of the street or of the hand."""
    if state.in_hand > 1:
        _next_turn(state, position)
        return
    _close_betting(state)
    _pay_uncontested(state)


def after_cards(state: HandState) -> None:
    """Go on after cards were turned up, once none is due any more."""
    if state.cards.due or state.ended:
        return
    if state.all_in_showdown:
        _next_street(state)
    else:
        _next_turn(state, _before_opener(state))


def _antes_first(bet: ForcedBet) -> bool:
    return bet.kind not in _BEFORE_BLINDS


def _post(state: HandState, bet: ForcedBet) -> None:
    stack = state.stacks[state.position_of[bet.seat]]
    amount = min(bet.amount, stack)
    # A big blind is owed in full even when the ante has left nothing to post it with (BET-11).
    if amount or bet.kind is ForcedKind.BIG_BLIND:
        state.apply(ForcedBetPosted(bet.seat, bet.kind, amount, amount == stack))


def _before_opener(state: HandState) -> int:
    """Return the position clockwise before the one that opens the street (HLD-3, TBL-12)."""
    if state.setup.game.streets[state.street_no].opener is Opener.LEFT_OF_BLINDS:
        blind = last_blind(state.setup.forced)
        if blind is not None:
            return state.position_of[blind]
    return state.from_button[-1]


def _next_turn(state: HandState, after: int) -> None:
    position = next_to_act(state, after)
    if position != NOBODY:
        state.apply(_make(TurnBegan, (state.seats[position], state.turn_no + 1)))
        return
    _close_betting(state)
    if state.can_act <= 1:
        # No more betting takes place: every live hand is turned up at once (BET-2).
        state.apply(OpeningDue(OpeningReason.ALL_IN, places_still_in(state)))
    else:
        _next_street(state)


def _close_betting(state: HandState) -> None:
    """Give back what nobody called, and form the pots anew if anything has changed them."""
    if not state.pots_stale:
        return
    position, amount = uncalled(state.bets, state.folded)
    if amount:
        state.apply(BetReturned(state.seats[position], amount))
    live = [before + bet for before, bet in zip(state.live, state.bets, strict=True)]
    state.apply(
        BetsCollected(form_pots(state.seats, state.antes, live, sum(state.dead), state.folded))
    )


def _next_street(state: HandState) -> None:
    streets = state.setup.game.streets
    street_no = state.street_no + 1
    if street_no == len(streets):
        _begin_showdown(state)
        return
    state.apply(StreetBegan(street_no, streets[street_no].name))
    _deal(state)


def _deal(state: HandState) -> None:
    """Deal a street's places; board cards are due to be turned up at once."""
    dealt, board = places_of_street(state)
    cards = state.cards
    state.apply(PlacesDealt(dealt, cards.generation, cards.next_index))
    if board:
        state.apply(OpeningDue(OpeningReason.BOARD, board))


def _begin_showdown(state: HandState) -> None:
    if not state.all_in_showdown:
        state.apply(OpeningDue(OpeningReason.SHOWDOWN, places_still_in(state)))
    state.apply(ShowdownBegan(showdown_order(state), state.pots))


def _pay_uncontested(state: HandState) -> None:
    """Pay the last seat in without a showdown (POT-3), the last side pot first (POT-4)."""
    rake = final_rake(state)
    pots = state.pots
    if rake.total:
        state.apply(RakeTaken(*rake))
    for pot in reversed(pots):
        amount = pot.amount - rake.by_pot[pot.no]
        if amount:
            state.apply(PotAwarded(pot.no, 0, Half.WHOLE, pot.eligible[0], amount))
    state.apply(hand_ended(state))

"""What follows from an input: turns, ends of streets, cards to reveal, showdown, payment.

Each function applies events one at a time and reads what comes next from the resulting state.
"""

from typing import Final

from pokerfloor.games.apply import apply
from pokerfloor.games.dealing import StreetPlaces, hidden_places, places_of_street
from pokerfloor.games.ending import showdown_order
from pokerfloor.games.events import (
    BetReturned,
    BetsCollected,
    CarriedPotAdded,
    DeckReshuffled,
    ForcedBetPosted,
    HandRedealt,
    OpenerAnnounced,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
    ShowdownBegan,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.exposed import opener_by_exposed, opens_by_exposed
from pokerfloor.games.legal import next_to_act
from pokerfloor.games.paying import pay_uncontested
from pokerfloor.games.places import Place, PlaceKind, burn_place, community_places, seat_place
from pokerfloor.games.pots import form_pots, uncalled
from pokerfloor.games.rows import Opener
from pokerfloor.games.setup import ForcedBet, ForcedKind, SecondRoundFirst, is_bomb_pot, last_blind
from pokerfloor.games.state import NOBODY, HandState

_make = tuple.__new__  # half the time of calling the class, in the innermost loop
# Looking up an Enum member costs as much as the decision here.
_AS_FIRST: Final = SecondRoundFirst.AS_FIRST
_LEFT_OF_BLINDS: Final = Opener.LEFT_OF_BLINDS
_OPENED_BY_BRING_IN: Final = Opener.BRING_IN
_BIG_BLIND: Final = ForcedKind.BIG_BLIND
_BRING_IN: Final = ForcedKind.BRING_IN
_SEAT: Final = PlaceKind.SEAT
_BOARD: Final = RevealReason.BOARD
_UP_CARD: Final = RevealReason.UP_CARD
_ALL_IN: Final = RevealReason.ALL_IN
_SHOWDOWN: Final = RevealReason.SHOWDOWN
_BEFORE_BLINDS: Final = (ForcedKind.ANTE, ForcedKind.ANTE_FOR_ALL)


def begin(state: HandState) -> None:
    """Post the forced bets, antes before blinds (TBL-14), and deal the first street.

    A bomb pot has no betting on that street (BMB-1).
    """
    apply(state, StreetBegan(0, state.setup.game.streets[0].name))
    for bet in sorted(state.setup.forced, key=_antes_first):
        _post(state, bet)
    if state.setup.carried.amount:
        apply(state, CarriedPotAdded(state.setup.carried.amount))
    _deal(state)
    if is_bomb_pot(state.setup.forced):
        _end_street(state)
    else:
        _go_on(state)


def after_action(state: HandState, index: int) -> None:
    """Continue after a seat has acted: next turn, end of the street or end of the hand."""
    if state.in_hand > 1:
        _next_turn(state, index)
        return
    _close_betting(state)
    pay_uncontested(state)


def after_cards(state: HandState) -> None:
    """Continue after cards were revealed, once none is pending."""
    if not state.ended:
        _go_on(state)


def after_swap(state: HandState, seat: int, count: int) -> None:
    """Deal as many cards as were swapped. The turn of the seat continues (SWP-1)."""
    _deal_places(state, state.cards.next_slots(seat, count))


def after_discard(state: HandState, seat: int, count: int) -> None:
    """Deal as many cards as were discarded, if the game replaces them, and continue."""
    street = state.street
    assert street.draw is not None
    if street.draw.replaced:
        _draw(state, state.cards.next_slots(seat, count), seat)
    _next_choice(state)


def after_facing(state: HandState, seat: int) -> None:
    """Deal the card whose facing was chosen, so that the seat has one down card (MAT-3)."""
    index = state.index_of[seat]
    _deal_places(state, (seat_place(seat, state.hole_dealt()),))
    hidden = [place for place in state.hole_places(seat) if place not in state.cards.faces]
    up = tuple([place for place in hidden if place.slot != state.down[index]])
    apply(state, RevealOrdered(_UP_CARD, up))


def _draw(state: HandState, places: tuple[Place, ...], seat: int | None) -> None:
    """Deal places; if the deck runs out in between, reshuffle the used cards (DRW-5)."""
    left = state.cards.left()
    if len(places) > left:
        _deal_places(state, places[:left])
        places = places[left:]
        _shuffle_used(state, seat)
    _deal_places(state, places)


def _next_choice(state: HandState) -> None:
    """Ask the next seat to choose; after the last choice, deal the street and begin the betting."""
    if state.to_choose:
        seat = state.seats[state.to_choose[0]]
        apply(state, TurnBegan(seat, state.turn_no + 1))
        return
    places = places_of_street(state)
    _draw(state, places.dealt, None)
    _reveal_new(state, places)
    _go_on(state)


def _antes_first(bet: ForcedBet) -> bool:
    return bet.kind not in _BEFORE_BLINDS


def _post(state: HandState, bet: ForcedBet) -> None:
    seat, kind, full = bet
    stack = state.stacks[state.index_of[seat]]
    amount = min(full, stack)
    # A big blind is owed in full even if nothing is left after the ante to post it (BET-11).
    if amount or kind is _BIG_BLIND:
        apply(state, _make(ForcedBetPosted, (seat, kind, amount, amount == stack)))


def _before_opener(state: HandState) -> int:
    """Return the index just before the seat that opens the street (HLD-3, DRW-3)."""
    opener = state.street.opener
    later = state.street_no > 0 and state.setup.settings.second_round_first is not _AS_FIRST
    if opener is _LEFT_OF_BLINDS and not later:
        blind = last_blind(state.setup.forced)
        if blind is not None:
            return state.index_of[blind]
    return state.from_button[-1]


def _next_turn(state: HandState, after: int) -> None:
    index = next_to_act(state, after)
    if index != NOBODY:
        apply(state, _make(TurnBegan, (state.seats[index], state.turn_no + 1)))
        return
    _end_street(state)


def _go_on(state: HandState) -> None:
    """Continue once no card is pending: next choice, betting, or next street in an all-in.

    The community cards are revealed when every seat has the card of the street (MAT-4).
    """
    if state.cards.pending:
        return
    if state.to_choose:
        _next_choice(state)
    elif state.street.community_up and _hidden_community(state):
        apply(state, RevealOrdered(_BOARD, _hidden_community(state)))
    elif state.all_in_showdown:
        _next_street(state)
    else:
        _begin_betting(state)


def _hidden_community(state: HandState) -> tuple[Place, ...]:
    """Return the community places, if their cards are not revealed yet."""
    community = community_places(state.setup.game.community_cards())
    return () if community[0] in state.cards.faces else community


def _begin_betting(state: HandState) -> None:
    """Begin the first turn; an opener by exposed cards is announced (STD-3).

    If the street opens with a bring-in, post it (STD-2).
    """
    if not opens_by_exposed(state) or state.can_act <= 1:
        _next_turn(state, _before_opener(state))
        return
    index, why = opener_by_exposed(state)
    seat = state.seats[index]
    apply(state, _make(OpenerAnnounced, (seat, why)))
    if state.street.opener is not _OPENED_BY_BRING_IN:
        _next_turn(state, index - 1)
        return
    settings = state.setup.settings
    amount = settings.bring_in_minor or settings.min_bet_minor
    _post(state, ForcedBet(seat, _BRING_IN, amount))
    _next_turn(state, index)


def _end_street(state: HandState) -> None:
    _close_betting(state)
    if state.setup.settings.redeal_when_checked and _is_checked_by_all(state):
        _redeal(state)
        return
    if state.can_act <= 1 and not state.setup.game.choices_from(state.street_no + 1):
        # No more betting: reveal all live hands at once, but only after the last choice (BET-2).
        apply(state, RevealOrdered(_ALL_IN, hidden_places(state)))
    else:
        _next_street(state)


def _is_checked_by_all(state: HandState) -> bool:
    """Return whether all have checked in the first round of a game with antes (DRW-3)."""
    checked = not state.street_no and not state.round.level and state.can_act > 1
    nobody_gone = state.in_hand == len(state.seats)
    return checked and nobody_gone and state.setup.game.draws_from(1)


def _redeal(state: HandState) -> None:
    """Collect all cards, move the button, post the antes again and deal again (DRW-3).

    The rest of the deck is burned, so that all cards are shuffled together.
    """
    apply(state, HandRedealt(state.seats[state.from_button[0]], state.pot_total))
    _burn(state, state.cards.left())
    _shuffle_used(state, None)
    for bet in state.setup.forced:
        _post(state, bet)
    order = [state.seats[index] for index in state.from_button]
    slots = [state.cards.next_slots(seat, state.hole_dealt()) for seat in order]
    _deal_places(state, tuple([place for places in zip(*slots, strict=True) for place in places]))
    _go_on(state)


def _close_betting(state: HandState) -> None:
    """Return the uncalled bet, and form the pots again if anything has changed them."""
    if not state.pots_stale:
        return
    index, amount = uncalled(state.bets, state.folded)
    if amount:
        apply(state, BetReturned(state.seats[index], amount))
    live = [before + bet for before, bet in zip(state.live, state.bets, strict=True)]
    apply(
        state,
        BetsCollected(
            form_pots(
                state.seats,
                state.antes,
                live,
                sum(state.dead),
                state.folded,
                state.setup.carried,
            )
        ),
    )


def _next_street(state: HandState) -> None:
    streets = state.setup.game.streets
    street_no = state.street_no + 1
    if street_no == len(streets):
        _begin_showdown(state)
        return
    apply(state, _make(StreetBegan, (street_no, streets[street_no].name)))
    if state.to_choose:
        _burn(state, len(places_of_street(state).burned))
        _next_choice(state)
    else:
        _deal(state)
        _go_on(state)


def _deal(state: HandState) -> None:
    """Deal the places of a street and order the reveal of board and up cards."""
    places = places_of_street(state)
    short = len(places.both) > state.cards.left()
    if short and state.setup.game.community_last:
        _deal_with_burns(state, places.both)
    elif short or state.redeals:
        # After a redeal the numbering of burns continues; discarded cards come back (DRW-5).
        _burn(state, len(places.burned))
        _draw(state, places.dealt, None)
    else:
        _deal_places(state, places.both)
    _reveal_new(state, places)


def _deal_with_burns(state: HandState, places: tuple[Place, ...]) -> None:
    """Deal all but the last card; reshuffle it with the burns to deal the rest (STD-6)."""
    before = state.cards.left() - 1
    _deal_places(state, places[:before])
    _burn(state, 1)
    _shuffle_used(state, None)
    _deal_places(state, places[before:])


def _burn(state: HandState, count: int) -> None:
    """Burn cards in a game whose number of burns varies."""
    first = 1 + sum([place.kind is PlaceKind.BURN for place in state.cards.places])
    _draw(state, tuple([burn_place(slot) for slot in range(first, first + count)]), None)


def _shuffle_used(state: HandState, seat: int | None) -> None:
    cards = state.cards
    apply(state, DeckReshuffled(cards.generation + 1, cards.reusable(seat)))


def _deal_places(state: HandState, places: tuple[Place, ...]) -> None:
    if places:
        cards = state.cards
        apply(state, _make(PlacesDealt, (places, cards.generation, cards.next_index)))


def _reveal_new(state: HandState, places: StreetPlaces) -> None:
    """Order the reveal of the cards just dealt that are face up; in an all-in, of all of them."""
    if places.up and places.up[0].kind is not _SEAT:
        apply(state, _make(RevealOrdered, (_BOARD, places.up)))
    elif state.all_in_showdown and places.dealt:
        apply(state, RevealOrdered(_ALL_IN, places.dealt))
    elif places.up:
        apply(state, _make(RevealOrdered, (_UP_CARD, places.up)))


def _begin_showdown(state: HandState) -> None:
    if not state.all_in_showdown:
        apply(state, RevealOrdered(_SHOWDOWN, hidden_places(state)))
    apply(state, ShowdownBegan(showdown_order(state), state.pots))

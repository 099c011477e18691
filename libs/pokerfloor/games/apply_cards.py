"""Apply the card events: cards dealt, given up, reshuffled and revealed."""

from typing import Final

from pokerfloor.games.events import (
    CardsDrawn,
    CardsRevealed,
    CardsSwapped,
    DeckReshuffled,
    FacingChosen,
    HandRedealt,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
)
from pokerfloor.games.places import PlaceKind
from pokerfloor.games.state import NOBODY, Appliers, HandState


def _places_dealt(state: HandState, event: PlacesDealt) -> None:
    state.cards.deal(event)
    if event.places and event.places[-1].kind is _COMMUNITY:
        state.community_dealt = state.setup.game.community_last


def _cards_swapped(state: HandState, event: CardsSwapped) -> None:
    seat, slots, street_no = event
    assert street_no == state.street_no, "a swap on another street"
    assert seat == state.seats[state.turn], "a swap out of turn"
    assert seat not in state.cards.held, "a second swap"
    state.cards.give_up(seat, slots, state.hole_places(seat))


def _cards_drawn(state: HandState, event: CardsDrawn) -> None:
    seat, turn_no, slots = event
    index = state.turn
    assert seat == state.seats[index], "a discard out of turn"
    assert turn_no == state.turn_no, "a discard in another turn"
    _chosen(state, index)
    state.cards.give_up(seat, slots, state.hole_places(seat))


def _facing_chosen(state: HandState, event: FacingChosen) -> None:
    seat, turn_no, face_down = event
    index = state.turn
    assert seat == state.seats[index], "a facing out of turn"
    assert turn_no == state.turn_no, "a facing in another turn"
    assert state.down, "a facing in a game without facings"
    _chosen(state, index)
    if face_down:
        down = list(state.down)
        down[index] = state.hole_dealt()
        state.down = tuple(down)


def _chosen(state: HandState, index: int) -> None:
    assert state.to_choose[:1] == (index,), "no choice is pending for this seat"
    state.to_choose = state.to_choose[1:]
    state.turn = NOBODY


def _deck_reshuffled(state: HandState, event: DeckReshuffled) -> None:
    state.cards.reshuffle(event)


def _hand_redealt(state: HandState, event: HandRedealt) -> None:
    assert not any(state.bets), "a redeal with bets in front"
    assert event.pot == state.pot_total, "a redeal with another pot"
    state.redeals += 1
    state.from_button = (*state.from_button[1:], state.from_button[0])
    assert event.button == state.seats[state.from_button[-1]], (
        "the button must move to the next seat"
    )
    for seat in state.seats:
        held = state.hole_places(seat)
        state.cards.give_up(seat, tuple([place.slot for place in held]), held)
    state.round.start(state.round.size)


def _reveal_ordered(state: HandState, event: RevealOrdered) -> None:
    state.cards.order_reveal(event)
    if event.reason == _ALL_IN:
        state.all_in_showdown = True


def _cards_revealed(state: HandState, event: CardsRevealed) -> None:
    state.cards.reveal(event)
    if state.up:
        for (kind, seat, slot), card in event.cards:
            if kind is _SEAT and slot in state.up_slots:
                state.up[state.index_of[seat]].append(card)


# Looking up an Enum member costs as much as recording a card.
_SEAT: Final = PlaceKind.SEAT
_COMMUNITY: Final = PlaceKind.COMMUNITY
_ALL_IN: Final = RevealReason.ALL_IN


CARDS_APPLIERS: Final[Appliers] = {
    PlacesDealt: _places_dealt,
    CardsSwapped: _cards_swapped,
    CardsDrawn: _cards_drawn,
    FacingChosen: _facing_chosen,
    DeckReshuffled: _deck_reshuffled,
    HandRedealt: _hand_redealt,
    RevealOrdered: _reveal_ordered,
    CardsRevealed: _cards_revealed,
}

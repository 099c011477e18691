"""What the events of the cards change: dealt, given up, shuffled again, opened."""

from typing import Final

from pokerfloor.games.events import (
    CardsExchanged,
    CardsSwapped,
    CardsTurnedUp,
    DeckReshuffled,
    FacingChosen,
    HandRedealt,
    OpeningDue,
    OpeningReason,
    PlacesDealt,
)
from pokerfloor.games.places import PlaceKind
from pokerfloor.games.state import NOBODY, Folds, HandState


def _places_dealt(state: HandState, event: PlacesDealt) -> None:
    state.cards.deal(event)
    if event.places and event.places[-1].kind is _COMMUNITY:
        state.common = state.setup.game.common_last


def _cards_swapped(state: HandState, event: CardsSwapped) -> None:
    seat, slots, street_no = event
    assert street_no == state.street_no, "a swap on another street"
    assert seat == state.seats[state.turn], "a swap out of turn"
    assert seat not in state.cards.held, "a second swap"
    state.cards.give_up(seat, slots, state.own_places(seat))


def _cards_exchanged(state: HandState, event: CardsExchanged) -> None:
    seat, turn_no, slots = event
    position = state.turn
    assert seat == state.seats[position], "an exchange out of turn"
    assert turn_no == state.turn_no, "an exchange of another turn"
    _chosen(state, position)
    state.cards.give_up(seat, slots, state.own_places(seat))


def _facing_chosen(state: HandState, event: FacingChosen) -> None:
    seat, turn_no, face_down = event
    position = state.turn
    assert seat == state.seats[position], "a facing out of turn"
    assert turn_no == state.turn_no, "a facing of another turn"
    assert state.down, "a facing in a game that asks for none"
    _chosen(state, position)
    if face_down:
        down = list(state.down)
        down[position] = state.own_dealt()
        state.down = tuple(down)


def _chosen(state: HandState, position: int) -> None:
    assert state.to_choose[:1] == (position,), "a choice that is not due"
    state.to_choose = state.to_choose[1:]
    state.turn = NOBODY


def _deck_reshuffled(state: HandState, event: DeckReshuffled) -> None:
    state.cards.reshuffle(event)


def _hand_redealt(state: HandState, event: HandRedealt) -> None:
    assert not any(state.bets), "a redeal with bets in front"
    assert event.pot == state.middle, "a redeal for another pot"
    state.redeals += 1
    state.from_button = (*state.from_button[1:], state.from_button[0])
    assert event.button == state.seats[state.from_button[-1]], "the button goes to the next seat"
    for seat in state.seats:
        held = state.own_places(seat)
        state.cards.give_up(seat, tuple([place.slot for place in held]), held)
    state.round.start(state.round.size)


def _opening_due(state: HandState, event: OpeningDue) -> None:
    state.cards.open(event)
    if event.reason == _ALL_IN:
        state.all_in_showdown = True


def _cards_turned_up(state: HandState, event: CardsTurnedUp) -> None:
    state.cards.turn_up(event)
    if state.up:
        for (kind, seat, slot), card in event.cards:
            if kind is _OWN and slot in state.up_slots:
                state.up[state.position_of[seat]].append(card)


# Looking up a member of an Enum costs as much as noting a card.
_OWN: Final = PlaceKind.OWN
_COMMUNITY: Final = PlaceKind.COMMUNITY
_ALL_IN: Final = OpeningReason.ALL_IN


CARDS_FOLDS: Final[Folds] = {
    PlacesDealt: _places_dealt,
    CardsSwapped: _cards_swapped,
    CardsExchanged: _cards_exchanged,
    FacingChosen: _facing_chosen,
    DeckReshuffled: _deck_reshuffled,
    HandRedealt: _hand_redealt,
    OpeningDue: _opening_due,
    CardsTurnedUp: _cards_turned_up,
}

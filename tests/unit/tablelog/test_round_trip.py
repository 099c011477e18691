"""Every event of a hand into its message and back, and through bytes."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerfloor.api.common.v1.cards_pb2 import CardProof, DeckIndex
from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.games import (
    HOLDEM,
    ActionTaken,
    ActKind,
    BetReturned,
    BetsCollected,
    CardsDrawn,
    CardsRevealed,
    CardsSwapped,
    CarriedPotAdded,
    DeckReshuffled,
    Event,
    FacingChosen,
    ForcedBet,
    ForcedBetPosted,
    ForcedKind,
    Half,
    Hand,
    HandEnded,
    HandMucked,
    HandRank,
    HandRedealt,
    HandSettings,
    HandSetup,
    HandShown,
    HandVoided,
    OpenerAnnounced,
    Place,
    PlacesDealt,
    Pot,
    PotAwarded,
    PotCarried,
    RakeTaken,
    RevealOrdered,
    RevealReason,
    SeatResult,
    SeatStack,
    ShowdownBegan,
    SplitAnswered,
    SplitProposed,
    StreetBegan,
    Structure,
    TurnBegan,
    board_place,
    burn_place,
    community_place,
    seat_place,
)
from pokerfloor.ranking import RANKINGS, Category
from pokerfloor.tablelog import (
    MAX_AMOUNT,
    HandContext,
    StakeKind,
    from_place,
    proofs_of,
    read_hand_event,
    to_place,
    write_hand_event,
)

_SEATS = st.integers(1, 10)
_AMOUNTS = st.integers(0, MAX_AMOUNT)
_COUNTS = st.integers(0, 2**31)
_CARDS = st.integers(0, 53)
_TEXT = st.text(max_size=20)
_PLACES: st.SearchStrategy[Place] = st.one_of(
    st.builds(seat_place, _SEATS, st.integers(1, 6)),
    st.builds(board_place, st.integers(0, 1), st.integers(1, 5)),
    st.builds(burn_place, st.integers(1, 4)),
    st.builds(community_place, st.integers(1, 3)),
)
_PLACE_TUPLES = st.lists(_PLACES, max_size=20).map(tuple)
_FACES = st.lists(st.tuples(_PLACES, _CARDS), max_size=6).map(tuple)
_SHARES = st.lists(_AMOUNTS, max_size=4).map(tuple)
_BY_SEAT = st.lists(st.tuples(_SEATS, _AMOUNTS), max_size=4).map(tuple)
_POT_TUPLES = st.lists(
    st.tuples(_AMOUNTS, st.lists(_SEATS, max_size=5).map(tuple)), max_size=4
).map(lambda pots: tuple([Pot(no, amount, seats) for no, (amount, seats) in enumerate(pots)]))
_RANKS = st.lists(
    st.builds(
        HandRank,
        st.integers(0, 1),
        st.sampled_from((Half.HIGH, Half.LOW)),
        st.sampled_from(sorted(RANKINGS)),
        st.sampled_from([category.value for category in Category]),
        st.integers(-(2**40), 2**40),
        _TEXT,
        st.lists(_CARDS, max_size=5).map(tuple),
    ),
    max_size=2,
).map(tuple)
_RESULTS = st.lists(
    st.builds(
        SeatResult, st.just(3), _AMOUNTS, _AMOUNTS, _AMOUNTS.map(lambda net: -net), st.just(0)
    ),
    max_size=1,
).map(tuple)

_SEAT_TUPLES = st.lists(_SEATS, max_size=8).map(tuple)
_SLOTS = st.lists(st.integers(1, 9), max_size=5).map(tuple)

_EVENTS: dict[type, st.SearchStrategy[Event]] = {
    ActionTaken: st.builds(
        ActionTaken,
        _SEATS,
        _COUNTS,
        st.sampled_from([kind for kind in ActKind if kind is not ActKind.ALL_IN]),
        _AMOUNTS,
        _AMOUNTS,
        st.booleans(),
    ),
    BetReturned: st.builds(BetReturned, _SEATS, _AMOUNTS),
    BetsCollected: st.builds(BetsCollected, _POT_TUPLES),
    CardsDrawn: st.builds(CardsDrawn, _SEATS, _COUNTS, _SLOTS),
    CardsSwapped: st.builds(CardsSwapped, _SEATS, _SLOTS, st.integers(0, 6)),
    CardsRevealed: st.builds(CardsRevealed, _FACES),
    DeckReshuffled: st.builds(DeckReshuffled, st.integers(1, 3), _PLACE_TUPLES),
    ForcedBetPosted: st.builds(
        ForcedBetPosted, _SEATS, st.sampled_from(ForcedKind), _AMOUNTS, st.booleans()
    ),
    CarriedPotAdded: st.builds(CarriedPotAdded, _AMOUNTS),
    FacingChosen: st.builds(FacingChosen, _SEATS, _COUNTS, st.booleans()),
    HandEnded: st.builds(HandEnded, _RESULTS, _AMOUNTS, _AMOUNTS, _AMOUNTS),
    OpenerAnnounced: st.builds(OpenerAnnounced, _SEATS, _TEXT),
    PotCarried: st.builds(PotCarried, st.integers(0, 9), _AMOUNTS, _SEAT_TUPLES),
    SplitAnswered: st.builds(SplitAnswered, _SEATS, st.booleans()),
    SplitProposed: st.builds(SplitProposed, _SEAT_TUPLES),
    HandRedealt: st.builds(HandRedealt, _SEATS, _AMOUNTS),
    HandMucked: st.builds(HandMucked, _SEATS),
    HandShown: st.builds(HandShown, _SEATS, _FACES, _RANKS),
    HandVoided: st.builds(HandVoided, _TEXT),
    RevealOrdered: st.builds(RevealOrdered, st.sampled_from(RevealReason), _PLACE_TUPLES),
    PlacesDealt: st.builds(PlacesDealt, _PLACE_TUPLES, st.integers(0, 3), st.integers(0, 53)),
    PotAwarded: st.builds(
        PotAwarded, st.integers(0, 9), st.integers(0, 1), st.sampled_from(Half), _SEATS, _AMOUNTS
    ),
    RakeTaken: st.builds(RakeTaken, _AMOUNTS, _SHARES, _BY_SEAT),
    ShowdownBegan: st.builds(ShowdownBegan, st.lists(_SEATS).map(tuple), st.just(())),
    StreetBegan: st.builds(StreetBegan, st.integers(0, 6), _TEXT),
    TurnBegan: st.builds(TurnBegan, _SEATS, _COUNTS),
}


def fresh_hand() -> Hand:
    """Return a hand that has not begun: no pots, no rake."""
    return Hand(
        HandSetup(
            1,
            HOLDEM,
            Structure.NO_LIMIT,
            HandSettings(1, 2),
            (SeatStack(1, 100), SeatStack(3, 100)),
            1,
            (ForcedBet(1, ForcedKind.SMALL_BLIND, 1), ForcedBet(3, ForcedKind.BIG_BLIND, 2)),
        )
    )


_HAND = fresh_hand()
_PLAYERS = {seat: f"p{seat}" for seat in range(1, 11)}


def test_every_event_of_the_engine_is_here() -> None:
    assert set(_EVENTS) == set(get_args(Event))


@pytest.mark.parametrize("kind", _EVENTS, ids=lambda kind: kind.__name__)
def test_there_and_back(kind: type) -> None:
    @settings(max_examples=60, deadline=None)
    @given(_EVENTS[kind], st.sampled_from(StakeKind))
    def check(event: Event, stake: StakeKind) -> None:
        context = HandContext(7, stake, _PLAYERS)
        message = write_hand_event(event, context)
        stored = message.SerializeToString(deterministic=True)
        again = HandEvent.FromString(stored)
        assert read_hand_event(again, _HAND, stake) == event
        assert again.SerializeToString(deterministic=True) == stored

    check()


@given(_PLACES)
def test_places(place: Place) -> None:
    assert from_place(to_place(place)) == place
    assert to_place(place) is not to_place(place), "a message of its own, free to be changed"


def test_proofs_go_with_the_faces_they_are_for() -> None:
    proof = CardProof(deck_index=DeckIndex(index=4), salt=b"s" * 32, path=[b"p" * 32] * 6)
    place, other = seat_place(3, 1), seat_place(3, 2)
    event = HandShown(3, ((place, 5), (other, 6)), ())
    context = HandContext(7, StakeKind.MONEY, _PLAYERS)
    message = write_hand_event(event, context, {place: proof})
    assert proofs_of(message.hand_shown.cards) == {place: proof}
    assert not message.hand_shown.cards[1].HasField("proof")


def test_what_the_engine_does_not_know_stands_in_the_message() -> None:
    context = HandContext(7, StakeKind.MONEY, _PLAYERS)
    ended = HandEnded((SeatResult(1, 10, 12, 2, 0), SeatResult(3, 10, 8, -2, 0)), 0)
    message = write_hand_event(ended, context).hand_ended
    assert message.hand_no == 7
    assert [seat.player_id for seat in message.seats] == ["p1", "p3"]
    assert not message.HasField("carried_in")
    assert write_hand_event(HandVoided("x"), context).hand_voided.hand_no == 7

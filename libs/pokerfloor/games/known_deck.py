"""Hands with all cards known: simulations, tests, recorded hands."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeAlias

from pokerfloor.cards import Card
from pokerfloor.games.events import Event
from pokerfloor.games.hand import Hand
from pokerfloor.games.inputs import (
    Act,
    AnswerSplit,
    Begin,
    ChooseFacing,
    DiscardCards,
    Input,
    Resolved,
    Reveal,
    SplitTimeUp,
    SwapCards,
)
from pokerfloor.games.places import Place
from pokerfloor.games.refusal import Refusal, RefusedError
from pokerfloor.games.resolve import resolve
from pokerfloor.games.waits import (
    Over,
    Wait,
    WaitAction,
    WaitBegin,
    WaitCards,
    WaitDiscard,
    WaitFacing,
    WaitShowdown,
    WaitSplit,
)

_make = tuple.__new__  # half the time of calling the class

Policy: TypeAlias = Callable[[WaitAction, Hand], Act | SwapCards]
DiscardPolicy: TypeAlias = Callable[[WaitDiscard, Hand], DiscardCards]
FacingPolicy: TypeAlias = Callable[[WaitFacing, Hand], ChooseFacing]
SplitPolicy: TypeAlias = Callable[[WaitSplit, Hand], AnswerSplit | SplitTimeUp]
Reshuffle: TypeAlias = Callable[[int, tuple[Card, ...]], Sequence[Card]]


class KnownDeck:
    """A deck in dealing order that answers all requests of a hand for cards.

    A recorded hand may have UNKNOWN places; see `HandSettings.unread_hands_muck`. `reshuffle`
    returns the order of a later generation from its number and its cards, the same order each
    time. Without it the cards stay in the order in which the hand names them.
    """

    def __init__(
        self,
        cards: Sequence[Card],
        always_show: Collection[int] = (),
        reshuffle: Reshuffle | None = None,
    ) -> None:
        self._cards = tuple(cards)
        self._reshuffle = reshuffle
        self._always_show = always_show

    def faces(self, hand: Hand, places: Iterable[Place]) -> tuple[tuple[Place, Card], ...]:
        """Return the faces at places that have been dealt."""
        cards, dealt = self._cards, hand.state.cards.places
        if hand.state.cards.generation:
            orders = self._orders(hand)
            return tuple([(place, orders[dealt[place][0]][dealt[place][1]]) for place in places])
        return tuple([(place, cards[dealt[place][1]]) for place in places])

    def _orders(self, hand: Hand) -> list[Sequence[Card]]:
        """Return the cards of every generation of the deck, in dealing order."""
        orders: list[Sequence[Card]] = [self._cards]
        for generation, used in enumerate(hand.state.cards.reshuffled, start=1):
            indexes = [hand.state.cards.places[place] for place in used]
            cards = tuple([orders[before][index] for before, index in indexes])
            orders.append(self._reshuffle(generation, cards) if self._reshuffle else cards)
        return orders

    def answer(self, hand: Hand, wait: WaitCards | WaitShowdown) -> Input:
        """Return the input that the hand waits for. Raises RefusedError for unknown faces."""
        if isinstance(wait, WaitCards):
            return self.reveal(wait, hand)
        return self.resolved(wait, hand)

    def reveal(self, wait: WaitCards, hand: Hand) -> Reveal:
        """Return the faces of the pending places."""
        return _make(Reveal, (self.faces(hand, wait.places),))

    def resolved(self, wait: WaitShowdown, hand: Hand) -> Resolved:
        """Return the result of the showdown. Raises RefusedError for unknown faces."""
        places = [place for _, places in wait.request.seats for place in places]
        faces = dict(self.faces(hand, places))
        result = resolve(wait.request, faces, self._always_show)
        if isinstance(result, Refusal):
            raise RefusedError(result, wait)
        return Resolved(result)


def stand_pat(wait: WaitDiscard, _hand: Hand) -> DiscardCards:
    """Discard as few cards as the game allows, the first ones held."""
    slots = tuple([place.slot for place in wait.places[: wait.min_discards]])
    return DiscardCards(wait.seat, wait.turn_no, slots)


def take_up(wait: WaitFacing, _hand: Hand) -> ChooseFacing:
    """Choose a card face up, the default without an answer (MAT-3)."""
    return ChooseFacing(wait.seat, wait.turn_no, face_down=False)


def say_nothing(_wait: WaitSplit, _hand: Hand) -> SplitTimeUp:
    """Let the time to answer run out: nobody agrees to a split (MAT-6)."""
    return SplitTimeUp()


def play_out(  # one policy for each kind of choice
    hand: Hand,
    deck: KnownDeck,
    policy: Policy,
    watch: Callable[[Event], None] | None = None,
    discard: DiscardPolicy = stand_pat,
    facing: FacingPolicy = take_up,
    split: SplitPolicy = say_nothing,
) -> Over:
    """Play a hand to its end and return its result.

    `policy` chooses each action or swap, `discard` the discards of a draw, `facing` how a card
    comes and `split` whether to split in Mata Ases. `watch`, if given, is called with every event
    after it was applied. Raises RefusedError if a policy's choice or the deck's cards are refused.
    """
    choices: dict[type[Wait], Callable[[Any, Hand], Input]] = {
        WaitBegin: lambda _wait, _hand: Begin(),
        WaitAction: policy,
        WaitCards: deck.reveal,
        WaitDiscard: discard,
        WaitFacing: facing,
        WaitShowdown: deck.resolved,
        WaitSplit: split,
    }
    while True:
        wait = hand.waits_for()
        if isinstance(wait, Over):
            return wait
        given = choices[type(wait)](wait, hand)
        events = hand.execute(given)
        if isinstance(events, Refusal):
            raise RefusedError(events, given)
        if watch is not None:
            for event in events:
                watch(event)

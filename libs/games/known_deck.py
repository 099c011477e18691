"""Hands whose every card is known: simulations, tests, recorded hands."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from libs.cards import Card
from libs.games.events import Event
from libs.games.hand import Hand
from libs.games.inputs import Act, Begin, Input, Resolved, TurnUp
from libs.games.places import Place
from libs.games.refusal import Refusal
from libs.games.resolve import resolve
from libs.games.waits import Over, WaitAction, WaitBegin, WaitCards, WaitShowdown

Policy: TypeAlias = Callable[[WaitAction, Hand], Act]


class RefusedError(RuntimeError):
    """The policy's action or the deck's cards were refused; `refusal` says why."""

    def __init__(self, refusal: Refusal, what: object) -> None:
        super().__init__(f"{refusal.code}: {refusal.reason} ({what})")
        self.refusal = refusal


class KnownDeck:
    """A deck in dealing order, which answers what a hand asks of cards.

    A recorded hand may leave a place UNKNOWN; see `HandSettings.unread_hands_muck`.
    """

    def __init__(self, cards: Sequence[Card], always_show: Collection[int] = ()) -> None:
        self._cards = tuple(cards)
        self._always_show = always_show

    def faces(self, hand: Hand, places: Iterable[Place]) -> tuple[tuple[Place, Card], ...]:
        """Return the faces at places that have been dealt."""
        cards, dealt = self._cards, hand.state.cards.places
        return tuple([(place, cards[dealt[place].deck_index]) for place in places])

    def answer(self, hand: Hand, wait: WaitCards | WaitShowdown) -> Input:
        """Return the input that the hand waits for. Raises RefusedError for unknown faces."""
        if isinstance(wait, WaitCards):
            return TurnUp(self.faces(hand, wait.places))
        places = [place for entry in wait.request.seats for place in entry.places]
        faces = dict(self.faces(hand, places))
        result = resolve(wait.request, faces, self._always_show)
        if isinstance(result, Refusal):
            raise RefusedError(result, wait)
        return Resolved(result)


def play_out(
    hand: Hand, deck: KnownDeck, policy: Policy, watch: Callable[[Event], None] | None = None
) -> Over:
    """Play a hand to its end and return its result.

    `policy` chooses each action; `watch`, if given, gets every event after it was applied. Raises
    RefusedError when the policy's action or the deck's cards are refused.
    """
    while True:
        wait = hand.waits_for()
        given: Input
        if isinstance(wait, WaitAction):
            given = policy(wait, hand)
        elif isinstance(wait, Over):
            return wait
        elif isinstance(wait, WaitBegin):
            given = Begin()
        else:
            given = deck.answer(hand, wait)
        events = hand.do(given)
        if isinstance(events, Refusal):
            raise RefusedError(events, given)
        if watch is not None:
            for event in events:
                watch(event)

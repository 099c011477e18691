"""Whether an input is good, and the events that it is itself; what follows is in `flow`."""

from libs.games.events import (
    CardsTurnedUp,
    Event,
    HandMucked,
    HandShown,
    HandVoided,
    OpeningDue,
    OpeningReason,
    PotAwarded,
    RakeTaken,
)
from libs.games.faces import faces_problem
from libs.games.inputs import (
    Act,
    Begin,
    ExchangeCards,
    Input,
    Resolved,
    ShowCards,
    SwapCards,
    TurnUp,
    Void,
)
from libs.games.judge_action import judge_action
from libs.games.judge_change import judge_exchange, judge_swap
from libs.games.judge_showdown import judge_result
from libs.games.refusal import Code, Refusal
from libs.games.showdown import ShowdownRequest, ShowdownResult
from libs.games.state import NOBODY, HandState
from libs.games.waits import Wait, WaitAction, WaitExchange, WaitShowdown

_Events = tuple[Event, ...]


def judge(state: HandState, wait: Wait, given: Input) -> _Events | Refusal:
    """Return the events that an input is by itself, or why it is refused. Changes nothing.

    `wait` is what the state waits for.
    """
    match given:
        case Act():
            if not isinstance(wait, WaitAction):
                return _unexpected(state, "an action")
            action = judge_action(state, wait.legal, given)
            return action if isinstance(action, Refusal) else (action,)
        case TurnUp():
            return _judge_cards(state, given)
        case Resolved():
            if not isinstance(wait, WaitShowdown):
                return _unexpected(state, "a showdown")
            return _judge_resolved(wait.request, given.result)
        case SwapCards() | ExchangeCards():
            return _judge_change(state, wait, given)
        case Begin():
            return () if state.street_no == NOBODY else _unexpected(state, "the beginning")
        case ShowCards():
            return _judge_show(state, given)
        case Void():
            return _unexpected(state, "a void") if state.ended else (HandVoided(given.reason),)


def _unexpected(state: HandState, what: str) -> Refusal:
    if state.ended:
        return Refusal(Code.HAND_OVER, f"{what} came after the end of the hand")
    return Refusal(Code.UNEXPECTED_INPUT, f"the hand does not wait for {what} now")


def _judge_change(
    state: HandState, wait: Wait, given: SwapCards | ExchangeCards
) -> _Events | Refusal:
    change: Event | Refusal
    if isinstance(given, SwapCards):
        if not isinstance(wait, WaitAction):
            return _unexpected(state, "a swap")
        change = judge_swap(state, wait, given)
    else:
        if not isinstance(wait, WaitExchange):
            return _unexpected(state, "an exchange")
        change = judge_exchange(wait, given)
    return change if isinstance(change, Refusal) else (change,)


def _judge_cards(state: HandState, given: TurnUp) -> _Events | Refusal:
    cards = state.cards
    if not cards.due:
        return _unexpected(state, "a card")
    problem = _card_problem(state, given)
    if problem:
        return Refusal(Code.WRONG_CARDS, problem, "cards")
    return (CardsTurnedUp(given.cards),)


def _card_problem(state: HandState, given: TurnUp) -> str:
    cards = state.cards
    places = tuple([place for place, _ in given.cards])
    if not places:
        return "no card"
    if places != cards.due:  # some now, the rest later
        if len(set(places)) != len(places) or not set(places) <= set(cards.due):
            return f"cards are due at {', '.join(map(str, cards.due))}"
        if cards.due_reason == OpeningReason.BOARD and places != cards.due[: len(places)]:
            return f"{cards.due[0]} is turned up first"
    faces = [card for _, card in given.cards]
    if not cards.lies_at.keys().isdisjoint(faces):
        return "a card has been seen at another place"
    return faces_problem(state.setup.game.deck, faces)


def _judge_resolved(request: ShowdownRequest, result: ShowdownResult) -> _Events | Refusal:
    refusal = judge_result(request, result)
    if refusal is not None:
        return refusal
    events: list[Event] = [HandShown._make(hand) for hand in result.shown]
    events += [HandMucked(seat) for seat in result.mucked]
    if request.rake.total:
        events.append(RakeTaken(*request.rake))
    events += [PotAwarded(*award) for award in result.awards]
    return tuple(events)


def _judge_show(state: HandState, given: ShowCards) -> _Events | Refusal:
    if not state.ended:
        return _unexpected(state, "a show of cards")
    winners = {award.seat for award in state.awards}
    if state.showdown_order or winners != {given.seat}:
        reason = f"seat {given.seat} did not win without a showdown"
        return Refusal(Code.ACTION_NOT_ALLOWED, reason, "seat")
    own = state.own_places(given.seat)
    hidden = [place for place in own if place not in state.cards.faces]
    if state.cards.due or not given.places or not set(given.places) <= set(hidden):
        reason = f"seat {given.seat} can show {', '.join(map(str, hidden)) or 'no more cards'}"
        return Refusal(Code.WRONG_CARDS, reason, "places")
    if len(set(given.places)) != len(given.places):
        return Refusal(Code.WRONG_CARDS, "a place is named twice", "places")
    return (OpeningDue(OpeningReason.CHOSEN, given.places),)

"""Whether an input is good, and the events that it is itself; what follows is in `flow`."""

from pokerfloor.games.events import (
    CardsTurnedUp,
    Event,
    HandMucked,
    HandShown,
    HandVoided,
    OpeningDue,
    OpeningReason,
    PotAwarded,
    RakeTaken,
    SplitAnswered,
    SplitProposed,
)
from pokerfloor.games.faces import faces_problem
from pokerfloor.games.inputs import (
    Act,
    AnswerSplit,
    Begin,
    ChooseFacing,
    ExchangeCards,
    Input,
    Resolved,
    ShowCards,
    SplitTimeUp,
    SwapCards,
    TurnUp,
    Void,
)
from pokerfloor.games.judge_action import judge_action
from pokerfloor.games.judge_change import judge_exchange, judge_facing, judge_swap
from pokerfloor.games.judge_showdown import judge_result
from pokerfloor.games.refusal import Code, Refusal
from pokerfloor.games.showdown import ShowdownResult
from pokerfloor.games.state import NOBODY, HandState
from pokerfloor.games.waits import (
    Wait,
    WaitAction,
    WaitExchange,
    WaitFacing,
    WaitShowdown,
    WaitSplit,
)

_Events = tuple[Event, ...]
_make = tuple.__new__  # half the time of calling the class


def judge(state: HandState, wait: Wait, given: Input) -> _Events | Refusal:
    """Return the events that an input is by itself, or why it is refused. Changes nothing.

    `wait` is what the state waits for.
    """
    match given:
        case Act():
            if not isinstance(wait, WaitAction):
                return _unexpected(state, "an action")
            return judge_action(state, wait.legal, given)
        case TurnUp():
            return _judge_cards(state, given)
        case Resolved():
            return _judge_resolved(state, wait, given.result)
        case AnswerSplit() | SplitTimeUp():
            return _judge_answer(state, wait, given)
        case SwapCards() | ExchangeCards() | ChooseFacing():
            return _judge_change(state, wait, given)
        case Begin():
            begun = state.street_no != NOBODY or state.ended  # a void may come before it
            return _unexpected(state, "the beginning") if begun else ()
        case ShowCards():
            return _judge_show(state, given)
        case _:  # asked, not matched: compiled, the last kind of a union matches everything
            assert type(given) is Void, f"{given!r} is no input of a betting hand"
            return _unexpected(state, "a void") if state.ended else (HandVoided(given.reason),)


def _unexpected(state: HandState, what: str) -> Refusal:
    if state.ended:
        return Refusal(Code.HAND_OVER, f"{what} came after the end of the hand")
    return Refusal(Code.UNEXPECTED_INPUT, f"the hand does not wait for {what} now")


def _judge_change(
    state: HandState, wait: Wait, given: SwapCards | ExchangeCards | ChooseFacing
) -> _Events | Refusal:
    change: Event | Refusal
    if isinstance(given, SwapCards):
        if not isinstance(wait, WaitAction):
            return _unexpected(state, "a swap")
        change = judge_swap(state, wait, given)
    elif isinstance(given, ChooseFacing):
        if not isinstance(wait, WaitFacing):
            return _unexpected(state, "a facing")
        change = judge_facing(wait, given)
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
    return (_make(CardsTurnedUp, (given.cards,)),)


def _card_problem(state: HandState, given: TurnUp) -> str:
    cards = state.cards
    if not given.cards:
        return "no card"
    places, faces = zip(*given.cards, strict=True)
    if places != cards.due:  # some now, the rest later
        if len(set(places)) != len(places) or not set(places) <= set(cards.due):
            return f"cards are due at {', '.join(map(str, cards.due))}"
        if cards.due_reason == OpeningReason.BOARD and places != cards.due[: len(places)]:
            return f"{cards.due[0]} is turned up first"
    if not cards.lies_at.keys().isdisjoint(faces):
        return "a card has been seen at another place"
    return faces_problem(state.setup.game.deck, faces)


def _judge_resolved(state: HandState, wait: Wait, result: ShowdownResult) -> _Events | Refusal:
    if not isinstance(wait, WaitShowdown):
        return _unexpected(state, "a showdown")
    request = wait.request
    refusal = judge_result(request, result)
    if refusal is not None:
        return refusal
    events: list[Event] = [_make(HandShown, hand) for hand in result.shown]
    events += [_make(HandMucked, (seat,)) for seat in result.mucked]
    if result.carried:
        return (*events, SplitProposed(request.order))
    if request.rake.total:
        events.append(RakeTaken(*request.rake))
    events += [_make(PotAwarded, award) for award in result.awards]
    return tuple(events)


def _judge_answer(
    state: HandState, wait: Wait, given: AnswerSplit | SplitTimeUp
) -> _Events | Refusal:
    if not isinstance(wait, WaitSplit):
        return _unexpected(state, "an answer to a split")
    if isinstance(given, SplitTimeUp):
        return tuple([SplitAnswered(seat, agrees=False) for seat in wait.seats])
    if given.seat not in wait.seats:
        reason = f"seats {wait.seats} are asked for an answer, not seat {given.seat}"
        return Refusal(Code.ACTION_NOT_ALLOWED, reason, "seat")
    return (SplitAnswered(*given),)


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

"""Validate inputs and return the events they are themselves; `flow` applies what follows."""

from pokerfloor.games.events import (
    CardsRevealed,
    Event,
    HandMucked,
    HandShown,
    HandVoided,
    PotAwarded,
    RakeTaken,
    RevealOrdered,
    RevealReason,
    SplitAnswered,
    SplitProposed,
)
from pokerfloor.games.faces import faces_problem
from pokerfloor.games.inputs import (
    Act,
    AnswerSplit,
    Begin,
    ChooseFacing,
    DiscardCards,
    Input,
    Resolved,
    Reveal,
    ShowCards,
    SplitTimeUp,
    SwapCards,
    Void,
)
from pokerfloor.games.refusal import Code, Refusal
from pokerfloor.games.showdown import ShowdownResult
from pokerfloor.games.state import NOBODY, HandState
from pokerfloor.games.validate_action import validate_action
from pokerfloor.games.validate_change import validate_discard, validate_facing, validate_swap
from pokerfloor.games.validate_showdown import validate_result
from pokerfloor.games.waits import (
    Wait,
    WaitAction,
    WaitDiscard,
    WaitFacing,
    WaitShowdown,
    WaitSplit,
)

_Events = tuple[Event, ...]
_make = tuple.__new__  # half the time of calling the class


def validate(state: HandState, wait: Wait, given: Input) -> _Events | Refusal:
    """Return the events of an input itself, or why it is refused. Change nothing.

    `wait` is what the hand waits for.
    """
    match given:
        case Act():
            if not isinstance(wait, WaitAction):
                return _unexpected(state, "an action")
            return validate_action(state, wait.legal, given)
        case Reveal():
            return _validate_cards(state, given)
        case Resolved():
            return _validate_resolved(state, wait, given.result)
        case AnswerSplit() | SplitTimeUp():
            return _validate_answer(state, wait, given)
        case SwapCards() | DiscardCards() | ChooseFacing():
            return _validate_change(state, wait, given)
        case Begin():
            begun = state.street_no != NOBODY or state.ended  # a void may come before it
            return _unexpected(state, "the beginning") if begun else ()
        case ShowCards():
            return _validate_show(state, given)
        case _:  # assert the type: compiled, the last case of a union matches all
            assert type(given) is Void, f"{given!r} is not an input of a betting hand"
            return _unexpected(state, "a void") if state.ended else (HandVoided(given.reason),)


def _unexpected(state: HandState, what: str) -> Refusal:
    if state.ended:
        return Refusal(Code.HAND_OVER, f"{what} came after the end of the hand")
    return Refusal(Code.UNEXPECTED_INPUT, f"the hand does not wait for {what} now")


def _validate_change(
    state: HandState, wait: Wait, given: SwapCards | DiscardCards | ChooseFacing
) -> _Events | Refusal:
    change: Event | Refusal
    if isinstance(given, SwapCards):
        if not isinstance(wait, WaitAction):
            return _unexpected(state, "a swap")
        change = validate_swap(state, wait, given)
    elif isinstance(given, ChooseFacing):
        if not isinstance(wait, WaitFacing):
            return _unexpected(state, "a facing")
        change = validate_facing(wait, given)
    else:
        if not isinstance(wait, WaitDiscard):
            return _unexpected(state, "a discard")
        change = validate_discard(wait, given)
    return change if isinstance(change, Refusal) else (change,)


def _validate_cards(state: HandState, given: Reveal) -> _Events | Refusal:
    cards = state.cards
    if not cards.pending:
        return _unexpected(state, "a card")
    problem = _card_problem(state, given)
    if problem:
        return Refusal(Code.WRONG_CARDS, problem, "cards")
    return (_make(CardsRevealed, (given.cards,)),)


def _card_problem(state: HandState, given: Reveal) -> str:
    cards = state.cards
    if not given.cards:
        return "no card"
    places, faces = zip(*given.cards, strict=True)
    if places != cards.pending:  # some now, the rest later
        if len(set(places)) != len(places) or not set(places) <= set(cards.pending):
            return f"pending cards: {', '.join(map(str, cards.pending))}"
        if cards.reveal_reason == RevealReason.BOARD and places != cards.pending[: len(places)]:
            return f"{cards.pending[0]} must be revealed first"
    if not cards.lies_at.keys().isdisjoint(faces):
        return "a card has been seen at another place"
    return faces_problem(state.setup.game.deck, faces)


def _validate_resolved(state: HandState, wait: Wait, result: ShowdownResult) -> _Events | Refusal:
    if not isinstance(wait, WaitShowdown):
        return _unexpected(state, "a showdown")
    request = wait.request
    refusal = validate_result(request, result)
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


def _validate_answer(
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


def _validate_show(state: HandState, given: ShowCards) -> _Events | Refusal:
    if not state.ended:
        return _unexpected(state, "a show of cards")
    winners = {award.seat for award in state.awards}
    if state.showdown_order or winners != {given.seat}:
        reason = f"seat {given.seat} did not win without a showdown"
        return Refusal(Code.ACTION_NOT_ALLOWED, reason, "seat")
    hole = state.hole_places(given.seat)
    hidden = [place for place in hole if place not in state.cards.faces]
    if state.cards.pending or not given.places or not set(given.places) <= set(hidden):
        reason = f"seat {given.seat} can show {', '.join(map(str, hidden)) or 'no more cards'}"
        return Refusal(Code.WRONG_CARDS, reason, "places")
    if len(set(given.places)) != len(given.places):
        return Refusal(Code.WRONG_CARDS, "a place is named twice", "places")
    return (RevealOrdered(RevealReason.CHOSEN, given.places),)

"""Validate inputs and return the events they are themselves; `flow` applies what follows."""

from pokerfloor.games.events import CardsRevealed, HandVoided, RevealReason
from pokerfloor.games.faces import faces_problem
from pokerfloor.games.inputs import Begin, Reveal, Void
from pokerfloor.games.placement.events import (
    HiddenPlacement,
    PlacementConfirmed,
    PlacementEvent,
    PlacementMoved,
    PointsScored,
)
from pokerfloor.games.placement.inputs import (
    ConfirmPlacement,
    MovePlacement,
    PlacementInput,
    PlacementTimeUp,
    Scored,
    ScoringResult,
)
from pokerfloor.games.placement.layouts import SlotRow, set_in_order
from pokerfloor.games.placement.scores import fantasyland_problem, points_problem
from pokerfloor.games.placement.state import PlacementState
from pokerfloor.games.placement.validate_layout import (
    confirm_refusal,
    move_refusal,
    open_placements,
)
from pokerfloor.games.placement.waits import (
    PlacementTurn,
    PlacementWait,
    WaitPlacements,
    WaitScoring,
)
from pokerfloor.games.refusal import Code, Refusal
from pokerfloor.games.waits import WaitBegin

_Events = tuple[PlacementEvent, ...]
_Placing = MovePlacement | ConfirmPlacement | PlacementTimeUp


def validate(
    state: PlacementState, wait: PlacementWait, given: PlacementInput
) -> _Events | Refusal:
    """Return the events of an input itself, or why it is refused. Change nothing.

    `wait` is what the hand waits for.
    """
    match given:
        case Begin():
            return () if isinstance(wait, WaitBegin) else _unexpected(state, "the beginning")
        case MovePlacement() | ConfirmPlacement() | PlacementTimeUp():
            return _validate_placing(state, wait, given)
        case Reveal():
            return _validate_cards(state, given)
        case Scored():
            if not isinstance(wait, WaitScoring):
                return _unexpected(state, "a score")
            return _validate_score(state, given.result)
        case Void():
            return _unexpected(state, "a void") if state.ended else (HandVoided(given.reason),)


def _unexpected(state: PlacementState, what: str) -> Refusal:
    if state.ended:
        return Refusal(Code.HAND_OVER, f"{what} came after the end of the hand")
    return Refusal(Code.UNEXPECTED_INPUT, f"the hand does not wait for {what} now")


def _validate_placing(
    state: PlacementState, wait: PlacementWait, given: _Placing
) -> _Events | Refusal:
    turn = _turn(state, wait, given)
    if isinstance(turn, Refusal):
        return turn
    match given:
        case MovePlacement():
            moved = move_refusal(turn, given)
            return moved or (PlacementMoved(given.seat, given.slot, given.row),)
        case ConfirmPlacement():
            confirmed = confirm_refusal(turn, given)
            return confirmed or _confirmed(turn, given.placements, by_time=False)
        case PlacementTimeUp():
            by_row = {room.row: room for room in turn.room}
            room = tuple([by_row[row] for row in state.setup.game.fill_order])
            laid = set_in_order(turn.places, turn.to_place, room)
            return _confirmed(turn, laid, by_time=True)


def _turn(state: PlacementState, wait: PlacementWait, given: _Placing) -> PlacementTurn | Refusal:
    seat, turn_no = given.seat, given.turn_no
    if state.ended:
        return _unexpected(state, "a placement")
    turn = wait.turn_of(seat) if isinstance(wait, WaitPlacements) else None
    if turn is not None and turn.turn_no == turn_no:
        return turn
    if turn_no and state.answered.get(seat) == turn_no:
        reason = f"seat {seat} has confirmed turn {turn_no} already"
        return Refusal(Code.ALREADY_CONFIRMED, reason, "turn_no")
    if turn is not None:
        reason = f"seat {seat} is asked in turn {turn.turn_no}, not in turn {turn_no}"
        return Refusal(Code.STALE_TURN, reason, "turn_no")
    if not isinstance(wait, WaitPlacements):
        return _unexpected(state, "a placement")
    asked = ", ".join([f"seat {each.seat}" for each in wait.turns])
    return Refusal(Code.NOT_YOUR_TURN, f"it is the turn of {asked}, not of seat {seat}", "seat")


def _confirmed(turn: PlacementTurn, placements: tuple[SlotRow, ...], *, by_time: bool) -> _Events:
    seen = () if turn.hidden else open_placements(placements)
    confirmed = PlacementConfirmed(turn.seat, turn.turn_no, turn.street_no, seen, by_time)
    if not turn.hidden:
        return (confirmed,)
    return (confirmed, HiddenPlacement(turn.seat, tuple(sorted(placements))))


def _validate_cards(state: PlacementState, given: Reveal) -> _Events | Refusal:
    if not state.cards.pending:
        return _unexpected(state, "a card")
    problem = _card_problem(state, given)
    if problem:
        return Refusal(Code.WRONG_CARDS, problem, "cards")
    return (CardsRevealed(given.cards),)


def _card_problem(state: PlacementState, given: Reveal) -> str:
    due = state.cards.pending
    places = tuple([place for place, _ in given.cards])
    if not places:
        return "no card"
    if len(set(places)) != len(places) or not set(places) <= set(due):
        return f"pending cards: {', '.join(map(str, due))}"
    if state.cards.reveal_reason is RevealReason.BOARD and places != due[: len(places)]:
        return f"{due[0]} must be revealed first"
    faces = [card for _, card in given.cards]
    if not state.cards.lies_at.keys().isdisjoint(faces):
        return "a card has been seen at another place"
    return faces_problem(state.setup.game.deck, faces)


def _validate_score(state: PlacementState, result: ScoringResult) -> _Events | Refusal:
    scored = PointsScored(result.pairs, result.layouts)
    problem, field = points_problem(state, scored)
    if problem:
        return Refusal(Code.WRONG_RESULT, problem, field)
    problem = fantasyland_problem(state, result.layouts, result.fantasyland)
    if problem:
        return Refusal(Code.WRONG_RESULT, problem, "fantasyland")
    return (scored, *result.fantasyland)

"""Which game the next hand is at a table of several (MIX-2, MIX-3)."""

from typing import Final

from floor_table.domain.draft import Draft
from floor_table.domain.inputs import CardsIn, CommandIn
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.refusals import invalid, unexpected, wrong_state
from floor_table.domain.seat_changes import close_if_idle, leave
from floor_table.domain.seat_commands import seated
from floor_table.domain.seating import Plan
from floor_table.domain.state import Draw, TableState
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.cards import STANDARD
from pokerfloor.tablelog import cards_of_game_draw, from_card, game_drawn, one_of_mix

CHOICE_MS: Final = 7_000

_RANDOM_MODE: Final = settings_pb2.MIXED_MODE_RANDOM
_SEQUENCE_MODE: Final = settings_pb2.MIXED_MODE_SEQUENCE


def next_settings(state: TableState) -> settings_pb2.TableSettings:
    """Return the table's settings, with the next hand's game as the only one of a mix."""
    settings = state.settings
    assert settings is not None, "a table that was not opened"
    if not state.mix.chosen:
        return settings
    return one_of_mix(settings, settings.mixed.games[state.rules.games.index(state.mix.chosen)])


def find_game(draft: Draft, plan: Plan) -> bool:
    """See to it that the next hand's game is known; False while it is chosen or drawn.

    `plan` is the hand to come: the button has moved already. A game that was found stays until a
    hand is played by it that counts.
    """
    state = draft.state
    rules = state.rules
    if not rules.games or state.mix.chosen:
        return True
    if rules.games_mode == _SEQUENCE_MODE:
        chosen = pb.GameChosen(
            game=_next_in_sequence(state, plan), method=pb.CHOICE_METHOD_SEQUENCE
        )
        draft.emit(TableEvent(game_chosen=chosen))
        return True
    if rules.games_mode == _RANDOM_MODE:
        _begin_draw(draft)
    else:
        _open_choice(draft, plan.button)
    return False


def _next_in_sequence(state: TableState, plan: Plan) -> str:
    """Return the game after the last one, in a circle once the button has passed the lowest seat.

    A button that was drawn, or that stays where it is, has passed nobody.
    """
    games, last = state.rules.games, state.mix.last
    if not last:
        return games[0]
    stays = state.rules.games_by_circle and (state.last.drawn or plan.button >= state.last.button)
    return games[(games.index(last) + (not stays)) % len(games)]


def _open_choice(draft: Draft, seat: int) -> None:
    opened = pb.GameChoiceOpened(
        seat=seat, games=draft.state.rules.games, deadline_ms=draft.now_ms + CHOICE_MS
    )
    draft.emit(TableEvent(game_choice_opened=opened))


def choose_again(draft: Draft) -> None:
    """Give whoever chooses the whole time again: the house was away (CLK-5)."""
    if draft.state.mix.seat:
        _open_choice(draft, draft.state.mix.seat)


def choose_game(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Choose the next hand's game, on the button and in time (MIX-3, CLK-4)."""
    state, wanted = draft.state, given.command.choose_game.game
    seat = seated(state, given.sender)
    if isinstance(seat, FloorRefusal):
        return seat
    if not state.rules.games:
        reason = "one game is played at this table"
        return FloorRefusal(errors_pb2.ERROR_CODE_ACTION_NOT_ALLOWED, reason)
    if not state.mix.seat:
        return wrong_state("no game is to be chosen now")
    if seat.seat != state.mix.seat:
        reason = f"the player on the button chooses, at seat {state.mix.seat}"
        return FloorRefusal(errors_pb2.ERROR_CODE_NOT_YOUR_TURN, reason)
    if wanted not in state.rules.games:
        return invalid(f"the games are {', '.join(state.rules.games)}", "choose_game.game")
    if given.arrived_at_ms > state.mix.deadline_ms:
        late_ms = given.arrived_at_ms - state.mix.deadline_ms
        reason = f"it arrived {late_ms} ms after its time"
        return FloorRefusal(errors_pb2.ERROR_CODE_TOO_LATE, reason)
    draft.emit(TableEvent(game_chosen=pb.GameChosen(game=wanted, method=pb.CHOICE_METHOD_CHOICE)))
    _after_choice(draft)
    return None


def choice_ends_ms(state: TableState) -> int | None:
    """Return when a choice that is open is made at random, None for none.

    Cards that a winner shows come up first: the draw's deck is opened when theirs has ended.
    """
    return state.mix.deadline_ms + 1 if state.mix.seat and not state.hand_shows else None


def draw_instead(draft: Draft) -> None:
    """Let a draw choose where the player on the button has not (MIX-3)."""
    _begin_draw(draft)


def game_draw_places(cards: int) -> list[cards_pb2.Place]:
    """Return the places of a draw for a game, in the order of the deck."""
    kind = cards_pb2.PLACE_KIND_GAME_DRAW
    return [cards_pb2.Place(kind=kind, owner=0, slot=slot) for slot in range(1, cards + 1)]


def _begin_draw(draft: Draft) -> None:
    games = draft.state.rules.games
    places = game_draw_places(cards_of_game_draw(len(games)))
    first = cards_pb2.DeckIndex(generation=0, index=0)
    dealt = hand_events_pb2.PlacesDealt(places=places, first=first)
    reason = hand_events_pb2.REVEAL_REASON_GAME_DRAW
    due = hand_events_pb2.RevealOrdered(reason=reason, places=places)
    began = pb.GameDrawBegan(deck_no=draft.state.decks + 1, games=games)
    draft.emit(TableEvent(game_draw_began=began))
    draft.emit(TableEvent(hand=hand_events_pb2.HandEvent(places_dealt=dealt)))
    draft.emit(TableEvent(hand=hand_events_pb2.HandEvent(reveal_ordered=due)))


def game_was_drawn(draft: Draft, draw: Draw, given: CardsIn) -> FloorRefusal | None:
    """Take in the cards of a draw: they choose the game (MIX-3). Raises LogError."""
    if not draw.root:
        return unexpected(f"deck {draw.deck_no} is not committed yet")
    faces = [from_card(one.card) for one in given.cards]
    fit = [one.place for one in given.cards] == game_draw_places(draw.cards)
    if not fit or len(set(faces)) != len(faces) or not all(face in STANDARD for face in faces):
        reason = "the cards are not those of the draw"
        return FloorRefusal(errors_pb2.ERROR_CODE_WRONG_CARDS, reason, "cards")
    game = game_drawn(draft.state.rules.games, faces)
    chosen = pb.GameChosen(
        game=game, method=pb.CHOICE_METHOD_RANDOM, deck_no=draw.deck_no, cards=given.cards
    )
    draft.emit(TableEvent(game_chosen=chosen))
    _after_choice(draft)
    return None


def _after_choice(draft: Draft) -> None:
    """Let those go who have asked for it meanwhile."""
    for seat in draft.state.by_number():
        if seat.leaving and not draft.state.bound(seat.seat):
            leave(draft, seat, pb.LEAVE_REASON_ASKED)
    close_if_idle(draft)

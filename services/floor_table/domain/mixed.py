"""Which game the next hand is at a table of several games (MIX-1 to MIX-3)."""

from collections.abc import Iterator
from typing import Final

from floor_table.domain.audiences import Audience
from floor_table.domain.inputs import CardsIn, Clock, CommandIn
from floor_table.domain.parts import Draw
from floor_table.domain.refusal import invalid, not_allowed, too_late, wrong_state
from floor_table.domain.step import (
    HOUSE_DELAY_MS,
    ClockTable,
    CommandTable,
    EventTable,
    StepBuilder,
)
from floor_table.domain.table import Table
from floor_table.domain.validate import drawn_cards, seated
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import (
    LogError,
    cards_of_game_draw,
    from_card,
    game_drawn,
    one_of_mix,
)

_CHOICE_MS: Final = 7_000


def next_settings(table: Table) -> settings_pb2.TableSettings:
    """Return the table's settings, with the next hand's game as the only one of a mix."""
    settings = table.settings
    if not table.mix.chosen:
        return settings
    return one_of_mix(settings, settings.mixed.games[table.rules.games.index(table.mix.chosen)])


def find_game(step: StepBuilder, button: int) -> bool:
    """See to it that the next hand's game is known; False while it is chosen or drawn.

    `button` is that of the hand to come. A game that was found stays until a hand is played by it
    that counts.
    """
    table, rules = step.table, step.table.rules
    if not rules.games or table.mix.chosen:
        return True
    if rules.games_mode == settings_pb2.MIXED_MODE_SEQUENCE:
        step.emit(
            pb.GameChosen(game=_next_in_sequence(table, button), method=pb.CHOICE_METHOD_SEQUENCE)
        )
        return True
    if rules.games_mode == settings_pb2.MIXED_MODE_RANDOM:
        _begin_draw(step)
    else:
        _open_choice(step, button)
    return False


def _next_in_sequence(table: Table, button: int) -> str:
    """Return the game after the last one, in a circle once the button has passed the lowest seat.

    A button that was drawn, or that stays where it is, has passed nobody.
    """
    games, last = table.rules.games, table.mix.last
    if not last:
        return games[0]
    stays = table.rules.games_by_circle and (table.last.drawn or button >= table.last.button)
    return games[(games.index(last) + (not stays)) % len(games)]


# --- the choice of the player on the button


def _open_choice(step: StepBuilder, seat: int) -> None:
    deadline_ms = step.now_ms + _CHOICE_MS
    games = step.table.rules.games
    step.emit(pb.GameChoiceOpened(seat=seat, games=games, deadline_ms=deadline_ms))


def choose_game(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Choose the next hand's game, on the button and in time (MIX-3, CLK-4)."""
    table, wanted = step.table, given.command.choose_game.game
    seat = seated(table, given.sender)
    if isinstance(seat, Refusal):
        return seat
    if not table.rules.games:
        return not_allowed("one game is played at this table")
    if not table.mix.seat:
        return wrong_state("no game is to be chosen now")
    if seat.seat != table.mix.seat:
        reason = f"the player on the button chooses, at seat {table.mix.seat}"
        return Refusal(errors_pb2.ERROR_CODE_NOT_YOUR_TURN, reason)
    if wanted not in table.rules.games:
        return invalid(f"the games are {', '.join(table.rules.games)}", "choose_game.game")
    refusal = too_late(given.arrived_at_ms, table.mix.deadline_ms)
    if refusal is None:
        step.emit(pb.GameChosen(game=wanted, method=pb.CHOICE_METHOD_CHOICE))
    return refusal


COMMANDS: Final[CommandTable] = {"choose_game": choose_game}


def choose_again(step: StepBuilder) -> None:
    """Give whoever chooses the whole time again: the house was away (CLK-5)."""
    if step.table.mix.seat:
        _open_choice(step, step.table.mix.seat)


def timers(table: Table) -> Iterator[tuple[int, Clock]]:
    """Yield when a choice that is open is made at random.

    Cards that a winner shows come up first: the draw's deck is made when theirs has ended.
    """
    if table.mix.seat and not table.hand_shows:
        yield table.mix.deadline_ms + 1, Clock.GAME


def _time_up(step: StepBuilder) -> None:
    """Let a draw choose where the player on the button has not (MIX-3)."""
    for up_ms, _ in timers(step.table):
        if step.now_ms > up_ms + HOUSE_DELAY_MS:
            choose_again(step)
        elif step.now_ms >= up_ms:
            _begin_draw(step)


CLOCKS: Final[ClockTable] = {Clock.GAME: _time_up}

# --- the draw for a game


def game_draw_places(cards: int) -> list[cards_pb2.Place]:
    """Return the places of a draw for a game, in the order of the deck."""
    kind = cards_pb2.PLACE_KIND_GAME_DRAW
    return [cards_pb2.Place(kind=kind, owner=0, slot=slot) for slot in range(1, cards + 1)]


def _begin_draw(step: StepBuilder) -> None:
    games = step.table.rules.games
    places = game_draw_places(cards_of_game_draw(len(games)))
    first = cards_pb2.DeckIndex(generation=0, index=0)
    dealt = hand_events_pb2.PlacesDealt(places=places, first=first)
    reason = hand_events_pb2.REVEAL_REASON_GAME_DRAW
    ordered = hand_events_pb2.RevealOrdered(reason=reason, places=places)
    step.emit(pb.GameDrawBegan(deck_no=step.table.decks + 1, games=games))
    step.emit(hand_events_pb2.HandEvent(places_dealt=dealt))
    step.emit(hand_events_pb2.HandEvent(reveal_ordered=ordered))


def draw_game(step: StepBuilder, draw: Draw, given: CardsIn) -> Refusal | None:
    """Let the cards of a draw choose the game (MIX-3). Raises LogError."""
    faces = drawn_cards(draw, given, game_draw_places(draw.cards))
    if isinstance(faces, Refusal):
        return faces
    game = game_drawn(step.table.rules.games, faces)
    step.emit(
        pb.GameChosen(
            game=game, method=pb.CHOICE_METHOD_RANDOM, deck_no=draw.deck_no, cards=given.cards
        )
    )
    return None


# --- events


def _game_choice_opened(table: Table, event: pb.GameChoiceOpened) -> None:
    """Note who chooses, and until when; opened again, the time begins again (CLK-5)."""
    mix = table.mix
    _check_open(table, "game_choice_opened")
    if tuple(event.games) != table.rules.games:
        raise LogError("a choice among other games", "game_choice_opened.games")
    if event.seat not in table.seats or mix.seat not in (0, event.seat):
        raise LogError(f"seat {event.seat} has nothing to choose", "game_choice_opened.seat")
    table.mix = mix._replace(seat=event.seat, deadline_ms=event.deadline_ms, button=event.seat)
    table.note_play()


def _game_draw_began(table: Table, event: pb.GameDrawBegan) -> None:
    table.close_show()
    _check_open(table, "game_draw_began")
    if table.hand is not None or event.deck_no != table.decks + 1:
        raise LogError("a draw at the wrong moment, or of the wrong deck", "game_draw_began")
    if tuple(event.games) != table.rules.games:
        raise LogError("a draw among other games", "game_draw_began.games")
    table.decks = event.deck_no
    cards = cards_of_game_draw(len(event.games))
    table.draw = Draw(event.deck_no, (), table.table_seq, cards=cards)
    table.mix = table.mix._replace(seat=0, deadline_ms=0)
    table.note_play()


def _game_chosen(table: Table, event: pb.GameChosen) -> None:
    """Note the next hand's game; a draw for it is over, and the game is the one that was drawn."""
    mix, draw = table.mix, table.draw
    if event.game not in table.rules.games or mix.chosen or table.playing is not None:
        raise LogError(f"{event.game!r} cannot be the next game", "game_chosen.game")
    if event.method == pb.CHOICE_METHOD_RANDOM:
        if draw is None or not draw.cards or event.deck_no != draw.deck_no:
            raise LogError("a game drawn without a draw", "game_chosen.deck_no")
        cards = [from_card(one.card) for one in event.cards]
        if event.game != game_drawn(table.rules.games, cards):
            raise LogError("the cards choose another game", "game_chosen.cards")
        table.close_deck(draw.deck_no)
        table.draw = None
    elif draw is not None or bool(mix.seat) != (event.method == pb.CHOICE_METHOD_CHOICE):
        method = pb.ChoiceMethod.Name(event.method)
        raise LogError(f"a game found by {method} at the wrong moment", "game_chosen.method")
    table.mix = mix._replace(chosen=event.game, seat=0, deadline_ms=0)


def _check_open(table: Table, event: str) -> None:
    busy = table.playing is not None or table.draw is not None
    if not table.rules.games or busy or table.mix.chosen:
        raise LogError("no game is to be found now", event)


EVENTS: Final[EventTable] = {
    "game_choice_opened": _game_choice_opened,
    "game_chosen": _game_chosen,
    "game_draw_began": _game_draw_began,
}

# --- views


def choice_view(table: Table) -> pb.GameChoiceOpened | None:
    """Return the choice that is open, for everybody to see; None for none."""
    mix = table.mix
    if not mix.seat:
        return None
    return pb.GameChoiceOpened(seat=mix.seat, games=table.rules.games, deadline_ms=mix.deadline_ms)


def choice_turn(table: Table, audience: Audience) -> view_pb2.YourTurn | None:
    """Return "your turn" for the player who chooses the next game."""
    choice = choice_view(table)
    if choice is None or (audience.kind, audience.seat) != (VIEW_KIND_PLAYER, choice.seat):
        return None
    if table.seats[choice.seat].player_id != audience.player_id:
        return None
    return view_pb2.YourTurn(
        hand_no=table.hands + 1,
        seat=choice.seat,
        deadline_ms=choice.deadline_ms,
        choices=[view_pb2.CHOICE_KIND_GAME],
        games=choice.games,
    )

"""How the events around the choice of a game change a table's state (MIX)."""

from floor_table.domain.hand_folds import close_deck, close_show
from floor_table.domain.placement_folds import note_play
from floor_table.domain.state import Draw, TableState
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.tablelog import LogError, cards_of_game_draw, from_card, game_drawn


def game_choice_opened(state: TableState, event: pb.GameChoiceOpened) -> None:
    """Note who chooses, and until when; opened again, the time begins anew (CLK-5)."""
    mix = state.mix
    _check_open(state, "game_choice_opened")
    if tuple(event.games) != state.rules.games:
        raise LogError("a choice among other games", "game_choice_opened.games")
    if event.seat not in state.seats or mix.seat not in (0, event.seat):
        raise LogError(f"seat {event.seat} has nothing to choose", "game_choice_opened.seat")
    state.mix = mix._replace(seat=event.seat, deadline_ms=event.deadline_ms, button=event.seat)
    note_play(state)


def game_draw_began(state: TableState, event: pb.GameDrawBegan) -> None:
    """Begin a draw: its deck is being made."""
    close_show(state)
    _check_open(state, "game_draw_began")
    if state.hand is not None or event.deck_no != state.decks + 1:
        raise LogError("a draw at the wrong moment, or of the wrong deck", "game_draw_began")
    if tuple(event.games) != state.rules.games:
        raise LogError("a draw among other games", "game_draw_began.games")
    state.decks = event.deck_no
    cards = cards_of_game_draw(len(event.games))
    state.draw = Draw(event.deck_no, (), state.table_seq, cards=cards)
    state.mix = state.mix._replace(seat=0, deadline_ms=0)
    note_play(state)


def game_chosen(state: TableState, event: pb.GameChosen) -> None:
    """Note the next hand's game; a draw for it is over, and the game is the one that was drawn."""
    mix, draw = state.mix, state.draw
    if event.game not in state.rules.games or mix.chosen or state.playing is not None:
        raise LogError(f"{event.game!r} cannot be the next game", "game_chosen.game")
    if event.method == pb.CHOICE_METHOD_RANDOM:
        if draw is None or not draw.cards or event.deck_no != draw.deck_no:
            raise LogError("a game drawn without a draw", "game_chosen.deck_no")
        cards = [from_card(one.card) for one in event.cards]
        if event.game != game_drawn(state.rules.games, cards):
            raise LogError("the cards choose another game", "game_chosen.cards")
        close_deck(state, draw.deck_no, "")
        state.draw = None
    elif draw is not None or bool(mix.seat) != (event.method == pb.CHOICE_METHOD_CHOICE):
        method = pb.ChoiceMethod.Name(event.method)
        raise LogError(f"a game found by {method} at the wrong moment", "game_chosen.method")
    state.mix = mix._replace(chosen=event.game, seat=0, deadline_ms=0)


def _check_open(state: TableState, event: str) -> None:
    busy = state.playing is not None or state.draw is not None
    if not state.rules.games or busy or state.mix.chosen:
        raise LogError("no game is to be found now", event)

"""Evenings on record at tables of the other betting games; see `evenings_on_record`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from floor_table.domain import Operation
from tests.support.evening import Evening
from tests.support.game_tables import GAME_TABLES
from tests.support.mixed_tables import MIXED_TABLES
from tests.support.regulars import Regulars

_FIFTH: Final = 2


def _table(game: str, seed: int, players: int) -> tuple[Evening, Regulars]:
    """Return a table of a game with p1, p2, ... at it, before its first hand."""
    evening = Evening(GAME_TABLES[game](), seed, table_id=game.replace("_", "-"))
    regulars = Regulars(evening, 9)
    for name in regulars.names[:players]:
        evening.sit(name, buy_in=200)
    return evening, regulars


def _evening(game: str, seed: int, moves: int, players: int = 6) -> Evening:
    """Let players do what comes to their minds."""
    evening, regulars = _table(game, seed, players)
    regulars.evening_of(moves)
    return evening


def _call_down(evening: Evening, *, exchange: bool = False) -> None:
    """Play the hand to its end by checks and calls; exchange all cards or none."""
    while evening.asks_players:
        wait, exchanging = evening.wait(), evening.exchanging()
        if wait is not None:
            evening.act("check" if wait.legal.can_check else "call")
        elif exchanging is not None:
            slots = [place.slot for place in exchanging.places] if exchange else []
            evening.exchange(*slots[: exchanging.max_discards])
        elif evening.facing() is not None:
            evening.face(down=evening.now_ms % 2 == 0)
        else:
            return
        evening.now_ms += 700
        evening.settle(begin=False)


def draw_with_antes() -> Evening:
    """A hand that all check is dealt again; then what comes to the players' minds."""
    evening, regulars = _table("draw5_antes", 31, 4)
    evening.settle()
    for _ in range(4):
        evening.act("check")
    evening.settle(begin=False)
    evening.act("bet", 4)
    evening.settle(begin=False)
    _call_down(evening, exchange=True)
    regulars.evening_of(110)
    return evening


def triple_draw() -> Evening:
    """Six players exchange all they have until the deck runs out, and go on."""
    evening, regulars = _table("draw27_triple", 32, 6)
    evening.settle()
    _call_down(evening, exchange=True)
    regulars.evening_of(110)
    return evening


def stud_hilo() -> Evening:
    """Two of eight give up on fifth street: the last card is shuffled with the burns."""
    evening, regulars = _table("stud7_hilo", 33, 8)
    evening.settle()
    while (hand := evening.betting_state()).street_no < _FIFTH:
        wait = evening.wait()
        assert wait is not None
        evening.act("check" if wait.legal.can_check else "call")
        evening.settle(begin=False)
    while hand.in_hand > 6:
        evening.act("fold")
        hand = evening.betting_state()
    _call_down(evening)
    regulars.evening_of(120)
    return evening


def stud_common_card() -> Evening:
    """Eight players go to seventh street: one card in the middle is everybody's."""
    evening, _ = _table("stud7", 34, 8)
    evening.settle()
    _call_down(evening)
    return evening


def bomb_pots() -> Evening:
    """All agree to a bomb pot, more than once; some change their minds."""
    evening, regulars = _table("bomb_vote", 37, 4)
    for number in range(4):
        evening.settle()
        for name in regulars.names[: 4 - number % 2]:
            evening.vote(name)
        _call_down(evening)
        evening.pass_time(6_000)
    evening.vote(regulars.names[3], agrees=True)
    evening.vote(regulars.names[3], agrees=False)
    regulars.evening_of(60)
    return evening


def mata_ases() -> Evening:
    """Carried pots that grow, are split and won; the table closes with one in the middle."""
    evening, _ = _table("mata_ases", 21, 4)
    for number in range(30):
        evening.settle()
        _call_down(evening)
        split = evening.splitting()
        while split is not None:
            player = evening.table.player_at(split.seats[0])
            evening.answer_split(player, agrees=number % 4 == 2)
            split = evening.splitting()
        if evening.table.carried is not None and number > 7:
            break
    evening.operate(Operation.CLOSE)
    assert evening.table.closed
    return evening


def mixed_games() -> Evening:
    """The button chooses, or says nothing; leaving and closing wait for it; a void hand."""
    evening = Evening(MIXED_TABLES["mixed_choice"](), 41, table_id="mixed")
    regulars = Regulars(evening, 7)
    for name in regulars.names[:4]:
        evening.sit(name, buy_in=200)
    evening.settle()
    evening.choose_game("omaha6")
    evening.settle()
    evening.operate(Operation.VOID, reason="fouled deck", hand_no=1)
    evening.settle()
    _call_down(evening)
    evening.settle()
    evening.take_over("two")
    evening.leave(regulars.names[3])
    evening.pass_time(7_001)
    evening.settle()
    _call_down(evening)
    regulars.evening_of(90)
    return evening


def _mixed(name: str, seed: int, moves: int) -> Evening:
    """Let players do what comes to their minds at a table of several games."""
    evening = Evening(MIXED_TABLES[name](), seed, table_id=name.replace("_", "-"))
    regulars = Regulars(evening, 7)
    for player in regulars.names[:4]:
        evening.sit(player, buy_in=200)
    regulars.evening_of(moves)
    return evening


GAME_EVENINGS: Final[Mapping[str, Callable[[], Evening]]] = {
    "draw-with-antes-1": draw_with_antes,
    "triple-draw-1": triple_draw,
    "stud-hilo-1": stud_hilo,
    "stud-common-card-1": stud_common_card,
    "swap-two-boards-1": lambda: _evening("swap_holdem_river_double", 34, 120),
    "short-deck-1": lambda: _evening("short_deck", 35, 120),
    "plo5-hilo-two-boards-1": lambda: _evening("omaha5_hilo_double", 36, 100),
    "bomb-pots-1": bomb_pots,
    "pineapple-1": lambda: _evening("pineapple", 38, 60),
    "mata-ases-1": mata_ases,
    "mixed-choice-1": mixed_games,
    "mixed-random-1": lambda: _mixed("mixed_random", 42, 120),
    "mixed-hands-1": lambda: _mixed("mixed_hands", 43, 120),
    "mixed-circle-1": lambda: _mixed("mixed_circle", 44, 120),
}

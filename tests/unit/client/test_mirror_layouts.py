"""The mirror of OFC and Scoop: layouts, several turns, Fantasyland's gap in the deck, readiness."""

import random

import pytest

from floor_table.domain import Table, snapshot, step_view
from floor_table.runtime.view_ring import asked_seats
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER, VIEW_KIND_SPECTATOR
from pokerfloor.client import ProofFailed, TableMirror
from pokerfloor.client.mirror_deck import DeckMirror
from tests.support.audience import audience_of
from tests.support.points_evening import (
    NOTHING,
    QUEENS_AS_WELL,
    QUEENS_ON_TOP,
    PointsEvening,
    at_random,
    planted_decks,
    points_settings,
)


class Mirrors:
    """Everybody's mirror of one table, compared with a snapshot after each step."""

    def __init__(self) -> None:
        self.by_player: dict[str, TableMirror] = {}

    def __call__(self, step: Step, before: Table, after: Table) -> None:
        for player in ("a", "b", "c", ""):
            kind = VIEW_KIND_PLAYER if player else VIEW_KIND_SPECTATOR
            seen = audience_of(kind, player, after, before)
            if player not in self.by_player:
                mirror = TableMirror("t1", player)
                mirror.take_snapshot(snapshot(after, audience_of(kind, player, after)))
                self.by_player[player] = mirror
                continue
            mirror = self.by_player[player]
            # As the service shows it: "your turn" comes with the step that asks, and no later one.
            asked = asked_seats(step)
            mirror.take_step(step_view(step, after if seen.seat in asked else None, seen))
            fresh = TableMirror("t1", player)
            fresh.take_snapshot(snapshot(after, audience_of(kind, player, after)))
            _same(mirror, fresh)


def _same(mirror: TableMirror, fresh: TableMirror) -> None:
    assert mirror.view_no == fresh.view_no
    assert {n: s.stack for n, s in mirror.seats.items()} == {
        n: s.stack for n, s in fresh.seats.items()
    }
    assert mirror.readiness == fresh.readiness
    assert (mirror.match_no, mirror.button) == (fresh.match_no, fresh.button)
    assert mirror.your_turn == fresh.your_turn
    assert (mirror.hand is None) == (fresh.hand is None)
    if mirror.hand is None or fresh.hand is None:
        return
    one, other = mirror.hand, fresh.hand
    assert one.turns == other.turns
    assert one.fantasyland == other.fantasyland
    assert one.faces == other.faces
    for seat, known in one.seats.items():
        told = other.seats[seat]
        assert (known.laid, known.tentative, known.streets) == (
            told.laid,
            told.tentative,
            told.streets,
        )
        assert sorted(known.places) == sorted(told.places)
    assert mirror.deck is not None
    assert fresh.deck is not None
    assert mirror.deck.positions == fresh.deck.positions


@pytest.mark.rule("OFC-3", "OFC-32")
@pytest.mark.parametrize("game", ["ofc", "scoop"])
def test_what_is_folded_is_what_a_snapshot_shows(game: str) -> None:
    settings = points_settings(game, seats=3, ready=True)
    planted = {2: ((1, 2, 3), {1: QUEENS_ON_TOP, 2: NOTHING})} if game == "ofc" else {}
    mirrors = Mirrors()
    evening = PointsEvening(settings, deck_of=planted_decks(settings, planted), watch=mirrors)
    for player in "abc":
        evening.sit(player)
    mirrors.by_player.clear()
    for player in "abc":
        evening.ready(player)
    evening.play_hand()
    dice = random.Random(5)
    for _ in range(3):
        evening.settle()
        if game == "ofc" and evening.turns()[0].up:
            turn = evening.turns()[0]
            evening.move(turn.places[0].slot, turn.room[0].row)
        evening.play_hand(lambda turn: at_random(turn, dice))
    owner = mirrors.by_player["a"].last_hand
    assert owner is not None
    assert sum(owner.nets.values()) == 0
    assert all(winner.amount > 0 for winner in owner.winners)


@pytest.mark.rule("OFC-32")
def test_two_of_three_in_fantasyland_leave_a_gap_that_their_neighbour_fills() -> None:
    settings = points_settings(seats=3)
    planted = {2: ((1, 2, 3), {1: QUEENS_ON_TOP, 2: QUEENS_AS_WELL})}
    mirrors = Mirrors()
    evening = PointsEvening(settings, deck_of=planted_decks(settings, planted), watch=mirrors)
    for player in "abc":
        evening.sit(player)
    mirrors.by_player.clear()
    evening.play_hand()
    evening.settle()
    assert [seat for seat, _ in evening.hand().setup.fantasyland] == [1, 2]
    indices = {position.index for position in evening.hand().state.cards.places.values()}
    assert indices == {*range(5), *range(17, 45)}, "5 for the one without, kept ones, 14 and 14"
    evening.play_hand()


def _deck(*, reserves: bool) -> DeckMirror:
    deck = DeckMirror("t", 1, 1, reserves=reserves)
    for slot in range(1, 6):
        deck.deal((1, 1, slot), (0, slot - 1))
    return deck


@pytest.mark.rule("OFC-32")
def test_a_gap_is_kept_for_the_seat_before_it_and_nobody_else() -> None:
    deck = _deck(reserves=True)
    for slot in range(1, 15):
        deck.deal((1, 2, slot), (0, 16 + slot))
    deck.deal((1, 3, 1), (0, 31))
    deck.deal((1, 1, 6), (0, 5))
    deck.deal((1, 1, 6), (0, 5))
    deck.deal((1, 1, 7), (0, 6))
    for place, position in (
        ((1, 1, 8), (0, 8)),  # out of order
        ((1, 2, 15), (0, 7)),  # another seat's
        ((2, 0, 1), (0, 7)),  # no own card
        ((1, 1, 6), (0, 7)),  # dealt before
        ((1, 1, 8), (0, 5)),  # a position used before
        ((1, 3, 2), (0, 40)),  # a second gap
    ):
        copy = _copy(deck)
        with pytest.raises(ProofFailed):
            copy.deal(place, position)


def _copy(deck: DeckMirror) -> DeckMirror:
    copy = DeckMirror("t", 1, 1, reserves=deck.reserves)
    for place, position in sorted(deck.positions.items(), key=lambda item: item[1]):
        copy.deal(place, position)
    return copy


@pytest.mark.rule("OFC-32")
def test_without_fantasyland_no_gap_is_left() -> None:
    deck = _deck(reserves=False)
    with pytest.raises(ProofFailed, match="dealt from index 17 where 5 is next"):
        deck.deal((1, 2, 1), (0, 17))


@pytest.mark.rule("OFC-32")
def test_a_gap_begins_after_own_cards_of_another_seat() -> None:
    deck = _deck(reserves=True)
    with pytest.raises(ProofFailed):
        deck.deal((1, 1, 6), (0, 17))
    empty = DeckMirror("t", 1, 1, reserves=True)
    with pytest.raises(ProofFailed):
        empty.deal((1, 2, 1), (0, 17))

"""The mirror at a table of several games: whose choice it is, and a draw that is checked."""

from __future__ import annotations

import pytest

from floor_table.domain import Table, step_view
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER, StepView
from pokerfloor.client import ProofFailed, TableMirror
from tests.support.audience import audience_of
from tests.support.evening import Evening
from tests.support.mixed_tables import CHOICE, RANDOM, mixed_table


class Followed:
    """An evening whose views one player's mirror takes in; `forge` may change one before."""

    def __init__(self, evening_settings: object, player: str) -> None:
        self.views: list[StepView] = []
        self.mirror = TableMirror("t1", player)
        self.evening = Evening(evening_settings, watch=self._watch)  # type: ignore[arg-type]  # settings

    def _watch(self, step: Step, before: Table, after: Table) -> None:
        audience = audience_of(VIEW_KIND_PLAYER, self.mirror.player_id, before, after)
        self.views.append(step_view(step, after, audience))

    def take(self) -> None:
        for view in self.views:
            self.mirror.take_step(view)
        self.views.clear()


def followed(mode: int, player: str = "p1") -> Followed:
    settings = mixed_table(mode, "holdem", "omaha4")  # type: ignore[arg-type]  # a mode
    found = Followed(settings, player)
    for number in (1, 2):
        found.evening.sit(f"p{number}", number)
    found.evening.settle()
    return found


@pytest.mark.rule("MIX-3")
def test_whose_choice_it_is() -> None:
    for player in ("p1", "p2"):
        one = followed(CHOICE, player)
        one.take()
        chooser = one.evening.table.player_at(one.evening.table.mix.seat)
        choice = one.mirror.game_choice
        assert choice is not None
        assert choice.games == ("holdem", "omaha4")
        assert one.mirror.asks_game == (player == chooser)
        assert one.mirror.your_turn is None, "a turn belongs to a hand"
        assert one.mirror.button == choice.seat
        one.evening.choose_game("omaha4")
        one.take()
        assert (one.mirror.game_choice, one.mirror.next_game) == (None, "omaha4")
        assert not one.mirror.asks_game


@pytest.mark.rule("MIX-3")
@pytest.mark.parametrize("forged", [False, True])
def test_a_game_that_the_cards_do_not_choose_is_a_failed_proof(forged: bool) -> None:
    one = followed(RANDOM)
    for view in one.views:
        for event in view.events:
            if forged and event.HasField("game_chosen"):
                other = {"holdem": "omaha4", "omaha4": "holdem"}
                event.game_chosen.game = other[event.game_chosen.game]
    if forged:
        with pytest.raises(ProofFailed, match="another game"):
            one.take()
    else:
        one.take()
        assert one.mirror.next_game in ("holdem", "omaha4")
        assert one.mirror.hand is not None

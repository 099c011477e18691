"""Answers to whatever a hand asks, by a script that sees no card."""

from __future__ import annotations

import random
from typing import Any, Final

from floor_table.domain import Table
from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as events
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.games import WaitAction, WaitDiscard, WaitFacing, WaitSplit
from pokerfloor.games.placement import PlacementTurn, SlotRow, WaitPlacements
from pokerfloor.tablelog import write_placements
from tests.support.points_evening import at_random, in_order

_ASKED: Final = (WaitAction, WaitDiscard, WaitFacing, WaitSplit, WaitPlacements)


def asked(table: Table) -> bool:
    """Whether the hand in play waits for what a player says."""
    hand = table.playing
    return hand is not None and isinstance(hand.waits_for(), _ASKED)


class Blind:
    """Draws every answer by a generator from what is asked, which is the same for all cards.

    `letters` are what betting turns are drawn from: f fold, c check or call, r bet or raise the
    least, a all-in. With `in_order` cards are filled in the order they came.
    """

    def __init__(
        self, dice: random.Random, letters: str = "cccccccr", *, set_in_order: bool = False
    ) -> None:
        self._dice = dice
        self._letters = letters
        self._lay_in_order = set_in_order
        self._answered: set[tuple[int, int]] = set()
        self._swapped: set[tuple[int, int]] = set()

    def answer(self, table: Table) -> tuple[int, dict[str, Any]]:
        """Return a seat that is asked, and its command."""
        hand = table.playing
        assert hand is not None
        wait, hand_no = hand.waits_for(), table.hand_no
        match wait:
            case WaitAction():
                return wait.seat, self._action(wait, hand_no)
            case WaitDiscard():
                count = self._dice.randint(wait.min_discards, wait.max_discards)
                slots = self._dice.sample([place.slot for place in wait.places], count)
                discard = table_pb2.DiscardCommand(
                    hand_no=hand_no, turn_no=wait.turn_no, slots=slots
                )
                return wait.seat, {"discard": discard}
            case WaitFacing():
                facing = table_pb2.ChooseFacingCommand(
                    hand_no=hand_no, turn_no=wait.turn_no, face_down=self._dice.random() < 0.5
                )
                return wait.seat, {"choose_facing": facing}
            case WaitSplit():
                seat = next(one for one in wait.seats if (hand_no, one) not in self._answered)
                self._answered.add((hand_no, seat))
                split = table_pb2.AnswerSplitCommand(hand_no=hand_no, agrees=True)
                return seat, {"answer_split": split}
            case WaitPlacements():
                turn = self._dice.choice(wait.turns)
                return turn.seat, self._placement(turn, hand_no)
            case _:
                raise AssertionError(f"nobody is asked: {wait}")

    def _action(self, wait: WaitAction, hand_no: int) -> dict[str, Any]:
        legal, turn_no = wait.legal, wait.turn_no
        if legal.swap_slots and (hand_no, turn_no) not in self._swapped:
            self._swapped.add((hand_no, turn_no))
            if self._dice.random() < 0.6:
                slots = [self._dice.choice(legal.swap_slots)]
                return {
                    "swap": table_pb2.SwapCommand(hand_no=hand_no, turn_no=turn_no, slots=slots)
                }
        act = table_pb2.ActCommand(hand_no=hand_no, turn_no=turn_no)
        letter = self._dice.choice(self._letters)
        if letter == "f" and not legal.can_check:
            act.kind = events.ACTION_KIND_FOLD
        elif letter == "a" and legal.all_in_as is not None:
            act.kind = events.ACTION_KIND_ALL_IN
        elif letter == "r" and legal.bet_min:
            act.kind = events.ACTION_KIND_BET
            act.to.CopyFrom(money_pb2.Amount(minor=legal.bet_min))
        elif letter == "r" and legal.raise_min:
            act.kind = events.ACTION_KIND_RAISE
            act.to.CopyFrom(money_pb2.Amount(minor=legal.raise_min))
        else:
            act.kind = events.ACTION_KIND_CHECK if legal.can_check else events.ACTION_KIND_CALL
        return {"act": act}

    def _placement(self, turn: PlacementTurn, hand_no: int) -> dict[str, Any]:
        moves = turn.up and len(turn.tentative) < 3 and not self._lay_in_order
        if moves and self._dice.random() < 0.3:
            move = table_pb2.MovePlacementCommand(
                hand_no=hand_no, turn_no=turn.turn_no, placement=_moved(turn, self._dice)
            )
            return {"move_placement": move}
        rows = in_order(turn) if self._lay_in_order else at_random(turn, self._dice)
        confirm = table_pb2.ConfirmPlacementCommand(
            hand_no=hand_no, turn_no=turn.turn_no, placements=write_placements(rows)
        )
        return {"confirm_placement": confirm}


def _moved(turn: PlacementTurn, dice: random.Random) -> events.SlotPlacement:
    """Return a card of the turn and where it goes: to a row with room, or back."""
    slot = dice.choice([place.slot for place in turn.places])
    if any(lies.slot == slot for lies in turn.tentative):
        return events.SlotPlacement(slot=slot)
    taken = [lies.row for lies in turn.tentative]
    rows = [row for row, cards in turn.room if cards > taken.count(row)]
    return write_placements([SlotRow(slot, dice.choice(rows))])[0]

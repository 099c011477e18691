"""The next hand: when it can begin, who plays it and posts what; bomb pots (TBL-6, TBL-13, BMB)."""

from collections.abc import Sequence
from typing import Final

from floor_table.domain.button import (
    Candidate,
    Plan,
    begin_button_draw,
    plan_hand,
    plan_without_blinds,
)
from floor_table.domain.carried_pot import joining, next_hand_at
from floor_table.domain.inputs import BeginHandIn, CommandIn
from floor_table.domain.matches import begin_match, fantasyland_owed, next_players
from floor_table.domain.mixed import find_game, next_settings
from floor_table.domain.refusal import not_allowed, wrong_state
from floor_table.domain.settings.game import bomb_game
from floor_table.domain.settings.rules import TableRules, table_rules
from floor_table.domain.step import CommandTable, EventTable, InputTable, StepBuilder
from floor_table.domain.table import Table
from floor_table.domain.validate import seated
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.games import ForcedBet, ForcedKind
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import FORCED_CODE, Posting, to_amount


def can_begin(table: Table) -> bool:
    """Tell whether a hand, or the draw for one, can begin, but for the time between hands."""
    if not table.exists or table.unsettled or table.busy:
        return False
    if table.matches.match is not None:  # it is played to its end, though the table closes (OFC-6)
        return table.closing or not table.paused
    if table.closing or table.paused or not table.all_ready:
        return False
    return len(next_players(table)) >= 2


def begin_hand(step: StepBuilder, _given: BeginHandIn) -> Refusal | None:
    """Begin the next hand, or draw for the first button (TBL-6, TBL-10)."""
    table = step.table
    if not can_begin(table):
        return wrong_state("no hand can begin now")
    if step.now_ms < next_hand_at(table):
        return wrong_state(f"the next hand begins at {next_hand_at(table)}")
    ready = next_players(table)
    candidates = [Candidate(one.seat, one.player_id, one.entering, one.post) for one in ready]
    if table.rules.posting is Posting.BLINDS:
        plan = plan_hand(candidates, table.last)
    else:
        plan = plan_without_blinds(candidates, table.last)
    if plan is None:
        begin_button_draw(step, [seat.seat for seat in ready])
    elif find_game(step, plan.button):
        begin_match(step)
        step.emit(_hand_began(table, plan))
    return None


INPUTS: Final[InputTable] = {BeginHandIn: begin_hand}


def _hand_began(table: Table, plan: Plan) -> pb.HandBegan:
    settings = next_settings(table)
    rules = table_rules(settings)
    kind = rules.kind
    posted = rules.posting is Posting.BLINDS
    if plan.big and not posted:  # where other games of the mix have blinds
        plan = plan._replace(dealt=tuple([seat.seat for seat in next_players(table)]), posts=())
    seats = [table.seats[number] for number in plan.dealt]
    bomb = _is_bomb_pot(table, rules, plan.button, plan.dealt)
    if bomb:
        posted, forced = False, _bomb_pot_bets(rules, plan.from_button())
    else:
        forced = _forced_bets(table, rules, plan)
    carried = joining(table, plan.dealt)
    return pb.HandBegan(
        hand_no=table.hands + 1,
        deck_no=table.decks + 1,
        game=bomb_game(settings) if bomb else settings.game,
        rake=settings.rake,
        seats=[
            pb.HandSeat(seat=one.seat, player_id=one.player_id, stack=to_amount(one.stack, kind))
            for one in seats
        ],
        button=plan.button,
        forced_bets=[
            pb.ForcedBet(seat=seat, kind=FORCED_CODE[bet], amount=to_amount(amount, kind))
            for seat, bet, amount in forced
        ],
        always_show=[one.seat for one in seats if one.always_show],
        bomb_pot=bomb,
        small_blind_seat=0 if posted else plan.small,
        big_blind_seat=0 if posted else plan.big,
        carried=to_amount(carried.amount, kind) if carried else None,
        carried_seats=carried.seats if carried else (),
        match_no=table.matches.match.match_no if table.matches.match else 0,
        fantasyland=fantasyland_owed(table),
    )


def _forced_bets(table: Table, rules: TableRules, plan: Plan) -> list[ForcedBet]:
    """Return who posts what: antes, blinds, then posts from the left of the big blind (TBL-13).

    `rules` are those of the game that the hand is.
    """
    bets: list[ForcedBet] = []
    if rules.ante_kind is ForcedKind.ANTE:
        order = plan.from_button()
        bets += [ForcedBet(seat, ForcedKind.ANTE, rules.ante) for seat in order]
    if rules.posting is Posting.BUTTON_BLIND:
        bets.append(ForcedBet(plan.button, ForcedKind.BIG_BLIND, rules.big_blind))
    if rules.posting is Posting.BLINDS:
        bets += _blinds(table, rules, plan)
    return bets


def _blinds(table: Table, rules: TableRules, plan: Plan) -> list[ForcedBet]:
    bets: list[ForcedBet] = []
    if rules.ante_kind is ForcedKind.ANTE_FOR_ALL:
        bets.append(ForcedBet(plan.big, ForcedKind.ANTE_FOR_ALL, rules.ante))
    if rules.small_blind:
        bets.append(ForcedBet(plan.small, ForcedKind.SMALL_BLIND, rules.small_blind))
    bets.append(ForcedBet(plan.big, ForcedKind.BIG_BLIND, rules.big_blind))
    for seat in plan.posts:
        bets.append(ForcedBet(seat, ForcedKind.POST, rules.big_blind))
        if rules.dead_small and rules.small_blind and table.seats[seat].small_missed:
            bets.append(ForcedBet(seat, ForcedKind.DEAD_SMALL, rules.small_blind))
    return bets


# --- bomb pots (BMB-1, BMB-2)


def _bomb_pot_bets(rules: TableRules, seats: Sequence[int]) -> list[ForcedBet]:
    """Return what everybody dealt in posts (BMB-1); who enters posts no more than that."""
    return [ForcedBet(seat, ForcedKind.BOMB, rules.bomb_amount) for seat in seats]


def _is_bomb_pot(table: Table, rules: TableRules, button: int, dealt: Sequence[int]) -> bool:
    """Tell whether the next hand is a bomb pot; `dealt` are its seats.

    A circle is over when the button comes round past the lowest seat again.
    """
    match rules.bomb_mode:
        case settings_pb2.BOMB_POT_MODE_EVERY_HAND:
            return True
        case settings_pb2.BOMB_POT_MODE_EVERY_N_HANDS:
            return (table.hands + 1) % rules.bomb_every == 0
        case settings_pb2.BOMB_POT_MODE_ONCE_A_CIRCLE:
            return not table.last.drawn and button <= table.last.button
        case settings_pb2.BOMB_POT_MODE_WHEN_ALL_AGREE:
            return set(table.bomb_votes).issuperset(dealt)
        case _:
            return False


def vote_bomb_pot(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Agree to a bomb pot, or no longer. A vote stands until one is played or the seat is left."""
    table, agrees = step.table, given.command.vote_bomb_pot.agrees
    seat = seated(table, given.sender)
    if isinstance(seat, Refusal):
        return seat
    if table.rules.bomb_mode != settings_pb2.BOMB_POT_MODE_WHEN_ALL_AGREE:
        return not_allowed("nobody votes for bomb pots at this table")
    if agrees == (seat.seat in table.bomb_votes):
        return wrong_state("you have said so already")
    step.emit(pb.BombPotVoted(seat=seat.seat, agrees=agrees))
    return None


COMMANDS: Final[CommandTable] = {"vote_bomb_pot": vote_bomb_pot}


def _bomb_pot_voted(table: Table, event: pb.BombPotVoted) -> None:
    votes = {*table.bomb_votes, table.seat_at(event.seat).seat}
    if not event.agrees:
        votes.remove(event.seat)
    table.bomb_votes = tuple(sorted(votes))


EVENTS: Final[EventTable] = {"bomb_pot_voted": _bomb_pot_voted}

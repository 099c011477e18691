"""Apply the events of the showdown and of the end of a hand."""

from typing import Final

from pokerfloor.games.events import (
    HandEnded,
    HandMucked,
    HandShown,
    HandVoided,
    PotAwarded,
    PotCarried,
    RakeTaken,
    SeatResult,
    ShowdownBegan,
    SplitAnswered,
    SplitProposed,
)
from pokerfloor.games.state import NOBODY, Appliers, HandState


def _showdown_began(state: HandState, event: ShowdownBegan) -> None:
    assert event.pots == state.pots, "a showdown for other pots"
    state.showdown_order = event.order


def _hand_shown(state: HandState, event: HandShown) -> None:
    state.cards.learn(event.cards)
    state.shown += (event,)


def _hand_mucked(state: HandState, event: HandMucked) -> None:
    state.mucked += (event,)


def _split_proposed(state: HandState, event: SplitProposed) -> None:
    assert not state.split, "a split proposed twice"
    assert event.seats == state.showdown_order, "the seats asked are not those of the showdown"
    state.split = tuple([(seat, None) for seat in event.seats])


def _split_answered(state: HandState, event: SplitAnswered) -> None:
    assert (event.seat, None) in state.split, "no answer is pending from this seat"
    state.split = tuple(
        [(seat, event.agrees if seat == event.seat else said) for seat, said in state.split]
    )


def _rake_taken(state: HandState, event: RakeTaken) -> None:
    assert state.rake is None, "rake taken twice"
    assert sum(event.by_pot) == event.total, "the rake of the pots does not add up"
    assert sum([share for _, share in event.by_seat]) == event.total, (
        "the rake shares do not add up"
    )
    state.pot_total -= event.total
    state.rake = event
    state.raked = event.total


def _pot_awarded(state: HandState, event: PotAwarded) -> None:
    assert event.amount > 0, "an award of 0"
    state.pot_total -= event.amount
    state.stacks[state.index_of[event.seat]] += event.amount
    assert state.pot_total >= 0, "more awarded than there was"
    state.awards += (event,)


def _pot_carried(state: HandState, event: PotCarried) -> None:
    pot = state.pots[event.pot_no]
    assert event.amount == pot.amount, "a pot carried only in part"
    assert event.pot_no not in [other.pot_no for other in state.carried], "a pot carried twice"
    state.pot_total -= event.amount
    state.brought -= event.amount
    state.carried += (event,)


def _hand_ended(state: HandState, event: HandEnded) -> None:
    assert state.pot_total == 0, f"{state.pot_total} left in the pot"
    assert not any(state.bets), "bets left in front"
    assert [result.end for result in event.seats] == state.stacks, (
        "the results differ from the stacks"
    )
    assert event.carried_in == state.carried_in, "carried_in differs from the carried pot"
    carried_out = sum([pot.amount for pot in state.carried])
    assert event.carried_out == carried_out, "carried_out differs from the carried pots"
    nets = sum([result.net for result in event.seats])
    assert nets + event.rake + carried_out == state.carried_in, "the nets do not add up"
    state.results = event.seats
    state.ended = True


def _hand_voided(state: HandState, event: HandVoided) -> None:
    state.stacks = list(state.starts)
    state.bets = [0] * len(state.stacks)
    state.pot_total = 0
    state.rake = None
    state.raked = 0
    state.turn = NOBODY
    state.to_choose = ()
    state.split = ()
    state.carried = ()
    state.carried_in = state.setup.carried.amount
    state.brought = sum(state.starts)
    state.cards.pending = ()
    state.results = tuple(
        [SeatResult(seat, stack, stack, 0, 0) for seat, stack in state.setup.seats]
    )
    state.ended = True
    state.voided = event.reason


ENDING_APPLIERS: Final[Appliers] = {
    ShowdownBegan: _showdown_began,
    HandShown: _hand_shown,
    HandMucked: _hand_mucked,
    SplitProposed: _split_proposed,
    SplitAnswered: _split_answered,
    RakeTaken: _rake_taken,
    PotAwarded: _pot_awarded,
    PotCarried: _pot_carried,
    HandEnded: _hand_ended,
    HandVoided: _hand_voided,
}

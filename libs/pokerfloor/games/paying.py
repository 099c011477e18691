"""What follows once the winners are known: rake, awards, carried pots, the end."""

from pokerfloor.games.apply import apply
from pokerfloor.games.carrying import Winners, pot_winners, settle
from pokerfloor.games.ending import final_rake, hand_ended, raking_of
from pokerfloor.games.events import PotAwarded, PotCarried, RakeTaken
from pokerfloor.games.rows import Half
from pokerfloor.games.showdown import Pot
from pokerfloor.games.state import HandState


def pay_uncontested(state: HandState) -> None:
    """Pay the last seat in, without a showdown (POT-3), the last side pot first (POT-4)."""
    rake = final_rake(state)
    pots = state.pots
    if rake.total:
        apply(state, RakeTaken(*rake))
    for pot in reversed(pots):
        amount = pot.amount - rake.by_pot[pot.no]
        if amount:
            apply(state, PotAwarded(pot.no, 0, Half.WHOLE, pot.eligible[0], amount))
    apply(state, hand_ended(state))


def shown_winners(state: HandState) -> Winners:
    """Return the winners of each pot by the shown hands, in a game with a qualifier."""
    strengths = {hand.seat: hand.ranks[0].strength for hand in state.shown}
    return pot_winners(state.setup.game, state.pots, strengths)


def after_answer(state: HandState) -> None:
    """Continue once the split is decided: at the first no, or when all have agreed (MAT-6)."""
    answers = [agrees for _, agrees in state.split]
    if False in answers:
        _pay_or_carry(state, shown_winners(state))
    elif None not in answers:
        decided = zip(state.pots, shown_winners(state), strict=True)
        _pay_or_carry(state, tuple([seats or pot.eligible for pot, seats in decided]))


def _pay_or_carry(state: HandState, winners: Winners) -> None:
    order = [state.seats[p] for p in state.from_button if not state.folded[p]]
    rake, awards = settle(state.setup.game, state.pots, winners, raking_of(state), order)
    if rake.total:
        apply(state, RakeTaken(*rake))
    for award in awards:
        apply(state, PotAwarded(*award))
    for pot in reversed(state.pots):
        if not winners[pot.no]:
            apply(state, PotCarried(pot.no, pot.amount, _claimants(state, pot)))
    apply(state, hand_ended(state))


def _claimants(state: HandState, pot: Pot) -> tuple[int, ...]:
    """Return who can win a carried pot if only the same players have a claim (MAT-7).

    All seats dealt in; but a pot that only the claimants of an earlier one could win stays theirs.
    """
    before = state.setup.carried.seats
    return before if before and set(pot.eligible) <= set(before) else state.seats

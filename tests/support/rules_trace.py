"""Every game at random, once: what the rules say of it, digested, a line for a game and structure.

Two forms of the same rules print the same lines: `python -m tests.support.rules_trace`. Taken in
are the events, the state's digest after each of them, what the hand waits for, and the refusal of
each bad input in its words. The first line says which form it was.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random

from pokerfloor.games import COMPILED, Hand
from tests.property.test_every_game import NAMES, TABLES
from tests.support.bad_inputs import bad_inputs
from tests.support.watched_hand import WatchedHand
from tests.support.wild_setups import wild_setup


def trace(name: str) -> str:
    """Play the hand that the name stands for, and digest all that the rules say."""
    rng = Random(name)
    setup = wild_setup(rng, *TABLES[NAMES.index(name)], rng.choice([2, 10, None]))
    played = WatchedHand(setup, rng).play()
    hand, said = Hand(setup), sha256()
    for number, event in enumerate(played.events, start=1):
        hand.apply(event)
        said.update(repr(event).encode() + hand.digest())
        if number in played.ends:
            said.update(repr(hand.waits_for()).encode())
            if rng.random() < 0.2:
                refused = [hand.validate(given) for given, _ in bad_inputs(hand, rng)]
                said.update(repr(refused).encode())
    return said.hexdigest()


if __name__ == "__main__":
    print("compiled" if COMPILED else "plain")
    for one in NAMES:
        print(one, trace(one))

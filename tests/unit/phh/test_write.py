"""What is written of a hand, where the format has an order of its own."""

import re

from pokerfloor.games import GAMES, Structure
from pokerfloor.phh import Document, Heading, Outcome, read_documents, replay, write_hand
from tests.support.games.scenario import Scenario, table


def test_all_discards_of_a_street_stand_before_the_cards_that_come_for_them() -> None:
    row = GAMES["draw27_triple"]
    setup = table(4, 4, 100, game=row, structure=Structure.FIXED_LIMIT, big_bet_minor=4)
    hand = Scenario(setup).play("r4 c c x12 x x3 x x1 x x4 x3 x")
    text = write_hand(setup, hand.events, Heading(decimals=0, players={}))
    told = re.findall(r'"(p\d sd|d dh p\d)', text)
    assert told == [
        *("d dh p1", "d dh p2", "d dh p3"),
        *("p1 sd", "p2 sd", "p3 sd", "d dh p1", "d dh p3"),
        *("p1 sd", "p2 sd", "p3 sd", "d dh p2"),
        *("p1 sd", "p2 sd", "p3 sd", "d dh p1", "d dh p2"),
    ]
    [(_, document)] = read_documents(text, "a hand")
    assert isinstance(document, Document)
    assert replay(document).outcome is Outcome.AGREES

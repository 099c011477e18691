"""What the rules decide about a deck, without a broker, a disk or a generator."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from floor_shuffler.domain import dealing, lifecycle, revealing
from floor_shuffler.domain.deck import COMMITTED, SETTLED, VOID, Deck
from floor_shuffler.domain.following import follow
from floor_shuffler.domain.refs import Cause, Place
from floor_shuffler.domain.steps import DeckHistory, StoredStep
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.common.v1.identity_pb2 import (
    ROLE_SERVICE_SCORING,
    ROLE_SERVICE_SHOWDOWN,
    ROLE_SERVICE_TABLE,
)
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.fairness import DeckId
from pokerfloor.refusal import Refusal
from tests.support.shuffler import made_steps as made
from tests.unit.shuffler.test_deck import new_deck

KEYS = {1: [b"a" * 32], 2: [b"b" * 32, b"B" * 32], 3: []}
TABLE = revealing.Asker("service:table", frozenset([ROLE_SERVICE_TABLE]))


def stored(table_seq: int, *events: made.Event, sender: str = "", hand_no: int = 1) -> StoredStep:
    step = made.step("t", table_seq, events, hand_no=hand_no, sender=sender)
    return StoredStep(step, Cause(table_seq, 10 * table_seq))


def committed() -> Deck:
    return replace(new_deck(), state=COMMITTED, committed_generations=1)


DEAL = stored(2, made.dealt(made.hole_cards(1, 2, 3), 0))


def test_a_first_delivery_and_one_again() -> None:
    first = dealing.deliver(committed(), [DEAL], DEAL.step, KEYS)
    assert [event.WhichOneof("event") for event in first.events] == ["cards_dealt"]
    assert first.answer == {seat: [made.own(seat, 1), made.own(seat, 2)] for seat in (1, 2, 3)}
    assert first.deck.read_to == DEAL.cause.stream_seq
    again = dealing.deliver(first.deck, [DEAL], DEAL.step, KEYS)
    assert again.deck == first.deck
    assert again.answer == first.answer
    resealed = [event.cards_resealed for event in again.events]
    assert [(event.seat, len(event.key_fingerprints)) for event in resealed] == [(1, 1), (2, 2)]


def test_a_card_of_the_board_is_delivered_to_nobody() -> None:
    """Nor does a board's number pass for a seat's."""
    dealt = follow(committed(), [DEAL]).deck
    second_board = Place(made.BOARD, 1, 1)
    flop = stored(3, made.dealt([made.burn(1), second_board], 6))
    decision = dealing.deliver(dealt, [flop], flop.step, KEYS)
    assert decision.answer == {}
    assert [event.WhichOneof("event") for event in decision.events] == ["cards_dealt"]


def test_what_was_dealt_before_a_refused_step_stands() -> None:
    swapped = stored(3, made.dealt(made.hole_cards(2, 1, 3), 0))
    decision = dealing.deliver(committed(), [DEAL, swapped], swapped.step, KEYS)
    assert isinstance(decision.answer, Refusal)
    assert decision.answer.code == codes.ERROR_CODE_NOT_JUSTIFIED
    assert [event.cards_dealt.cause.table_seq for event in decision.events] == [2]
    assert decision.deck == follow(committed(), [DEAL]).deck


def test_nothing_is_delivered_of_a_generation_without_a_public_root() -> None:
    deck = replace(committed(), committed_generations=0)
    decision = dealing.deliver(deck, [DEAL], DEAL.step, KEYS)
    assert isinstance(decision.answer, Refusal)
    assert decision.answer.code == codes.ERROR_CODE_WRONG_DECK_STATE


def test_a_delivery_again_leaves_public_cards_out() -> None:
    up = [made.own(1, 2)]
    shown = stored(3, made.due(hand_pb2.REVEAL_REASON_UP_CARD, up))
    reasons = revealing.justify(new_deck(), shown.step, up, TABLE)
    assert not isinstance(reasons, Refusal)
    deck = revealing.reveal(committed(), [DEAL, shown], shown.cause, reasons, TABLE).deck
    assert dealing.deliver_again(deck, [], 1, KEYS).answer == {1: [made.own(1, 1)]}
    no_key = dealing.deliver_again(deck, [], 3, KEYS).answer
    assert isinstance(no_key, Refusal)
    assert no_key.code == codes.ERROR_CODE_NO_SEAT_KEY


KINDS = {
    "seat": made.own(1, 1),
    "board": made.board(1)[0],
    "burn": made.burn(1),
    "community": Place(cards_pb2.PLACE_KIND_COMMUNITY, 0, 1),
    "button": Place(made.DRAW, 1, 1),
    "game": Place(made.GAME, 0, 1),
}
MAY_SEE = {
    (ROLE_SERVICE_TABLE, "BOARD"): {"board", "community"},
    (ROLE_SERVICE_TABLE, "ALL_IN"): {"seat"},
    (ROLE_SERVICE_SHOWDOWN, "SHOWDOWN"): {"seat"},
    (ROLE_SERVICE_TABLE, "UP_CARD"): {"seat", "community"},
    (ROLE_SERVICE_TABLE, "OWNER_SHOWS"): {"seat"},
    (ROLE_SERVICE_TABLE, "PLACEMENT"): {"seat"},
    (ROLE_SERVICE_TABLE, "BUTTON_DRAW"): {"button"},
    (ROLE_SERVICE_TABLE, "GAME_DRAW"): {"game"},
    (ROLE_SERVICE_SCORING, "SCORING"): {"seat"},
}


def test_who_may_see_what_for_which_reason() -> None:
    """The whole table of askers, reasons and kinds of places."""
    roles = (ROLE_SERVICE_TABLE, ROLE_SERVICE_SHOWDOWN, ROLE_SERVICE_SCORING)
    for value, role in itertools.product(hand_pb2.RevealReason.values(), roles):
        name = hand_pb2.RevealReason.Name(value).removeprefix("REVEAL_REASON_")
        order = made.due(value, KINDS.values())
        step = stored(3, made.laid_out(1, 1), order, sender="a").step
        asker = revealing.Asker("somebody", frozenset([role]))
        seen = {
            kind
            for kind, place in KINDS.items()
            if not isinstance(revealing.justify(new_deck(), step, [place], asker), Refusal)
        }
        assert seen == MAY_SEE.get((role, name), set()), (role, name)


def reveals(*hand: StoredStep) -> bool:
    """Whether the last step of a hand reveals the cards of seat 1 to the table."""
    places = made.hole_cards(1)
    reasons = revealing.justify(new_deck(), hand[-1].step, places, TABLE)
    assert not isinstance(reasons, Refusal)
    decision = revealing.reveal(committed(), hand, hand[-1].cause, reasons, TABLE)
    return not isinstance(decision.answer, Refusal)


def test_no_rule_reveals_the_cards_of_a_hand_that_is_over() -> None:
    all_in = made.due(hand_pb2.REVEAL_REASON_ALL_IN, made.hole_cards(1))
    shows = made.due(hand_pb2.REVEAL_REASON_OWNER_SHOWS, made.hole_cards(1))
    assert reveals(DEAL, stored(3, made.folded(2)), stored(4, all_in))
    assert not reveals(DEAL, stored(3, made.folded(1)), stored(4, all_in)), "its own fold"
    assert not reveals(DEAL, stored(3, made.folded(2)), stored(4, made.folded(3), all_in))
    for ending in (made.ended(1), made.voided(1)):
        assert not reveals(DEAL, stored(3, ending), stored(4, all_in))
        assert reveals(DEAL, stored(3, ending), stored(4, shows, sender="a"))
    assert reveals(DEAL, stored(3, all_in, made.ended(1))), "until the step, the hand went on"


def history(*steps: StoredStep) -> DeckHistory:
    found = DeckHistory()
    for step in steps:
        found.read(step)
    return found


def test_decks_before_a_new_one_end_as_the_log_says() -> None:
    log = history(
        *(stored(n, made.hand_began(n, n, {1: "a"}), hand_no=n) for n in (1, 2)),
        stored(3, made.ended(1), hand_no=1),
        stored(4, made.voided(2, "no shuffler"), hand_no=2),
    )
    decisions = lifecycle.end_earlier(DeckId("t", 3), 1, committed(), log)
    assert not isinstance(decisions, Refusal)
    assert [(one.deck.id.deck_no, one.deck.state) for one in decisions] == [(1, SETTLED), (2, VOID)]
    kinds = [[event.WhichOneof("event") for event in one.events] for one in decisions]
    assert kinds == [["deck_closed"], ["deck_created", "deck_closed"]]
    assert decisions[1].deck.void_reason == "no shuffler"


@pytest.mark.parametrize(
    ("new", "last", "code"),
    [
        (2, committed(), codes.ERROR_CODE_WRONG_DECK_STATE),  # its hand goes on
        (3, None, codes.ERROR_CODE_DECK_NUMBER_GAP),  # a hand that the log does not have
        (1, None, codes.ERROR_CODE_DECK_NUMBER_GAP),  # a number that was used
    ],
)
def test_numbers_without_gaps(new: int, last: Deck | None, code: int) -> None:
    log = history(stored(1, made.hand_began(1, 1, {1: "a"})))
    refusal = lifecycle.end_earlier(DeckId("t", new), 1, last, log)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


def test_an_uncommitted_deck_cannot_be_settled() -> None:
    assert lifecycle.check_outcome(new_deck(), shuffler_pb2.DECK_STATE_VOID) is None
    refusal = lifecycle.check_outcome(new_deck(), shuffler_pb2.DECK_STATE_SETTLED)
    assert refusal is not None
    assert refusal.code == codes.ERROR_CODE_WRONG_DECK_STATE

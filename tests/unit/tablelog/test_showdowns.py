"""A showdown's question and answer, both ways."""

from collections.abc import Callable

import pytest

from floor_table.domain import ShowdownEffect, open_effects
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1.money_pb2 import Amount
from pokerfloor.api.internal.showdown.v1.resolution_pb2 import ResolveRequest, ResolveResponse
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.games import Hand, KnownDeck, Refusal, Resolved, WaitShowdown, resolve
from pokerfloor.tablelog import (
    LogError,
    StakeKind,
    always_show,
    from_resolve_request,
    from_resolve_response,
    proofs_of_response,
    rake_of_response,
    to_resolve_response,
)
from tests.support.evening import Evening, table_settings


def showdowns() -> list[tuple[Evening, ShowdownEffect]]:
    """Return showdowns of all sorts: short all-ins, rake, muckers, plain ones."""
    found = []
    for seed in range(12):
        settings = table_settings()
        settings.rake.rate_bp = 500
        if seed % 2:
            settings.game.losers = settings_pb2.LOSERS_RULE_MUCK
        evening = Evening(settings, seed)
        for seat, player in enumerate(("ann", "bob", "carl"), 1):
            evening.sit(player, seat, 40 + 40 * seat)
        evening.settle()
        while True:
            due = evening.effects(ShowdownEffect)
            if due:
                found.append((evening, due[0]))
                break
            wait = evening.wait()
            if wait is not None and seed % 3 == 0 and wait.legal.all_in_as is not None:
                evening.act("all_in")
            elif wait is not None:
                evening.act("check" if wait.legal.can_check else "call")
            else:
                answers = [evening.answer_to(due) for due in open_effects(evening.table)]
                evening.do(next(answer for answer in answers if answer is not None))
    return found


def test_the_question_is_the_engines_own() -> None:
    for evening, due in showdowns():
        hand = evening.table.playing
        assert hand is not None
        wait = hand.waits_for()
        assert isinstance(wait, WaitShowdown)
        stored = ResolveRequest.FromString(due.request.SerializeToString())
        assert from_resolve_request(stored) == wait.request
        assert always_show(stored) == frozenset()


def test_the_answer_comes_back_whole() -> None:
    for evening, due in showdowns():
        hand = evening.table.playing
        assert isinstance(hand, Hand)
        wait = hand.waits_for()
        assert isinstance(wait, WaitShowdown)
        answer = KnownDeck(evening.deck(due.request.deck.deck_no)).answer(hand, wait)
        assert isinstance(answer, Resolved)
        response = to_resolve_response(answer.result, due.request)
        stored = ResolveResponse.FromString(response.SerializeToString())
        assert from_resolve_response(stored, StakeKind.MONEY) == answer.result
        assert rake_of_response(stored, StakeKind.MONEY) == wait.request.rake
        assert proofs_of_response(stored) == {}
        shown = [step.WhichOneof("step") for step in stored.steps]
        assert shown.count("shown") == len(answer.result.shown)
        assert proofs_of_response(evening.resolve(due.request))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda r: r.began.ClearField("seats"), "seats"),
        (lambda r: setattr(r.pots[0], "pot_no", 3), "pots.pot_no"),
        (lambda r: r.pots[0].ClearField("amount"), "pots.amount"),
        (lambda r: r.seats.append(9), "seats"),
        (lambda r: r.seat_places[0].places.add(), "seat_places.slot"),
        (lambda r: setattr(r.revealed_cards[0].place, "slot", 5), "revealed_cards.place"),
        (lambda r: setattr(r.revealed_cards[0].place, "owner", 1), "revealed_cards.place"),
        (lambda r: setattr(r.revealed_cards[0].card, "code", 0), "revealed_cards.card"),
        (lambda r: setattr(r.revealed_cards[0].card, "code", 60), "revealed_cards.card"),
        (lambda r: r.contributions.pop(), "contributions"),
        (lambda r: setattr(r.contributions[0].amount, "minor", 1), "contributions"),
        (lambda r: r.rake.CopyFrom(Amount(minor=99)), "rake"),
        (lambda r: r.ClearField("rake"), "rake"),
    ],
)
def test_questions_that_cannot_be(change: Callable[[ResolveRequest], object], field: str) -> None:
    _, due = showdowns()[1]
    request = ResolveRequest.FromString(due.request.SerializeToString())
    change(request)
    with pytest.raises(LogError) as raised:
        from_resolve_request(request)
    assert raised.value.field == field


def test_answers_that_cannot_be() -> None:
    evening, due = showdowns()[2]
    right = evening.resolve(due.request)

    def refused(change: Callable[[ResolveResponse], object]) -> str:
        response = ResolveResponse.FromString(right.SerializeToString())
        change(response)
        with pytest.raises(LogError) as raised:
            from_resolve_response(response, StakeKind.MONEY)
        return raised.value.field

    assert refused(lambda r: r.steps.add()) == "steps"
    assert refused(lambda r: r.awards.add()) == "half"
    assert refused(lambda r: r.awards[0].amount.Clear()) == "amount"
    assert refused(lambda r: r.steps[0].shown.cards.add()) == "steps.shown.cards.place.slot"


def test_unknown_faces_are_refused_by_the_engine_and_not_hidden_here() -> None:
    _, due = showdowns()[1]
    request = from_resolve_request(due.request)
    assert isinstance(resolve(request, {}), Refusal)
    assert cards_pb2.Card().code == 0

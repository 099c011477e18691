"""What cannot be true is refused with the field at fault."""

from collections.abc import Callable

import pytest

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1.money_pb2 import Amount, Currency, Stake
from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan, HandSeat
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1.settings_pb2 import TableSettings
from pokerfloor.tablelog import (
    MAX_AMOUNT,
    LogError,
    StakeKind,
    from_amount,
    from_card,
    from_place,
    from_revealed,
    hand_setup,
    kind_of_amount,
    known_card,
    open_hand,
    read_hand_event,
    replay_hand,
    stake_kind,
    to_amount,
    to_card,
    with_defaults,
)
from tests.support.evening import Evening, table_settings
from tests.unit.tablelog.test_round_trip import fresh_hand


def refused(call: Callable[[], object]) -> str:
    """Return the field that a call refuses."""
    with pytest.raises(LogError) as raised:
        call()
    assert raised.value.reason
    return raised.value.field


def test_amounts() -> None:
    assert to_amount(-5, StakeKind.MONEY) == Amount(minor=-5)
    assert to_amount(5, StakeKind.TOURNAMENT) == Amount(tournament_chips=5)
    assert kind_of_amount(Amount(points=0)) is StakeKind.POINTS
    assert from_amount(Amount(minor=0), StakeKind.MONEY) == 0
    assert refused(lambda: to_amount(MAX_AMOUNT + 1, StakeKind.MONEY)) == ""
    assert refused(lambda: from_amount(Amount(), StakeKind.MONEY, "to")) == "to"
    assert refused(lambda: from_amount(Amount(points=1), StakeKind.MONEY, "to")) == "to"
    assert refused(lambda: from_amount(Amount(minor=2**60), StakeKind.MONEY)) == "amount"
    assert refused(lambda: kind_of_amount(Amount(), "seats.stack")) == "seats.stack"
    assert refused(lambda: stake_kind(Stake())) == "stake.kind"
    assert stake_kind(Stake(tournament=Currency())) is StakeKind.TOURNAMENT
    assert refused(lambda: with_defaults(table_with_no_stake())) == "stake.kind"


def table_with_no_stake() -> TableSettings:
    settings = table_settings()
    settings.ClearField("stake")
    return settings


def test_cards_and_places() -> None:
    assert from_card(cards_pb2.Card()) == -1
    assert to_card(0).code == 1
    assert refused(lambda: to_card(54)) == ""
    assert refused(lambda: from_card(cards_pb2.Card(code=55))) == "card"
    assert refused(lambda: known_card(cards_pb2.Card(), "cards.card")) == "cards.card"
    own, board = cards_pb2.PLACE_KIND_SEAT, cards_pb2.PLACE_KIND_BOARD
    for kind, owner, slot, field in (
        (own, 1, 0, "place.slot"),
        (own, 0, 1, "place"),
        (own, 11, 1, "place"),
        (board, 2, 1, "place"),
        (cards_pb2.PLACE_KIND_BURN, 1, 1, "place"),
        (cards_pb2.PLACE_KIND_COMMUNITY, 1, 1, "place"),
        (cards_pb2.PLACE_KIND_GAME_DRAW, 0, 1, "place"),
        (cards_pb2.PLACE_KIND_UNSPECIFIED, 1, 1, "place"),
    ):
        place = cards_pb2.Place(kind=kind, owner=owner, slot=slot)
        assert refused(lambda place=place: from_place(place)) == field  # type: ignore[misc]  # bound on purpose
    unknown = cards_pb2.RevealedCard(place=cards_pb2.Place(kind=own, owner=1, slot=1))
    assert refused(lambda: from_revealed([unknown])) == "cards.card"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda e: None, "event"),
        (lambda e: e.placement_moved.SetInParent(), "event"),
        (lambda e: e.carried_pot_added.SetInParent(), "amount"),
        (lambda e: e.pot_carried.SetInParent(), "amount"),
        (lambda e: setattr(e.cards_drawn, "count", 1), "count"),
        (lambda e: setattr(e.deck_reshuffled, "size", 1), "size"),
        (lambda e: e.forced_bet_posted.SetInParent(), "kind"),
        (lambda e: setattr(e.forced_bet_posted, "kind", 10), "kind"),
        (lambda e: setattr(e.forced_bet_posted, "kind", 1), "amount"),
        (lambda e: setattr(e.action_taken, "kind", 6), "kind"),
        (lambda e: setattr(e.action_taken, "kind", 1), "to"),
        (lambda e: setattr(e.reveal_ordered, "reason", 8), "reason"),
        (lambda e: e.bets_collected.pots.add(pot_no=1, amount=Amount(minor=1)), "pots.pot_no"),
        (lambda e: e.hand_shown.ranks.add(), "ranks.half"),
        (lambda e: e.cards_revealed.cards.add(), "cards.place.slot"),
        (lambda e: e.rake_taken.SetInParent(), "total"),
        (lambda e: e.rake_taken.by_pot.add(pot_no=1, amount=Amount(minor=1)), "total"),
        (lambda e: e.pot_awarded.SetInParent(), "half"),
        (lambda e: e.hand_ended.SetInParent(), "rake"),
        (lambda e: e.hand_ended.carried_in.SetInParent(), "carried_in"),
        (lambda e: e.hand_ended.carried_out.SetInParent(), "carried_out"),
        (lambda e: e.hand_ended.seats.add(seat=1), "seats.start"),
    ],
)
def test_events(change: Callable[[HandEvent], object], field: str) -> None:
    message = HandEvent()
    change(message)
    assert refused(lambda: read_hand_event(message, fresh_hand(), StakeKind.MONEY)) == field


def opened() -> HandBegan:
    evening = Evening(table_settings())
    evening.sit("ann", 1)
    evening.sit("bob", 2)
    evening.settle()
    record = evening.table.record
    assert record is not None
    message = HandBegan()
    message.CopyFrom(record.began)
    return message


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda o: o.ClearField("seats"), "seats"),
        (lambda o: setattr(o.game, "game", "bridge"), "game.game"),
        (lambda o: setattr(o.game, "structure", 0), "game.structure"),
        (lambda o: setattr(o.game, "min_raise", 9), "game.min_raise"),
        (lambda o: o.game.ClearField("big_blind"), "game.big_blind"),
        (lambda o: setattr(o.forced_bets[0], "kind", 0), "forced_bets.kind"),
        (lambda o: setattr(o.forced_bets[0].amount, "points", 1), "forced_bets.amount"),
        (lambda o: setattr(o.seats[1].stack, "points", 1), "seats.stack"),
    ],
)
def test_how_a_hand_is_opened(change: Callable[[HandBegan], object], field: str) -> None:
    message = opened()
    assert hand_setup(message).hand_no == 1
    change(message)
    assert refused(lambda: hand_setup(message)) == field


def test_a_hand_that_the_engine_cannot_play() -> None:
    message = opened()
    message.seats.append(HandSeat(seat=1, player_id="zoe", stack=Amount(minor=5)))
    assert refused(lambda: open_hand(message)) == "seats"


def test_steps_that_make_no_hand() -> None:
    evening = Evening(table_settings())
    evening.sit("ann", 1)
    evening.sit("bob", 2)
    evening.settle()
    evening.fold_around()
    steps = [step for step in evening.steps if step.hand_no == 1]
    assert replay_hand(steps).state.ended
    assert refused(lambda: replay_hand([])) == "steps"
    first = steps[0].table_seq
    assert refused(lambda: replay_hand([*steps, steps[0]])) == f"steps[{first}].events[0]"
    late = Step()
    late.CopyFrom(steps[-1])
    late.events[0].hand.action_taken.turn_no += 1
    where = f"steps[{late.table_seq}].events[0]"
    assert refused(lambda: replay_hand([*steps[:-1], late])) == where
    late.events[0].hand.action_taken.ClearField("kind")
    assert refused(lambda: replay_hand([*steps[:-1], late])) == f"{where}.kind"

"""Random hands of every game through the log's messages: settings, events, showdowns."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pokerfloor.api.common.v1.cards_pb2 import StepRef
from pokerfloor.api.common.v1.money_pb2 import Amount
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.internal.showdown.v1.resolution_pb2 import ResolveRequest, ResolveResponse
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.cards import DECKS
from pokerfloor.games import (
    GAMES,
    Begin,
    FirstTie,
    GameRow,
    Hand,
    HandRedealt,
    HandSetup,
    KnownDeck,
    Losers,
    MinRaise,
    Over,
    PotCarried,
    Refusal,
    Resolved,
    SecondRoundFirst,
    Shortage,
    Structure,
    WaitBegin,
    WaitCards,
    WaitShowdown,
    row_to_json,
)
from pokerfloor.tablelog import (
    FORCED_CODE,
    HandContext,
    LogError,
    StakeKind,
    from_resolve_request,
    from_resolve_response,
    hand_setup,
    read_hand_event,
    to_resolve_request,
    to_resolve_response,
    write_hand_event,
)
from tests.support.games.random_hands import random_input, random_setup

MONEY = StakeKind.MONEY
_MOST_SEAT = 10
_STRUCTURE = {
    Structure.NO_LIMIT: pb.BETTING_STRUCTURE_NO_LIMIT,
    Structure.POT_LIMIT: pb.BETTING_STRUCTURE_POT_LIMIT,
    Structure.FIXED_LIMIT: pb.BETTING_STRUCTURE_FIXED_LIMIT,
}
_RESHUFFLE = pb.SEVENTH_SHORTAGE_RESHUFFLE_BURNS


def opened(setup: HandSetup) -> table_events_pb2.HandBegan:
    """The message that says how a hand begins."""
    settings = setup.settings
    fixed = setup.structure is Structure.FIXED_LIMIT
    least = Amount(minor=settings.min_bet_minor)
    game = pb.GameSettings(
        game=setup.game.id,
        structure=_STRUCTURE[setup.structure],
        smallest_chip=Amount(minor=settings.smallest_chip_minor),
        boards=setup.game.boards,
        min_raise=1 + list(MinRaise).index(settings.min_raise),  # type: ignore[arg-type]  # in the order of the words
        losers=1 + list(Losers).index(settings.losers),  # type: ignore[arg-type]  # in the order of the words
        raise_cap=settings.raise_cap,
        heads_up_uncapped=settings.heads_up_uncapped,
        no_burn=not settings.burn,
        short_blind_counts_full=settings.short_blind_counts_full,
        open_pair_rule=settings.open_pair_rule,
        redeal_when_checked=settings.redeal_when_checked,
        max_draw=settings.max_draw,
        custom_row_json=row_to_json(setup.game),
    )
    game.bring_in.minor = settings.bring_in_minor
    if settings.seventh_shortage is Shortage.RESHUFFLE_BURNS:
        game.seventh_shortage = _RESHUFFLE
    if settings.second_round_first is SecondRoundFirst.LEFT_OF_BUTTON:
        game.second_round_first = pb.SECOND_ROUND_FIRST_LEFT_OF_BUTTON
    if settings.first_tie is FirstTie.LEFT_OF_BUTTON:
        game.first_tie = pb.FIRST_TIE_LEFT_OF_BUTTON
    if fixed:
        game.small_bet.CopyFrom(least)
        game.big_bet.minor = settings.big_bet_minor
    else:
        game.min_bet.CopyFrom(least)
    message = table_events_pb2.HandBegan(
        hand_no=setup.hand_no,
        deck_no=setup.hand_no,
        game=game,
        rake=pb.RakeSettings(
            rate_bp=settings.rake.rate_bp,
            caps=[pb.RakeCap(players=p, cap_minor=cap) for p, cap in settings.rake.caps],
            also_without_flop=not settings.rake.no_flop_no_drop,
        ),
        seats=[
            table_events_pb2.HandSeat(seat=seat, stack=Amount(minor=stack))
            for seat, stack in setup.seats
        ],
        button=setup.button,
        forced_bets=[
            table_events_pb2.ForcedBet(
                seat=seat, kind=FORCED_CODE[kind], amount=Amount(minor=amount)
            )
            for seat, kind, amount in setup.forced
        ],
    )
    if setup.carried.amount:
        message.carried.minor = setup.carried.amount
        message.carried_seats.extend(setup.carried.seats)
    return message


class Recorded:
    """A hand played at random and kept as messages; every showdown goes through its messages."""

    def __init__(self, game: GameRow, seed: int) -> None:
        self.rng = random.Random(seed)
        while True:
            self.setup = random_setup(self.rng, game)
            if self.setup.seats[-1].seat <= _MOST_SEAT:
                break
        if self.setup.structure is not Structure.FIXED_LIMIT:  # it has one size, and so no other
            settings = replace(self.setup.settings, big_bet_minor=0)
            self.setup = replace(self.setup, settings=settings)
        self.opened = opened(self.setup)
        cards = DECKS[game.deck].cards
        self.deck = KnownDeck(self.rng.sample(cards, len(cards)), reshuffle=_reshuffled)
        self.hand = Hand(self.setup)
        self.messages: list[bytes] = []
        self.requests: list[ResolveRequest] = []
        self.kinds: set[type] = set()
        context = HandContext(self.setup.hand_no, MONEY, {s: f"p{s}" for s, _ in self.setup.seats})
        while not isinstance(wait := self.hand.waits_for(), Over):
            if isinstance(wait, WaitBegin):
                events = self.hand.execute(Begin())
            elif isinstance(wait, WaitShowdown):
                events = self.hand.execute(self.resolved(wait))
            elif isinstance(wait, WaitCards):
                events = self.hand.execute(self.deck.answer(self.hand, wait))
            else:
                events = self.hand.execute(random_input(wait, self.rng))
            assert not isinstance(events, Refusal), events
            self.kinds |= {type(event) for event in events}
            self.messages += [
                write_hand_event(event, context).SerializeToString() for event in events
            ]

    def resolved(self, wait: WaitShowdown) -> Resolved:
        """The showdown as the service answers it, question and answer as messages."""
        state = self.hand.state
        paid = tuple(zip(state.seats, state.contributed(), strict=True))
        cause = StepRef(table_id="t1", table_seq=9)
        request = to_resolve_request(wait.request, self.opened, paid, cause)
        self.requests.append(ResolveRequest.FromString(request.SerializeToString()))
        assert from_resolve_request(self.requests[-1]) == wait.request
        answer = self.deck.answer(self.hand, wait)
        assert isinstance(answer, Resolved)
        response = to_resolve_response(answer.result, self.requests[-1])
        stored = ResolveResponse.FromString(response.SerializeToString())
        result = from_resolve_response(stored, MONEY)
        assert result == answer.result
        paid_out = sum([pot.amount for pot in wait.request.pots if pot.no not in result.carried])
        awarded = sum([award.amount for award in result.awards])
        assert awarded + stored.rake.total.minor == paid_out
        return Resolved(result)


def _reshuffled(generation: int, cards: tuple[int, ...]) -> list[int]:
    return random.Random(generation).sample(cards, len(cards))


def recorded(game: str, seeds: int) -> Iterator[Recorded]:
    for seed in range(seeds):
        yield Recorded(GAMES[game], seed)


@pytest.mark.rule("POT-5", "ODD-1", "MAT-6")
@pytest.mark.parametrize("game", GAMES)
def test_a_hand_is_the_same_after_its_messages(game: str) -> None:
    for one in recorded(game, 6):
        assert hand_setup(one.opened) == one.setup
        again = Hand(hand_setup(one.opened))
        for message in one.messages:
            event = hand_events_pb2.HandEvent.FromString(message)
            again.apply(read_hand_event(event, again, MONEY))
        assert again.digest() == one.hand.digest()


@pytest.mark.rule("DRW-3", "ODD-1")
def test_odd_chips_follow_the_button_that_has_moved() -> None:
    moved = [
        request
        for one in recorded("draw5", 120)
        for request in one.requests
        if HandRedealt in one.kinds
    ]
    assert any(request.from_button for request in moved)
    request = next(request for request in moved if request.from_button)
    request.from_button.append(request.from_button[0])
    with pytest.raises(LogError) as raised:
        from_resolve_request(request)
    assert raised.value.field == "from_button"


@pytest.mark.rule("MAT-4", "MAT-6")
def test_mata_ases_goes_through_with_carried_pots_and_the_middle() -> None:
    hands = list(recorded("mata_ases", 40))
    assert any(PotCarried in one.kinds for one in hands)
    requests = [request for one in hands for request in one.requests]
    middle = {card.place.slot for card in requests[0].revealed_cards if card.place.kind == 4}
    assert middle == {1, 2, 3}
    request = next(one for one in requests if one.began.HasField("carried"))
    request.began.ClearField("carried")
    with pytest.raises(LogError) as raised:
        from_resolve_request(request)
    assert raised.value.field in ("contributions", "began.carried")


@pytest.mark.rule("STD-6")
def test_a_common_card_is_known_to_the_showdown() -> None:
    for one in recorded("stud7", 200):
        for request in one.requests:
            common = [card for card in request.revealed_cards if card.place.kind == 4]
            if common:
                assert [len(board) for board in from_resolve_request(request).boards] == [1]
                return
    pytest.fail("no hand was short of cards")

"""Showdowns to be resolved, and who opens their cards: built by hand for the tests."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pokerfloor.api.common.v1 import cards_pb2, money_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.cards import parse_cards, to_wire

TABLE = "main-1"
BOARD = "2c7d9hJsQd"


def minor(amount: int) -> money_pb2.Amount:
    return money_pb2.Amount(minor=amount)


def own(seat: int, slot: int) -> cards_pb2.Place:
    return cards_pb2.Place(kind=cards_pb2.PLACE_KIND_SEAT, owner=seat, slot=slot)


def board(slot: int) -> cards_pb2.Place:
    return cards_pb2.Place(kind=cards_pb2.PLACE_KIND_BOARD, owner=0, slot=slot)


def code(text: str) -> cards_pb2.Card:
    (card,) = parse_cards(text)
    return cards_pb2.Card(code=to_wire(card))


def placed(place: cards_pb2.Place, card: int) -> cards_pb2.PlacedCard:
    return cards_pb2.PlacedCard(place=place, card=cards_pb2.Card(code=to_wire(card)))


def proof_of(place: cards_pb2.Place) -> cards_pb2.CardProof:
    salt = hashlib.sha256(place.SerializeToString(deterministic=True)).digest()
    position = cards_pb2.DeckIndex(index=place.owner * 2 + place.slot)
    return cards_pb2.CardProof(deck_index=position, salt=salt, path=[salt[::-1]] * 6)


@dataclass(frozen=True)
class Showdown:
    """A request, and the cards that the shuffler holds for it."""

    request: resolution_pb2.ResolveRequest
    cards: Mapping[tuple[int, int], int]  # (seat, slot) -> code

    def opened(self, place: cards_pb2.Place) -> cards_pb2.RevealedCard:
        card = cards_pb2.Card(code=self.cards[place.owner, place.slot])
        return cards_pb2.RevealedCard(place=place, card=card, proof=proof_of(place))


def showdown(
    hands: Mapping[int, str],
    pots: Sequence[tuple[int, Sequence[int]]],
    *,
    board_cards: str = BOARD,
    folded: Sequence[int] = (),
    order: Sequence[int] = (),
    button: int = 0,
    chip: int = 1,
    muck: bool = True,
    always_show: Sequence[int] = (),
    all_in: bool = False,
    exposed: Sequence[int] = (),
    rake_bp: int = 0,
) -> Showdown:
    """Make a showdown of `hands` (text by seat) for `pots` (amount, seats), main pot first.

    Everything in the pots was put in by the first seat, as far as anybody asks.
    """
    dealt_in = sorted({*hands, *folded})
    total = sum(amount for amount, _ in pots)
    rake = rake_bp * total // 10_000
    cards = {seat: parse_cards(text) for seat, text in hands.items()}
    opened = table_events_pb2.HandBegan(
        hand_no=17,
        deck_no=18,
        game=settings_pb2.GameSettings(
            game="holdem",
            structure=settings_pb2.BETTING_STRUCTURE_NO_LIMIT,
            smallest_chip=minor(chip),
            small_blind=minor(chip),
            big_blind=minor(2 * chip),
            boards=1,
            min_raise=settings_pb2.MIN_RAISE_RULE_INCREMENT,
            losers=settings_pb2.LOSERS_RULE_MUCK if muck else settings_pb2.LOSERS_RULE_SHOW,
        ),
        rake=settings_pb2.RakeSettings(rate_bp=rake_bp),
        seats=[
            table_events_pb2.HandSeat(seat=seat, player_id=f"p{seat}", stack=minor(total * chip))
            for seat in dealt_in
        ],
        button=button or dealt_in[-1],
        forced_bets=[
            table_events_pb2.ForcedBet(
                seat=dealt_in[0], kind=hand_events_pb2.FORCED_BET_KIND_BIG_BLIND, amount=minor(chip)
            )
        ],
        always_show=always_show,
    )
    boards = [placed(board(k), card) for k, card in enumerate(parse_cards(board_cards), 1)]
    known = [placed(own(s, k), card) for s in exposed for k, card in enumerate(cards[s], 1)]
    return Showdown(
        resolution_pb2.ResolveRequest(
            hand=cards_pb2.HandRef(table_id=TABLE, hand_no=17),
            deck=cards_pb2.DeckRef(table_id=TABLE, deck_no=18),
            cause=cards_pb2.StepRef(table_id=TABLE, table_seq=400, stream_seq=9001),
            began_step=cards_pb2.StepRef(table_id=TABLE, table_seq=380, stream_seq=8500),
            began=opened,
            pots=[
                hand_events_pb2.Pot(pot_no=number, amount=minor(amount), seats=seats)
                for number, (amount, seats) in enumerate(pots)
            ],
            revealed_cards=[*boards, *known],
            seats=order or sorted(hands),
            seat_places=[
                resolution_pb2.SeatPlaces(seat=seat, places=[own(seat, 1), own(seat, 2)])
                for seat in sorted(hands)
            ],
            all_in=all_in,
            contributions=[
                resolution_pb2.SeatContribution(
                    seat=seat, amount=minor(total if seat == dealt_in[0] else 0)
                )
                for seat in dealt_in
            ],
            rake=minor(rake - rake % chip),
        ),
        {
            (seat, slot): to_wire(card)
            for seat, hand in cards.items()
            for slot, card in enumerate(hand, 1)
        },
    )


def shown(response: resolution_pb2.ResolveResponse) -> list[int]:
    """Return the seats that show, and those that muck as negative numbers, in order."""
    return [
        step.shown.seat if step.HasField("shown") else -step.mucked.seat for step in response.steps
    ]


def awards(response: resolution_pb2.ResolveResponse) -> list[tuple[int, int, int]]:
    """Return (pot, seat, amount) of each award, in order."""
    return [(award.pot_no, award.seat, award.amount.minor) for award in response.awards]


def codes_in(response: resolution_pb2.ResolveResponse) -> set[int]:
    """Return the code of every card anywhere in an answer."""
    found: set[int] = set()
    for step in response.steps:
        found |= {opened.card.code for opened in step.shown.cards}
        found |= {card.code for rank in step.shown.ranks for card in rank.hand.cards}
    return found


def assert_holds_nothing_of(
    response: resolution_pb2.ResolveResponse, asked: Showdown, seat: int
) -> None:
    """Assert that no byte of the answer tells a card of the seat, or how it was committed."""
    sent = response.SerializeToString()
    for slot in (1, 2):
        opened = asked.opened(own(seat, slot))
        assert opened.card.code not in codes_in(response)
        assert opened.place.SerializeToString() not in sent
        assert opened.SerializeToString() not in sent
        assert opened.proof.salt not in sent
        assert opened.proof.path[0] not in sent

"""A hand of three, written out as one audience's views, with a deck that is really committed.

Seat 1 is the button, 2 the small and 3 the big blind; the player watched sits in seat 1. Seat 3
raises all-in for less than seat 1 has, seat 1 calls, seat 2 folds.
"""

from __future__ import annotations

from pokerfloor.api.common.v1 import cards_pb2, money_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as hand
from pokerfloor.api.events.v1 import table_events_pb2 as table
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.cards import STANDARD, Card, parse_cards, to_wire
from pokerfloor.fairness import DeckId, SealedCard, SealedPlace, commit, seal

TABLE = "main-1"
PLAYER = "ann"
HAND_NO, DECK_NO = 4, 6
OWN, BOARD, BURN = 1, 2, 3

# In dealing order: two rounds of own cards from the small blind on, then burn and board.
_ORDER = parse_cards("2c 3c As 4c 5c Ad  6c AcKsQd 7c 2h 8c 3h")
_PLACES = [
    (OWN, 2, 1),
    (OWN, 3, 1),
    (OWN, 1, 1),
    (OWN, 2, 2),
    (OWN, 3, 2),
    (OWN, 1, 2),
    (BURN, 0, 1),
    (BOARD, 0, 1),
    (BOARD, 0, 2),
    (BOARD, 0, 3),
    (BURN, 0, 2),
    (BOARD, 0, 4),
    (BURN, 0, 3),
    (BOARD, 0, 5),
]


def minor(amount: int) -> money_pb2.Amount:
    return money_pb2.Amount(minor=amount)


def place(key: tuple[int, int, int]) -> cards_pb2.Place:
    kind, owner, slot = key
    return cards_pb2.Place(kind=kind, owner=owner, slot=slot)  # type: ignore[arg-type]  # enum by number


class ScriptedHand:
    """The hand's views in order, numbered from 11; `snapshot` stands before them at number 10."""

    def __init__(self) -> None:
        rest = [card for card in STANDARD.cards if card not in _ORDER]
        self.cards: list[Card] = [*_ORDER, *rest]
        self.salts = [bytes([index + 1]) * 32 for index in range(52)]
        self.deck = DeckId(TABLE, DECK_NO)
        self.commitment = commit(self.deck, 0, self.cards, self.salts)
        self.snapshot = table_pb2.Snapshot(view_no=10, table=self._table())
        self.steps = [
            table_pb2.StepView(view_no=11 + number, at_ms=1000 + number, events=events)
            for number, events in enumerate(self._events())
        ]
        self.steps[1].your_turn.CopyFrom(self.your_turn())

    def your_turn(self) -> view_pb2.YourTurn:
        legal = view_pb2.LegalActions(can_fold=True)
        legal.call_option.to.minor, legal.call_option.by.minor = 200, 200
        option = legal.raise_option
        option.min_to.minor, option.max_to.minor = 400, 5_000
        return view_pb2.YourTurn(hand_no=HAND_NO, turn_no=1, seat=1, deadline_ms=9, legal=legal)

    def opened(self, *keys: tuple[int, int, int]) -> list[cards_pb2.RevealedCard]:
        """Cards turned up, with their proofs."""
        cards = []
        for key in keys:
            index = _PLACES.index(key)
            proof = cards_pb2.CardProof(
                deck_index=cards_pb2.DeckIndex(generation=0, index=index),
                salt=self.salts[index],
                path=self.commitment.prove(index),
            )
            card = cards_pb2.Card(code=to_wire(self.cards[index]))
            cards.append(cards_pb2.RevealedCard(place=place(key), card=card, proof=proof))
        return cards

    def hole_cards(self, public_key: bytes, fingerprint: bytes) -> table_pb2.HoleCards:
        """The own cards of seat 1, sealed to a key."""
        boxes = [self.box(slot, public_key, fingerprint) for slot in (1, 2)]
        return table_pb2.HoleCards(hand_no=HAND_NO, deck_no=DECK_NO, seat=1, boxes=boxes)

    def box(self, slot: int, public_key: bytes, fingerprint: bytes) -> cards_pb2.SealedBox:
        index = _PLACES.index((OWN, 1, slot))
        sealed = SealedCard(
            self.deck.digest(),
            HAND_NO,
            SealedPlace(OWN, 1, slot),
            0,
            index,
            self.cards[index],
            self.salts[index],
            self.commitment.prove(index),
        )
        return cards_pb2.SealedBox(
            place=place((OWN, 1, slot)),
            key_fingerprint=fingerprint,
            ciphertext=seal(sealed, public_key),
        )

    def _table(self) -> view_pb2.TableView:
        view = view_pb2.TableView(table_id=TABLE, state=view_pb2.TABLE_STATE_PLAYING, hands=3)
        view.settings.name = "Main"
        view.settings.stake.money.code = "EUR"
        for seat, (player, stack) in enumerate(
            [(PLAYER, 5_000), ("bob", 4_000), ("cat", 1_000), ("", 0)], start=1
        ):
            state = view_pb2.SEAT_STATE_PLAYING if player else view_pb2.SEAT_STATE_EMPTY
            view.seats.add(
                seat=seat, state=state, player_id=player, display_name=player, stack=minor(stack)
            )
        view.own_seat = 1
        return view

    def _events(self) -> list[list[table.TableEvent]]:
        return [self._opening(), self._begin(), self._call_and_all_in(), self._flop(), self._end()]

    def _opening(self) -> list[table.TableEvent]:
        opened = table.HandBegan(hand_no=HAND_NO, deck_no=DECK_NO, button=1)
        for seat, player, stack in ((1, PLAYER, 5_000), (2, "bob", 4_000), (3, "cat", 1_000)):
            opened.seats.add(seat=seat, player_id=player, stack=minor(stack))
        return [table.TableEvent(hand_began=opened)]

    def _begin(self) -> list[table.TableEvent]:
        committed = table.DeckCommitted(
            deck_no=DECK_NO, generation=0, root=self.commitment.root, size=52
        )
        return [
            table.TableEvent(deck_committed=committed),
            *(
                _hand(forced_bet_posted=hand.ForcedBetPosted(seat=s, kind=k, amount=minor(a)))
                for s, k, a in (
                    (1, hand.FORCED_BET_KIND_ANTE, 10),
                    (2, hand.FORCED_BET_KIND_ANTE, 10),
                    (3, hand.FORCED_BET_KIND_ANTE, 10),
                    (2, hand.FORCED_BET_KIND_SMALL_BLIND, 100),
                    (3, hand.FORCED_BET_KIND_BIG_BLIND, 200),
                )
            ),
            _dealt(0, 6),
            _hand(street_began=hand.StreetBegan(street=0, name="preflop")),
            _hand(turn_began=hand.TurnBegan(seat=1, turn_no=1)),
            table.TableEvent(clock_set=table.ClockSet(seat=1, turn_no=1, deadline_ms=9)),
        ]

    def _call_and_all_in(self) -> list[table.TableEvent]:
        return [
            _acted(1, 1, hand.ACTION_KIND_CALL, 200, 200),
            _hand(turn_began=hand.TurnBegan(seat=2, turn_no=2)),
            _acted(2, 2, hand.ACTION_KIND_FOLD, 100, 0),
            _hand(turn_began=hand.TurnBegan(seat=3, turn_no=3)),
            _acted(3, 3, hand.ACTION_KIND_RAISE, 990, 790, all_in=True),
            _hand(turn_began=hand.TurnBegan(seat=1, turn_no=4)),
            _acted(1, 4, hand.ACTION_KIND_CALL, 990, 790),
        ]

    def _flop(self) -> list[table.TableEvent]:
        pot = hand.Pot(pot_no=0, amount=minor(2_110), seats=[1, 3])
        return [
            _hand(bets_collected=hand.BetsCollected(pots=[pot])),
            _dealt(6, 14),
            _hand(street_began=hand.StreetBegan(street=3, name="river")),
            _turned_up(self.opened(*((BOARD, 0, slot) for slot in range(1, 6)))),
        ]

    def _end(self) -> list[table.TableEvent]:
        shown = hand.HandShown(seat=1, cards=self.opened((OWN, 1, 1), (OWN, 1, 2)))
        shown.ranks.add(board=0, half=hand.POT_HALF_HIGH).hand.name = "three aces"
        ended = hand.HandEnded(hand_no=HAND_NO, rake=minor(10))
        for seat, player, start, end in (
            (1, PLAYER, 5_000, 6_100),
            (2, "bob", 4_000, 3_890),
            (3, "cat", 1_000, 0),
        ):
            ended.seats.add(
                seat=seat,
                player_id=player,
                start=minor(start),
                end=minor(end),
                net=minor(end - start),
            )
        return [
            _hand(hand_shown=shown),
            _hand(rake_taken=hand.RakeTaken(total=minor(10))),
            _hand(pot_awarded=hand.PotAwarded(pot_no=0, seat=1, amount=minor(2_100))),
            _hand(hand_ended=ended),
        ]


def _hand(**event: object) -> table.TableEvent:
    return table.TableEvent(hand=hand.HandEvent(**event))  # type: ignore[arg-type]  # the field is the caller's


def _dealt(first: int, end: int) -> table.TableEvent:
    return _hand(
        places_dealt=hand.PlacesDealt(
            places=[place(key) for key in _PLACES[first:end]],
            first=cards_pb2.DeckIndex(generation=0, index=first),
        )
    )


def _turned_up(cards: list[cards_pb2.RevealedCard]) -> table.TableEvent:
    return _hand(cards_revealed=hand.CardsRevealed(cards=cards))


def _acted(
    seat: int,
    turn_no: int,
    kind: hand.ActionKind.ValueType,
    to: int,
    by: int,
    *,
    all_in: bool = False,
) -> table.TableEvent:
    taken = hand.ActionTaken(
        seat=seat, turn_no=turn_no, kind=kind, to=minor(to), by=minor(by), all_in=all_in
    )
    return _hand(action_taken=taken)

"""What of a hand's deck stayed hidden, and that nothing else is in what may differ."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf.message import Message as ProtoMessage

from floor_table.domain import replay
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.cards import STANDARD, Card, from_wire
from pokerfloor.fairness import Commitment, DeckId, SealedCard, SealedPlace, commit, unseal
from pokerfloor.ranking import high7
from tests.support.planted_decks import PlantedDecks, private_key
from tests.support.recorded_play import NAMES, TABLE, Recording

_OWN = cards_pb2.PLACE_KIND_SEAT
_BOARD = cards_pb2.PLACE_KIND_BOARD
_BURN = cards_pb2.PLACE_KIND_BURN


class At(NamedTuple):
    """A place by its numbers."""

    kind: int
    owner: int
    slot: int


@dataclass
class HandFacts:
    """One hand as its log tells it; cards by their index in the deck."""

    hand_no: int
    deck_no: int
    index: dict[At, int] = field(default_factory=dict)
    turned_up: set[int] = field(default_factory=set)
    folded: list[int] = field(default_factory=list)
    showdown: list[int] = field(default_factory=list)
    mucked: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)

    def own(self, seat: int) -> list[int]:
        return [self.index[At(_OWN, seat, slot)] for slot in (1, 2)]

    @property
    def board(self) -> list[int]:
        return [index for at, index in self.index.items() if at.kind == _BOARD]

    @property
    def burns(self) -> list[int]:
        return [index for at, index in self.index.items() if at.kind == _BURN]

    @property
    def stub(self) -> list[int]:
        """Never dealt."""
        return list(range(len(self.index), len(STANDARD)))

    @property
    def free(self) -> list[int]:
        """Never turned up and of no hand that the showdown read."""
        read = {index for seat in self.showdown for index in self.own(seat)}
        return [i for i in range(len(STANDARD)) if i not in self.turned_up | read]

    @property
    def hidden(self) -> list[int]:
        """Never turned up for everyone."""
        return [i for i in range(len(STANDARD)) if i not in self.turned_up]


def hand_facts(steps: Iterable[step_pb2.Step]) -> list[HandFacts]:
    """All hands of a log."""
    hands: list[HandFacts] = []
    for step in steps:
        for event in step.events:
            if event.HasField("hand_began"):
                hands.append(HandFacts(event.hand_began.hand_no, event.hand_began.deck_no))
            elif event.HasField("hand") and hands:
                _take(hands[-1], event.hand)
    return hands


def _take(facts: HandFacts, event: Any) -> None:
    match event.WhichOneof("event"):
        case "places_dealt":
            for index, place in enumerate(
                event.places_dealt.places, event.places_dealt.first.index
            ):
                facts.index[_at(place)] = index
        case "cards_revealed":
            facts.turned_up |= {facts.index[_at(one.place)] for one in event.cards_revealed.cards}
        case "hand_shown":
            facts.turned_up |= {facts.index[_at(one.place)] for one in event.hand_shown.cards}
        case "hand_mucked":
            facts.mucked.append(event.hand_mucked.seat)
        case "showdown_began":
            facts.showdown = list(event.showdown_began.seats)
        case "pot_awarded":
            facts.winners.append(event.pot_awarded.seat)
        case "action_taken" if event.action_taken.kind == 1:
            facts.folded.append(event.action_taken.seat)
        case _:
            pass


def _at(place: cards_pb2.Place) -> At:
    return At(place.kind, place.owner, place.slot)


def still_mucks(facts: HandFacts, decks: PlantedDecks) -> tuple[int, int]:
    """A mucked hand's card and one of the stub with which it is beaten by the same shown hand."""
    cards = decks.order(facts.deck_no, STANDARD.cards)
    seat = facts.mucked[0]
    before = facts.showdown[: facts.showdown.index(seat)]
    best = max(_strength(cards, facts, one) for one in before if one not in facts.mucked)
    own = facts.own(seat)[0]
    for other in facts.stub:
        changed = list(cards)
        changed[own], changed[other] = changed[other], changed[own]
        if _strength(changed, facts, seat) < best:
            return own, other
    raise AssertionError("every card of the stub makes this hand the winner")


def _strength(cards: Iterable[Card], facts: HandFacts, seat: int) -> int:
    known = tuple(cards)
    return high7(*(known[index] for index in (*facts.own(seat), *facts.board)))


def commitment(decks: PlantedDecks, deck_no: int) -> Commitment:
    """The commitment to a planted deck."""
    order, salts = decks.order(deck_no, STANDARD.cards), decks.salts(deck_no, len(STANDARD))
    return commit(DeckId(TABLE, deck_no), 0, order, salts)


def assert_all_is_accounted_for(recording: Recording, decks: PlantedDecks) -> None:
    """What the comparison leaves out is what it should be and nothing more.

    Roots and paths are those of the deck. Every state digest follows from the log, which knows no
    hidden card. Every box holds its owner's card and what proves it.
    """
    steps = recording.steps()
    replay(TABLE, steps)
    roots = {
        event.deck_committed.deck_no: event.deck_committed.root
        for step in steps
        for event in step.events
        if event.HasField("deck_committed")
    }
    for deck_no, root in roots.items():
        assert root == commitment(decks, deck_no).root
    for step in steps:
        for opened in opened_cards(step):
            assert tuple(opened.proof.path) == _path_of(opened, roots, decks)
    for facts in hand_facts(steps):
        for name in NAMES:
            for card, index in hole_cards(recording, facts, name):
                assert card.card == decks.order(facts.deck_no, STANDARD.cards)[index]
                assert card.salt == decks.salts(facts.deck_no, len(STANDARD))[index]
                assert card.path == commitment(decks, facts.deck_no).prove(index)


def opened_cards(message: Any) -> Iterator[cards_pb2.RevealedCard]:
    if isinstance(message, cards_pb2.RevealedCard):
        if message.HasField("proof"):
            yield message
        return
    for described, value in message.ListFields():
        if described.message_type is not None:
            for one in (value,) if isinstance(value, ProtoMessage) else value:
                yield from opened_cards(one)


def _path_of(
    opened: cards_pb2.RevealedCard, roots: dict[int, bytes], decks: PlantedDecks
) -> tuple[bytes, ...]:
    index = opened.proof.deck_index.index
    for deck_no in roots:
        if decks.salts(deck_no, len(STANDARD))[index] == opened.proof.salt:
            assert decks.order(deck_no, STANDARD.cards)[index] == from_wire(opened.card.code)
            return commitment(decks, deck_no).prove(index)
    raise AssertionError("an opened card of no deck")


def hole_cards(
    recording: Recording, facts: HandFacts, name: str
) -> Iterator[tuple[SealedCard, int]]:
    """What a player reads in the boxes of a hand, with each card's index; on all its streams."""
    seat = NAMES.index(name) + 1
    for audience in (f"seat {seat}", f"seat {seat}, back"):
        for message in recording.messages.get(audience, ()):
            update = table_pb2.TableUpdate.FromString(message.data)
            if update.hole_cards.hand_no != facts.hand_no:
                continue
            for box in update.hole_cards.boxes:
                card = unseal(box.ciphertext, bytes(private_key(name)))
                yield card, facts.index[_at(box.place)]


def needles(facts: HandFacts, decks: PlantedDecks, indices: Iterable[int]) -> Iterator[bytes]:
    """What would betray one of these cards: its salt as people write it, its sealed form."""
    salts = decks.salts(facts.deck_no, len(STANDARD))
    order = decks.order(facts.deck_no, STANDARD.cards)
    places = {index: at for at, index in facts.index.items()}
    for index in indices:
        salt = salts[index]
        yield salt
        yield salt.hex().encode()
        yield base64.b64encode(salt).rstrip(b"=")
        yield repr(salt)[2:-1].encode()
        sealed = SealedCard(
            DeckId(TABLE, facts.deck_no).digest(),
            facts.hand_no,
            SealedPlace(*places.get(index, At(_OWN, 1, 1))),
            0,
            index,
            order[index],
            salt,
            commitment(decks, facts.deck_no).prove(index),
        ).encode()
        # Up to the card and its salt, then the path: it could have been cut anywhere.
        yield sealed[33:55]
        yield sealed[54:119]


def hay(folder: Path) -> bytes:
    """Every byte of every file below a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    assert files, f"nothing is stored in {folder.name}"
    return b"\0".join(path.read_bytes() for path in files)

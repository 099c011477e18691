"""A deck as it is stored: what is public as JSON, its order and salts as bytes to be encrypted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from floor_shuffler.deck import Cause, Deck, DeckOrder, Opening, Position
from floor_shuffler.places import Place
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import from_wire, to_wire
from pokerfloor.fairness import SALT_BYTES, DeckId

_VERSION: Final = 1
_DOMAIN: Final = b"floor/shuffler/record/v1"
_ENTRY_BYTES: Final = 1 + SALT_BYTES


def belongs_to(deck: DeckId) -> bytes:
    """Give what a secret record is bound to."""
    return _DOMAIN + deck.digest()


def secret_of(deck: Deck) -> bytes:
    """Give the bytes that must never be stored as they are.

    Version 1; for each generation its number of cards and then, by index, code and salt. The
    length depends on the composition alone.
    """
    parts = [bytes((_VERSION,))]
    for order in deck.generations:
        parts.append(bytes((len(order.cards),)))
        for card, salt in zip(order.cards, order.salts, strict=True):
            parts += [bytes((to_wire(card),)), salt]
    return b"".join(parts)


def public_of(deck: Deck) -> str:
    """Give everything else as JSON with sorted keys. It holds nothing that the log does not."""
    return json.dumps(
        {
            "version": _VERSION,
            "hand_no": deck.hand_no,
            "purpose": deck.purpose,
            "composition": deck.composition,
            "opened_by": deck.opened_by,
            "players": {str(seat): player for seat, player in deck.players.items()},
            "sealed": deck.sealed_generations,
            "given_up": sorted(deck.given_up),
            "reshuffled": deck.reshuffled,
            "roots": [root.hex() for root in deck.roots()],
            "dealt": [[place, position] for place, position in deck.dealt.items()],
            "openings": [
                [opening.table_seq, opening.asker, list(opening.reasons.items())]
                for opening in deck.openings
            ],
            "void_reason": deck.void_reason,
            "read_to": deck.read_to,
            "reserves": deck.reserves,
            "unsealed": sorted(deck.unsealed),
        },
        sort_keys=True,
        separators=(",", ":"),
    )


def deck_of(
    deck: DeckId, state: shuffler_pb2.DeckState.ValueType, public: str, secret: bytes
) -> Deck:
    """Put a stored deck together again. Asserts that it has the roots that were told."""
    facts: dict[str, Any] = json.loads(public)
    assert facts["version"] == _VERSION == secret[0], "a record of another version"
    found = Deck(
        id=deck,
        hand_no=facts["hand_no"],
        purpose=facts["purpose"],
        composition=facts["composition"],
        opened_by=Cause(*facts["opened_by"]),
        players={int(seat): player for seat, player in facts["players"].items()},
        generations=tuple(_orders(deck, secret)),
        state=state,
        sealed_generations=int(facts["sealed"]),  # it was true or false before reshuffles
        dealt={Place(*place): Position(*position) for place, position in facts["dealt"]},
        given_up={Place(*place) for place in facts.get("given_up", ())},
        reshuffled=[
            tuple([Place(*place) for place in places]) for places in facts.get("reshuffled", ())
        ],
        openings=[
            Opening(table_seq, asker, {Place(*place): reason for place, reason in reasons})
            for table_seq, asker, reasons in facts["openings"]
        ],
        void_reason=facts["void_reason"],
        # Records older than this field: the log is read once more from the deck's opening.
        read_to=facts.get("read_to", 0),
        reserves=facts.get("reserves", False),
        unsealed={Place(*place) for place in facts.get("unsealed", ())},
    )
    assert [root.hex() for root in found.roots()] == facts["roots"], "a deck with another root"
    return found


def _orders(deck: DeckId, secret: bytes) -> Iterator[DeckOrder]:
    at, generation = 1, 0
    while at < len(secret):
        begin, size = at + 1, secret[at]
        at = begin + size * _ENTRY_BYTES
        entries = [secret[start : start + _ENTRY_BYTES] for start in range(begin, at, _ENTRY_BYTES)]
        cards = tuple([from_wire(entry[0]) for entry in entries])
        yield DeckOrder(deck, generation, cards, tuple([entry[1:] for entry in entries]))
        generation += 1

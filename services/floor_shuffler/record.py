"""A deck as it is stored: what is public as JSON, its order and salts as bytes to be encrypted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from floor_shuffler.domain.deck import Deck, DeckOrder, Reveal
from floor_shuffler.domain.refs import Cause, DeckIndex, Place
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import from_wire, to_wire
from pokerfloor.fairness import SALT_BYTES, DeckId

_VERSION: Final = 1
_DOMAIN: Final = b"floor/shuffler/record/v1"
_ENTRY_BYTES: Final = 1 + SALT_BYTES


def belongs_to(deck: DeckId) -> bytes:
    """Return what a secret record is bound to."""
    return _DOMAIN + deck.digest()


def secret_of(deck: Deck) -> bytes:
    """Return the bytes that must never be stored as they are.

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
    """Return everything else as JSON with sorted keys. It holds nothing that the log does not."""
    return json.dumps(
        {
            "version": _VERSION,
            "hand_no": deck.hand_no,
            "purpose": deck.purpose,
            "composition": deck.composition,
            "began": deck.began,
            "players": {str(seat): player for seat, player in deck.players.items()},
            "committed_generations": deck.committed_generations,
            "given_up": sorted(deck.given_up),
            "reshuffled": deck.reshuffled,
            "roots": [root.hex() for root in deck.roots()],
            "dealt": [[place, at] for place, at in deck.dealt.items()],
            "reveals": [
                [reveal.table_seq, reveal.asker, list(reveal.reasons.items())]
                for reveal in deck.reveals
            ],
            "void_reason": deck.void_reason,
            "read_to": deck.read_to,
            "sets_aside": deck.sets_aside,
            "unsealed": sorted(deck.unsealed),
        },
        sort_keys=True,
        separators=(",", ":"),
    )


def deck_of(
    deck: DeckId, state: shuffler_pb2.DeckState.ValueType, public: str, secret: bytes
) -> Deck:
    """Rebuild a stored deck. Asserts that it has the roots that were published."""
    facts: dict[str, Any] = json.loads(public)
    assert facts["version"] == _VERSION == secret[0], "a record of another version"
    found = Deck(
        id=deck,
        hand_no=facts["hand_no"],
        purpose=facts["purpose"],
        composition=facts["composition"],
        began=Cause(*facts["began"]),
        players={int(seat): player for seat, player in facts["players"].items()},
        generations=tuple(_orders(deck, secret)),
        state=state,
        committed_generations=facts["committed_generations"],
        dealt={Place(*place): DeckIndex(*at) for place, at in facts["dealt"]},
        given_up=frozenset(_places(facts["given_up"])),
        reshuffled=tuple([_places(places) for places in facts["reshuffled"]]),
        reveals=tuple(
            [
                Reveal(table_seq, asker, {Place(*place): reason for place, reason in reasons})
                for table_seq, asker, reasons in facts["reveals"]
            ]
        ),
        void_reason=facts["void_reason"],
        read_to=facts["read_to"],
        sets_aside=facts["sets_aside"],
        unsealed=frozenset(_places(facts["unsealed"])),
    )
    assert [root.hex() for root in found.roots()] == facts["roots"], "a deck with another root"
    return found


def _places(places: Iterable[list[Any]]) -> tuple[Place, ...]:
    return tuple([Place(*place) for place in places])


def _orders(deck: DeckId, secret: bytes) -> Iterator[DeckOrder]:
    at, generation = 1, 0
    while at < len(secret):
        begin, size = at + 1, secret[at]
        at = begin + size * _ENTRY_BYTES
        entries = [secret[start : start + _ENTRY_BYTES] for start in range(begin, at, _ENTRY_BYTES)]
        cards = tuple([from_wire(entry[0]) for entry in entries])
        yield DeckOrder(deck, generation, cards, tuple([entry[1:] for entry in entries]))
        generation += 1

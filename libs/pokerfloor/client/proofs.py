"""Checks of cards against the root that was public before the first card was dealt."""

from __future__ import annotations

from typing import NoReturn

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.cards import Card, CardError, from_wire
from pokerfloor.client.errors import ProofFailed
from pokerfloor.client.keys import PlayerKeys
from pokerfloor.client.mirror_deck import DeckMirror, PlaceKey, place_text
from pokerfloor.client.mirror_hand import place_key
from pokerfloor.fairness import DeckId, FairnessError, SealedPlace, unseal, verify


class CardChecker:
    """Checks the cards of one table. Each method raises ProofFailed for a card that fails.

    `checked` counts the cards that were proved.
    """

    def __init__(self, table_id: str, keys: PlayerKeys | None) -> None:
        self._table_id = table_id
        self._keys = keys
        self.checked = 0
        # Faces proved in the present deck: in one generation a card cannot lie in two places.
        self._deck_no = 0
        self._faces: dict[tuple[int, Card], PlaceKey] = {}

    def check_opened(self, deck: DeckMirror, opened: cards_pb2.RevealedCard) -> None:
        """Check a card that was revealed to everyone."""
        place = place_key(opened.place)
        if not opened.HasField("proof"):
            self._fail(deck, place, "it came without a proof")
        try:
            card = from_wire(opened.card.code)
        except CardError:
            self._fail(deck, place, f"{opened.card.code} is no card's code")
        proof = opened.proof
        position = (proof.deck_index.generation, proof.deck_index.index)
        self._check_position(deck, place, position)
        root = self._root(deck, place, position[0])
        deck_id = DeckId(self._table_id, deck.deck_no)
        if not verify(root, deck_id, *position, card, proof.salt, list(proof.path)):
            self._fail(deck, place, "it is not the card that was committed")
        self._note(deck, place, position[0], card)

    def unseal_own(self, deck: DeckMirror, box: cards_pb2.SealedBox) -> Card | None:
        """Open and check an own card; None when it is sealed to another key."""
        if self._keys is None or box.key_fingerprint != self._keys.fingerprint:
            return None
        place = place_key(box.place)
        try:
            sealed = unseal(box.ciphertext, bytes(self._keys.private_key))
        except FairnessError as error:
            self._fail(deck, place, error.reason)
        if sealed.place != SealedPlace(*place) or sealed.hand_no != deck.hand_no:
            self._fail(deck, place, "the box holds a card of another place or hand")
        self._check_position(deck, place, (sealed.generation, sealed.index))
        root = self._root(deck, place, sealed.generation)
        if not sealed.proves(root, DeckId(self._table_id, deck.deck_no)):
            self._fail(deck, place, "it is not the card that was committed")
        self._note(deck, place, sealed.generation, sealed.card)
        return sealed.card

    def _root(self, deck: DeckMirror, place: PlaceKey, generation: int) -> bytes:
        root = deck.roots.get(generation)
        if root is None:
            self._fail(deck, place, f"no root of generation {generation} was committed before")
        return root

    def _check_position(self, deck: DeckMirror, place: PlaceKey, position: tuple[int, int]) -> None:
        dealt = deck.positions.get(place)
        if dealt is None:
            self._fail(deck, place, "no card was dealt there")
        if dealt != position:
            self._fail(deck, place, f"dealt from position {dealt}, proved at {position}")

    def _note(self, deck: DeckMirror, place: PlaceKey, generation: int, card: Card) -> None:
        if deck.deck_no != self._deck_no:
            self._deck_no, self._faces = deck.deck_no, {}
        lies_at = self._faces.setdefault((generation, card), place)
        if lies_at != place:
            self._fail(deck, place, f"the same card lies at {place_text(lies_at)}")
        self.checked += 1

    def _fail(self, deck: DeckMirror, place: PlaceKey, why: str) -> NoReturn:
        raise ProofFailed(self._table_id, deck.hand_no, deck.deck_no, place_text(place), why)

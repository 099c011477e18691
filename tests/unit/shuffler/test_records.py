"""Records at rest: what is stored, under which key, and what a thief of the file finds."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from floor_shuffler.__main__ import open_store
from floor_shuffler.domain.deck import COMPOSITIONS, VOID, Deck, DeckOrder, Reveal
from floor_shuffler.domain.refs import Cause
from floor_shuffler.domain.seat_keys import SeatKeys, register
from floor_shuffler.record import belongs_to, deck_of, public_of, secret_of
from floor_shuffler.settings import ShufflerSettings
from floor_shuffler.store import Store
from floor_shuffler.vault import RecordLost, Vault, key_id, make_key, read_key
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.events.v1.table_events_pb2 import KEY_REASON_RETURNED as RETURNED
from pokerfloor.api.events.v1.table_events_pb2 import KEY_REASON_SEATED as SEATED
from pokerfloor.cards import DECKS
from pokerfloor.fairness import DeckId, fingerprint
from pokerfloor.servicekit import CannotStart
from tests.support.shuffler import made_steps as made
from tests.unit.shuffler.test_deck import after, new_deck

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))


def played_deck() -> Deck:
    return replace(
        after(new_deck(), made.hole_cards(1, 2, 3), 0),
        reveals=(Reveal(7, "service:showdown", {made.own(1, 1): hand_pb2.REVEAL_REASON_SHOWDOWN}),),
        given_up=frozenset([made.own(3, 1)]),
        reshuffled=((made.own(3, 1), made.burn(1)),),
        committed_generations=1,
        state=VOID,
        void_reason="a reason",
        read_to=77,
    )


def test_a_deck_is_read_back() -> None:
    for deck in (new_deck(), played_deck()):
        again = deck_of(deck.id, deck.state, public_of(deck), secret_of(deck))
        assert (again, again.read_to) == (deck, deck.read_to)


def test_a_deck_that_was_never_made() -> None:
    deck = replace(played_deck(), generations=(), committed_generations=0, dealt={})
    assert deck_of(deck.id, deck.state, public_of(deck), secret_of(deck)) == deck


def test_another_root_is_found() -> None:
    deck = played_deck()
    order = deck.newest
    swapped = (order.cards[1], order.cards[0], *order.cards[2:])
    other = replace(deck, generations=(DeckOrder(deck.id, 0, swapped, order.salts),))
    with pytest.raises(AssertionError, match="another root"):
        deck_of(deck.id, deck.state, public_of(deck), secret_of(other))


def test_the_public_part_does_not_depend_on_hidden_cards() -> None:
    deck = new_deck()
    reversed_order = DeckOrder(deck.id, 0, deck.newest.cards[::-1], deck.newest.salts)
    other = replace(deck, generations=(reversed_order,))
    assert public_of(deck) == public_of(other)  # not committed yet: no root either
    assert len(secret_of(deck)) == len(secret_of(other))


def test_lengths_depend_on_the_composition_only() -> None:
    sizes = {len(DECKS[deck.name]) for deck in COMPOSITIONS.values()}
    assert sizes == {36, 52, 53, 54}
    vault = Vault(KEY)
    deck = new_deck()
    sealed = vault.encrypt(secret_of(deck), belongs_to(deck.id))
    assert len(sealed) == 2 + 52 * 33 + 40


def test_store_keeps_everything(tmp_path: Path) -> None:
    path = tmp_path / "decks.sqlite"
    store = Store.open(path, Vault(KEY))
    deck = new_deck()
    store.add_deck(deck)
    assert store.table("t") == (0, 1)
    store.note_epoch("t", 5)
    store.note_epoch("t", 3)
    assert store.count_unclosed() == 1
    deck = after(deck, made.hole_cards(1, 2, 3), 0)
    store.save_deck(deck)
    seat = SeatKeys("t", 3, "carol", 9, registrations=2, keys=(KEY, OTHER))
    store.save_seat(seat)
    store.close()

    store = Store.open(path, Vault(KEY))
    assert store.table_and_deck(deck.id) == ((5, 1), deck)
    assert store.seats("t", [1, 3]) == {3: seat}
    assert store.deck(DeckId("t", 2)) is None
    assert store.table("u") == (0, 0)
    with pytest.raises(sqlite3.IntegrityError):
        store.add_deck(deck)
    assert store.table("t") == (5, 1)
    store.close()


def test_the_file_alone_shows_nothing(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "decks.sqlite", Vault(KEY))
    deck = new_deck()
    store.add_deck(deck)
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    store.close()
    assert b'"hand_no":1' in data  # the search looks at the right bytes
    for salt in deck.newest.salts:
        assert salt not in data
    secret = secret_of(deck)
    assert not any(secret[at : at + 16] in data for at in range(len(secret) - 16))


def test_a_key_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "decks.sqlite"
    store = Store.open(path, Vault(KEY))
    old = new_deck()
    store.add_deck(old)
    store.close()
    with pytest.raises(CannotStart, match=key_id(KEY)):
        Store.open(path, Vault(OTHER))
    store = Store.open(path, Vault(OTHER, (KEY,)))
    assert store.deck(old.id) == old
    second = DeckId("t", 2)
    order = DeckOrder(second, 0, old.newest.cards, old.newest.salts)
    new = replace(old, id=second, generations=(order,))
    store.add_deck(new)
    store.close()
    with sqlite3.connect(path) as file:
        rows = dict(file.execute("SELECT deck_no, key_id FROM decks").fetchall())
    file.close()
    assert rows == {1: key_id(KEY), 2: key_id(OTHER)}


def test_keys_as_the_settings_say(tmp_path: Path) -> None:
    settings = ShufflerSettings(key_set=tmp_path / "jwks.json", state_dir=tmp_path)
    store = open_store(settings)
    deck = new_deck()
    store.add_deck(deck)
    store.close()
    key_file, old = tmp_path / "record.key", tmp_path / "old.key"
    key_file.rename(old)
    with pytest.raises(CannotStart, match="is gone"):
        open_store(settings)
    assert not key_file.exists()
    rotated = ShufflerSettings(
        key_set=tmp_path / "jwks.json", state_dir=tmp_path, retired_record_key_files=(old,)
    )
    for _ in range(2):
        store = open_store(rotated)
        assert store.deck(deck.id) == deck
        store.close()
    assert key_file.read_bytes() != old.read_bytes()
    with pytest.raises(CannotStart, match="under keys that are not here"):
        open_store(settings)


def test_a_file_of_another_version(tmp_path: Path) -> None:
    path = tmp_path / "decks.sqlite"
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 9")
    file.close()
    with pytest.raises(CannotStart, match="version 9"):
        Store.open(path, Vault(KEY))
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(CannotStart):
        Store.open(path, Vault(KEY))


def test_records_are_bound_to_their_deck_and_key() -> None:
    vault, deck = Vault(KEY), DeckId("t", 1)
    sealed = vault.encrypt(b"the order", belongs_to(deck))
    assert vault.decrypt(vault.key_id, sealed, belongs_to(deck)) == b"the order"
    assert vault.encrypt(b"the order", belongs_to(deck)) != sealed
    flipped = [sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :] for at in (0, 30, 48)]
    for changed in (sealed[:-1], sealed + b"\x00", b"", *flipped):
        with pytest.raises(RecordLost):
            vault.decrypt(vault.key_id, changed, belongs_to(deck))
    with pytest.raises(RecordLost):
        vault.decrypt(vault.key_id, sealed, belongs_to(DeckId("t", 2)))
    with pytest.raises(RecordLost):
        Vault(OTHER).decrypt(vault.key_id, sealed, belongs_to(deck))
    assert repr(KEY) not in repr(vault)
    assert KEY.hex() not in repr(vault)


def test_key_files(tmp_path: Path) -> None:
    path = tmp_path / "record.key"
    with pytest.raises(CannotStart):
        read_key(path)
    make_key(path)
    key = read_key(path)
    assert len(key) == 32
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["record.key"]
    path.chmod(0o640)
    with pytest.raises(CannotStart, match="0600"):
        read_key(path)
    # One that was put there may be mounted as a secret is: its group reads, and nothing else.
    for mode in (0o400, 0o440, 0o600, 0o640):
        path.chmod(mode)
        assert read_key(path, group_may_read=True) == key
    for mode in (0o444, 0o460, 0o604, 0o644, 0o660):
        path.chmod(mode)
        with pytest.raises(CannotStart, match="0440"):
            read_key(path, group_may_read=True)
    path.chmod(0o600)
    path.write_bytes(b"short")
    with pytest.raises(CannotStart, match="5 bytes"):
        read_key(path)


def test_only_a_key_that_was_named_may_be_its_groups_to_read(tmp_path: Path) -> None:
    mounted = tmp_path / "mounted.key"
    mounted.write_bytes(KEY)
    mounted.chmod(0o440)
    named = ShufflerSettings(
        key_set=tmp_path / "jwks.json", state_dir=tmp_path / "named", record_key_file=mounted
    )
    open_store(named).close()
    own = ShufflerSettings(key_set=tmp_path / "jwks.json", state_dir=tmp_path / "own")
    open_store(own).close()
    (tmp_path / "own" / "record.key").chmod(0o440)
    with pytest.raises(CannotStart, match="0600"):
        open_store(own)


def test_seat_keys() -> None:
    seat = SeatKeys("t", 1, "alice", 4)
    keys = [bytes([number]) * 32 for number in range(4)]
    replaced = []
    for key in keys[:3]:
        seat, event = register(seat, key, SEATED)
        assert event is not None
        replaced.append(event.seat_key_registered.replaced_fingerprint)
    assert replaced == [b"", b"", fingerprint(keys[0])], "a third takes the place of the oldest"
    assert register(seat, keys[1], RETURNED) == (seat, None), "it is live already"
    seat, _ = register(seat, keys[0], RETURNED)
    assert seat.live_for("alice") == (keys[2], keys[0])
    assert seat.registrations == 4
    assert seat.live_for("bob") == ()


def test_causes_compare_by_both_numbers() -> None:
    assert Cause(1, 2) != Cause(2, 1)

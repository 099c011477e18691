"""Every card is checked against the root; one that is not the committed one is never believed."""

import pytest

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as table_events
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.cards import parse_cards, to_wire
from pokerfloor.client import CardChecker, PlayerKeys, ProofFailed, TableMirror
from pokerfloor.fairness import commit
from tests.support.scripted_hand import BOARD, OWN, PLAYER, TABLE, ScriptedHand
from tests.support.scripted_hand import place as place_of


@pytest.fixture
def scripted() -> ScriptedHand:
    return ScriptedHand()


def watched(
    scripted: ScriptedHand, keys: PlayerKeys | None = None
) -> tuple[TableMirror, CardChecker]:
    checker = CardChecker(TABLE, keys)
    mirror = TableMirror(TABLE, PLAYER, checker.check_opened)
    mirror.take_snapshot(scripted.snapshot)
    return mirror, checker


def flop_card(step: table_pb2.StepView) -> cards_pb2.RevealedCard:
    return step.events[3].hand.cards_revealed.cards[0]


def take(mirror: TableMirror, steps: list[table_pb2.StepView]) -> None:
    for step in steps:
        mirror.take_step(step)


def test_an_honest_hand_passes(scripted: ScriptedHand) -> None:
    mirror, checker = watched(scripted)
    take(mirror, scripted.steps)
    assert checker.checked == 7  # five of the board, two shown


@pytest.mark.rule("SHW-3")
def test_a_card_shown_after_the_hand_is_checked_too(scripted: ScriptedHand) -> None:
    mirror, checker = watched(scripted)
    take(mirror, scripted.steps)
    shown = table_pb2.StepView(view_no=16)
    turned = shown.events.add().hand.cards_revealed
    turned.cards.extend(scripted.opened((OWN, 3, 1)))
    other = table_pb2.StepView()
    other.CopyFrom(shown)
    mirror.take_step(shown)
    assert checker.checked == 8
    other.view_no = 17
    other.events[0].hand.cards_revealed.cards[0].card.code = to_wire(parse_cards("9s")[0])
    with pytest.raises(ProofFailed, match=r"s3\.1: it is not the card"):
        mirror.take_step(other)


def test_another_card_fails(scripted: ScriptedHand) -> None:
    mirror, _ = watched(scripted)
    flop_card(scripted.steps[3]).card.code = to_wire(parse_cards("9s")[0])
    with pytest.raises(ProofFailed, match=r"hand 4, deck 6, b0\.1: it is not the card") as failed:
        take(mirror, scripted.steps)
    assert (failed.value.hand_no, failed.value.deck_no, failed.value.place) == (4, 6, "b0.1")


def test_no_proof_fails(scripted: ScriptedHand) -> None:
    mirror, _ = watched(scripted)
    flop_card(scripted.steps[3]).ClearField("proof")
    with pytest.raises(ProofFailed, match="without a proof"):
        take(mirror, scripted.steps)


def test_a_committed_card_of_another_position_fails(scripted: ScriptedHand) -> None:
    """A true card with a true proof, but not the one that was dealt to this place."""
    mirror, _ = watched(scripted)
    cards = scripted.steps[3].events[3].hand.cards_revealed.cards
    first, second = cards_pb2.RevealedCard(), cards_pb2.RevealedCard()
    first.CopyFrom(cards[0])
    second.CopyFrom(cards[1])
    for card, other in ((cards[0], second), (cards[1], first)):
        card.card.CopyFrom(other.card)
        card.proof.CopyFrom(other.proof)
    with pytest.raises(ProofFailed, match=r"dealt from position \(0, 7\), proved at \(0, 8\)"):
        take(mirror, scripted.steps)


def in_mid_hand(scripted: ScriptedHand) -> table_pb2.Snapshot:
    """A snapshot taken when the board was dealt."""
    view = table_pb2.Snapshot()
    view.CopyFrom(scripted.snapshot)
    view.view_no = 14
    hand = view.table.hand
    hand.hand_no, hand.deck_no, hand.root = 4, 6, scripted.commitment.root
    for seat in (1, 3):
        hand.seats.add(seat=seat)
    for step in scripted.steps[:4]:
        for event in step.events:
            dealt = event.hand.places_dealt
            for offset, place in enumerate(dealt.places):
                position = cards_pb2.DeckIndex(index=dealt.first.index + offset)
                hand.dealt.add(place=place, deck_index=position)
    hand.revealed_cards.extend(scripted.steps[3].events[3].hand.cards_revealed.cards)
    return view


def test_positions_are_checked_after_a_snapshot_too(scripted: ScriptedHand) -> None:
    checker = CardChecker(TABLE, None)
    mirror = TableMirror(TABLE, PLAYER, checker.check_opened)
    mirror.take_snapshot(in_mid_hand(scripted))
    mirror.take_step(scripted.steps[4])
    assert checker.checked == 7


def test_a_card_of_another_position_fails_in_a_snapshot_too(scripted: ScriptedHand) -> None:
    snapshot = in_mid_hand(scripted)
    cards = snapshot.table.hand.revealed_cards
    cards[0].card.CopyFrom(cards[1].card)
    cards[0].proof.CopyFrom(cards[1].proof)
    mirror = TableMirror(TABLE, PLAYER, CardChecker(TABLE, None).check_opened)
    with pytest.raises(ProofFailed, match=r"dealt from position \(0, 7\), proved at \(0, 8\)"):
        mirror.take_snapshot(snapshot)


def test_a_card_at_a_place_that_was_never_dealt_fails(scripted: ScriptedHand) -> None:
    snapshot = in_mid_hand(scripted)
    del snapshot.table.hand.dealt[7:]
    mirror = TableMirror(TABLE, PLAYER, CardChecker(TABLE, None).check_opened)
    with pytest.raises(ProofFailed, match=r"b0\.1: no card was dealt there"):
        mirror.take_snapshot(snapshot)


def test_a_root_that_comes_too_late_fails(scripted: ScriptedHand) -> None:
    mirror, _ = watched(scripted)
    del scripted.steps[1].events[0]
    with pytest.raises(ProofFailed, match="no root"):
        take(mirror, scripted.steps)


def test_a_face_that_is_no_card_fails(scripted: ScriptedHand) -> None:
    mirror, _ = watched(scripted)
    flop_card(scripted.steps[3]).card.code = 99
    with pytest.raises(ProofFailed, match="no card's code"):
        take(mirror, scripted.steps)


def test_own_cards_open_with_the_own_key_only(scripted: ScriptedHand) -> None:
    keys = PlayerKeys.create()
    mirror, checker = watched(scripted, keys)
    take(mirror, scripted.steps[:2])
    assert mirror.deck is not None
    own = scripted.hole_cards(keys.public_key, keys.fingerprint)
    assert [checker.unseal_own(mirror.deck, box) for box in own.boxes] == list(parse_cards("AsAd"))
    other = PlayerKeys.create()
    foreign = scripted.hole_cards(other.public_key, other.fingerprint)
    assert checker.unseal_own(mirror.deck, foreign.boxes[0]) is None


def test_a_box_that_was_changed_fails(scripted: ScriptedHand) -> None:
    keys = PlayerKeys.create()
    mirror, checker = watched(scripted, keys)
    take(mirror, scripted.steps[:2])
    assert mirror.deck is not None
    box = scripted.box(1, keys.public_key, keys.fingerprint)
    box.ciphertext = bytes([box.ciphertext[0] ^ 1]) + box.ciphertext[1:]
    with pytest.raises(ProofFailed, match=r"s1\.1"):
        checker.unseal_own(mirror.deck, box)


def test_a_box_at_another_place_fails(scripted: ScriptedHand) -> None:
    keys = PlayerKeys.create()
    mirror, checker = watched(scripted, keys)
    take(mirror, scripted.steps[:2])
    assert mirror.deck is not None
    box = scripted.box(1, keys.public_key, keys.fingerprint)
    box.place.slot = 2
    with pytest.raises(ProofFailed, match="another place"):
        checker.unseal_own(mirror.deck, box)


def test_an_own_card_under_another_root_fails(scripted: ScriptedHand) -> None:
    keys = PlayerKeys.create()
    mirror, checker = watched(scripted, keys)
    scripted.steps[1].events[0].deck_committed.root = bytes(32)
    take(mirror, scripted.steps[:2])
    assert mirror.deck is not None
    with pytest.raises(ProofFailed, match="not the card that was committed"):
        checker.unseal_own(mirror.deck, scripted.box(1, keys.public_key, keys.fingerprint))


def test_the_same_card_cannot_lie_in_two_places(scripted: ScriptedHand) -> None:
    """A root over a deck that holds a card twice proves both; only the player can see it."""
    keys = PlayerKeys.create()
    mirror, checker = watched(scripted, keys)
    take(mirror, scripted.steps[:2])
    assert mirror.deck is not None
    checker.unseal_own(mirror.deck, scripted.box(1, keys.public_key, keys.fingerprint))
    (opened,) = scripted.opened((OWN, 1, 1))
    opened.place.kind, opened.place.owner = cards_pb2.PLACE_KIND_BOARD, 0
    mirror.deck.positions[(BOARD, 0, 1)] = (0, opened.proof.deck_index.index)
    assert opened.place.kind == BOARD
    with pytest.raises(ProofFailed, match=r"the same card lies at s1\.1"):
        checker.check_opened(mirror.deck, opened)


def with_events(view_no: int, *events: table_events.TableEvent) -> table_pb2.StepView:
    return table_pb2.StepView(view_no=view_no, events=events)


def test_a_deck_without_a_root_is_a_shoe_only_where_real_cards_are_dealt(
    scripted: ScriptedHand,
) -> None:
    mirror, _ = watched(scripted)
    scripted.steps[1].events[0].deck_committed.root = b""
    with pytest.raises(ProofFailed, match=r"deck 6, deck: 0 bytes are no root"):
        take(mirror, scripted.steps)


def forged_flop(scripted: ScriptedHand) -> bytes:
    """Turn the flop into cards of a deck of the table's own making; gives that deck's root."""
    forged = commit(scripted.deck, 0, scripted.cards[::-1], scripted.salts)
    for opened in scripted.steps[3].events[3].hand.cards_revealed.cards:
        index = opened.proof.deck_index.index
        opened.card.code = to_wire(scripted.cards[::-1][index])
        del opened.proof.path[:]
        opened.proof.path.extend(forged.prove(index))
    return forged.root


def test_a_second_root_for_the_same_deck_fails(scripted: ScriptedHand) -> None:
    """The table commits to another deck when it knows what it would like on the flop."""
    mirror, _ = watched(scripted)
    committed = table_events.DeckCommitted(deck_no=6, root=forged_flop(scripted), size=52)
    scripted.steps[3].events.insert(0, table_events.TableEvent(deck_committed=committed))
    with pytest.raises(ProofFailed, match="generation 0 was committed to with another root"):
        take(mirror, scripted.steps)


def test_a_snapshot_with_another_root_fails(scripted: ScriptedHand) -> None:
    mirror, _ = watched(scripted)
    take(mirror, scripted.steps[:3])
    later = in_mid_hand(scripted)
    later.table.hand.root = forged_flop(scripted)
    with pytest.raises(ProofFailed, match="generation 0 was committed to with another root"):
        mirror.take_snapshot(later)


def test_the_same_deck_is_not_opened_twice(scripted: ScriptedHand) -> None:
    mirror, _ = watched(scripted)
    take(mirror, scripted.steps[:3])
    again = with_events(14, scripted.steps[0].events[0])
    with pytest.raises(ProofFailed, match="deck 6 was in use already"):
        mirror.take_step(again)


def test_nor_after_a_snapshot_that_hides_the_hand(scripted: ScriptedHand) -> None:
    mirror, _ = watched(scripted)
    take(mirror, scripted.steps[:3])
    scripted.snapshot.view_no = 14
    mirror.take_snapshot(scripted.snapshot)
    later = in_mid_hand(scripted)
    later.table.hand.root = forged_flop(scripted)
    with pytest.raises(ProofFailed, match="deck 6 was in use already"):
        mirror.take_snapshot(later)


@pytest.mark.parametrize(
    ("place", "first", "why"),
    [
        ((BOARD, 0, 1), 14, r"b0\.1: it was dealt from position \(0, 7\)"),
        ((BOARD, 1, 1), 15, r"b1\.1: dealt from index 15 where 14 is next"),
        ((BOARD, 1, 1), 7, r"b1\.1: position \(0, 7\) is dealt to b0\.1"),
    ],
)
def test_a_place_has_one_position_and_a_position_one_place(
    scripted: ScriptedHand, place: tuple[int, int, int], first: int, why: str
) -> None:
    mirror, _ = watched(scripted)
    take(mirror, scripted.steps[:4])
    event = table_events.TableEvent()
    dealt = event.hand.places_dealt
    dealt.places.append(place_of(place))
    dealt.first.index = first
    with pytest.raises(ProofFailed, match=why):
        mirror.take_step(with_events(15, event))


def test_a_hand_is_not_shown_as_another_seats(scripted: ScriptedHand) -> None:
    mirror, _ = watched(scripted)
    for event in scripted.steps[4].events:
        if event.hand.HasField("hand_shown"):
            event.hand.hand_shown.seat = 2
    with pytest.raises(ProofFailed, match="it is shown as another seat's card"):
        take(mirror, scripted.steps)


def test_a_snapshot_between_hands_keeps_the_last_deck(scripted: ScriptedHand) -> None:
    """A card shown after it is checked still; a hand that was missed is not taken for it."""
    mirror, checker = watched(scripted)
    take(mirror, scripted.steps)
    scripted.snapshot.view_no = 15
    for hands, checked in ((4, 8), (5, 8)):
        scripted.snapshot.table.hands = hands
        mirror.take_snapshot(scripted.snapshot)
        event = table_events.TableEvent()
        event.hand.cards_revealed.cards.extend(scripted.opened((OWN, 3, 1)))
        mirror.take_step(with_events(16, event))
        assert checker.checked == checked

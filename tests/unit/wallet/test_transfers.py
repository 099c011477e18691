"""Money moved by hand between accounts that no table holds; on every store."""

from __future__ import annotations

from typing import Any

from floor_wallet.domain import (
    MAX_MINOR,
    AccountKey,
    AccountKind,
    EntryKind,
    Posted,
    cash,
    escrow,
    house,
    rake,
    reserved,
    suspense,
    table_pot,
    tips,
    tournament_pool,
)
from pokerfloor.api.common.v1 import errors_pb2
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.moves import entry_facts, last_entry, move
from tests.support.wallet.refused import refusal

ANN, BOB = cash("ann", "EUR"), cash("bob", "EUR")
HOUSE, SUSPENSE, TIPS, RAKE = house("EUR"), suspense("EUR"), tips("r", "EUR"), rake("r", "EUR")
INVALID = errors_pb2.ERROR_CODE_INVALID_FIELD
UNKNOWN = errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT
TOO_FEW = errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS


async def test_from_one_player_to_another(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    ledger.now_ms = 20_000
    posted = await move(ledger, ANN, BOB, 1_200, "m1", reason="lost bet")
    assert posted == Posted(3, 3_800)  # of two players, the one who paid
    assert (await ledger.cash("ann"), await ledger.cash("bob")) == (3_800, 6_200)
    entry = await last_entry(ledger)
    draft = entry.draft
    assert (draft.kind, draft.reference, draft.note) == (EntryKind.TRANSFER, "m1", "lost bet")
    assert (draft.entry_id, draft.at_ms, draft.table_id) == ("request/4:desk/m1", 20_000, "")
    subject, fact = (await entry_facts(ledger))[-1]
    assert subject == "floor.ledger.cash.entry_posted"
    assert (fact.entry_no, fact.amount_minor, EntryKind(fact.kind)) == (
        3,
        1_200,
        EntryKind.TRANSFER,
    )


async def test_tips_suspense_and_rake(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=5_000)
    assert (await move(ledger, ANN, TIPS, 300, "m1")).balance_minor == 4_700
    assert (await move(ledger, TIPS, ANN, 100, "m2")).balance_minor == 4_800
    assert (await move(ledger, HOUSE, RAKE, 900, "m3")).balance_minor == -5_900
    assert (await move(ledger, RAKE, HOUSE, 250, "m4")).balance_minor == 650
    # What lies in suspense may be either side's.
    assert (await move(ledger, SUSPENSE, ANN, 40, "m5")).balance_minor == 4_840
    assert (await move(ledger, TIPS, SUSPENSE, 50, "m6")).balance_minor == 150
    assert await ledger.totals() == {
        "PLAYER_CASH": 4_840,
        "TIPS": 150,
        "RAKE": 650,
        "SUSPENSE": 10,
        "HOUSE": -5_650,
    }


async def test_the_same_id_answers_as_the_first_time(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    first = await move(ledger, ANN, BOB, 5_000)
    assert await move(ledger, ANN, BOB, 5_000) == first
    assert await ledger.cash("bob") == 10_000
    await move(ledger, BOB, ANN, 1, caller="other desk")  # ids are the callers' own
    reused = errors_pb2.ERROR_CODE_ID_REUSED
    assert await refusal(move(ledger, ANN, BOB, 4_999)) == reused
    assert await refusal(move(ledger, BOB, ANN, 5_000)) == reused
    assert await refusal(move(ledger, ANN, TIPS, 5_000)) == reused
    assert await refusal(move(ledger, ANN, BOB, 5_000, reason="else")) == reused
    assert await refusal(ledger.deposit("ann", 5_000, "m1")) == reused
    assert await refusal(move(ledger, ANN, BOB, 1, "first-ann")) == reused


async def test_a_refusal_is_not_remembered(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    assert await refusal(move(ledger, ANN, BOB, 5_001)) == TOO_FEW
    await ledger.deposit("ann", 1, "d1")
    assert (await move(ledger, ANN, BOB, 5_001)).balance_minor == 0


async def test_no_more_than_is_there(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    other_room = rake("else", "EUR")
    await move(ledger, HOUSE, other_room, 900, "rake")
    before = await ledger.totals()
    for source, amount in ((ANN, 5_001), (TIPS, 1), (RAKE, 1), (other_room, 901)):
        assert await refusal(move(ledger, source, BOB, amount)) == TOO_FEW, source
    assert await ledger.totals() == before


WRONG_ACCOUNTS = [
    (ANN, ANN, INVALID),
    (ANN, cash("eve", "EUR"), UNKNOWN),
    (cash("eve", "EUR"), ANN, UNKNOWN),
    (HOUSE, suspense("USD"), errors_pb2.ERROR_CODE_CURRENCY_MISMATCH),
    (house("USD"), suspense("USD"), UNKNOWN),
    (house("eur"), suspense("eur"), INVALID),
    (ANN, cash("a/b", "EUR"), INVALID),
    (ANN, cash("", "EUR"), INVALID),
    (ANN, AccountKey(AccountKind.HOUSE, "ann", "EUR"), INVALID),
    (ANN, AccountKey(AccountKind.SUSPENSE, "x", "EUR"), INVALID),
    (ANN, tips("r" * 65, "EUR"), INVALID),
    (ANN, tips("a\nb", "EUR"), INVALID),
    (ANN, tips("a\x00b", "EUR"), INVALID),
    (ANN, reserved("ann", "EUR"), INVALID),
    (escrow("t1", "ann", "EUR"), ANN, INVALID),
    (table_pot("t1", "EUR"), ANN, INVALID),
    (ANN, tournament_pool("t1", "EUR"), INVALID),
]


async def test_accounts_that_do_not_go(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=5_000)
    for source, target, code in WRONG_ACCOUNTS:
        assert await refusal(move(ledger, source, target, 1)) == code, (source, target)
    assert await ledger.totals() == {"PLAYER_CASH": 5_000, "HOUSE": -5_000}


BAD_TRANSFERS: list[tuple[dict[str, Any], int]] = [
    ({"amount": 0}, errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
    ({"amount": -1}, errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
    ({"amount": MAX_MINOR + 1}, errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
    ({"amount": 2**63 - 1}, errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
    ({"request_id": ""}, errors_pb2.ERROR_CODE_BAD_COMMAND_ID),
    ({"request_id": "é"}, errors_pb2.ERROR_CODE_BAD_COMMAND_ID),
    ({"reason": ""}, INVALID),
    ({"reason": "   "}, INVALID),
    ({"reason": "a\nb"}, INVALID),
    ({"reason": "x" * 129}, INVALID),
]


async def test_bad_transfers(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    for change, code in BAD_TRANSFERS:
        asked: dict[str, Any] = {"amount": 5, "request_id": "m1", **change}
        assert await refusal(move(ledger, ANN, BOB, **asked)) == code, change
    assert await ledger.cash("bob") == 5_000


async def test_a_balance_never_passes_the_limit(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=MAX_MINOR)
    before = await ledger.totals()
    code = await refusal(move(ledger, SUSPENSE, ANN, 1))
    assert code == errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE
    assert await ledger.totals() == before

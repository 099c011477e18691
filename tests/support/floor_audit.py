"""The audit that `make run` ends with, at a floor of a test."""

from __future__ import annotations

from collections.abc import Sequence

from pokerfloor.operations import StaffClient, audit_floor
from pokerfloor.rpc import fixed_token
from tests.support.floor import EURO, Floor


async def assert_books_balance(floor: Floor, table_ids: Sequence[str]) -> None:
    """No difference between tables and ledger; the tables must be between hands."""
    token = fixed_token(floor.identities.token("auditor", "operations", "cashier"))
    addresses = floor.services["table"].address, floor.services["wallet"].address
    async with StaffClient(*addresses, operator=token, cashier=token, currency=EURO) as staff:
        report = await audit_floor(staff, table_ids)
    assert report.differences == []
    assert report.hands_settled

"""Tables: made known by a call of their owner and by their own log, which must agree."""

from __future__ import annotations

from dataclasses import dataclass

from floor_wallet.domain import fields
from floor_wallet.domain.book import Book
from floor_wallet.domain.cashier import check_currency_known_as
from floor_wallet.domain.refusal import CannotSettle
from floor_wallet.domain.state import TableRecord
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal


@dataclass(frozen=True, slots=True)
class TableTerms:
    """A table's room, currency and limits in minor units.

    `point_price_minor` is what one point is worth at a table that plays for points (OFC-20), 0 at
    one that plays for money; only the log states it.
    """

    room_id: str
    currency: str
    exponent: int
    max_buy_in_minor: int
    max_rake_minor: int
    point_price_minor: int = 0


def register_table(
    table_id: str, terms: TableTerms, owner_epoch: int, book: Book
) -> Refusal | None:
    """Take a table's terms from its owner. A repeat is fine; new limits replace the old.

    Refusals: bad fields, STALE_EPOCH, TABLE_EXISTS when it is known with another room or
    currency, CURRENCY_MISMATCH.
    """
    refusal = (
        fields.check_table_id(table_id)
        or fields.check_room_id(terms.room_id)
        or fields.check_currency(terms.currency, "currency.code")
        or fields.check_exponent(terms.exponent)
        or fields.check_limit(terms.max_buy_in_minor, "max_buy_in_minor")
        or fields.check_limit(terms.max_rake_minor, "max_rake_minor")
        or fields.check_number(owner_epoch, "owner_epoch")
    )
    if refusal:
        return refusal
    table = book.table(table_id) or TableRecord(table_id)
    if refusal := _check_epoch(table, owner_epoch):
        return refusal
    field = _other_place(table, terms)
    if field:
        return Refusal(
            errors_pb2.ERROR_CODE_TABLE_EXISTS, "the table is known with another one", field
        )
    if refusal := check_currency_known_as(book, terms.currency, terms.exponent):
        return refusal
    book.put_table(
        table._replace(
            room_id=terms.room_id,
            currency=terms.currency,
            called_max_buy_in_minor=terms.max_buy_in_minor,
            called_max_rake_minor=terms.max_rake_minor,
            call_epoch=owner_epoch,
        )
    )
    return None


def terms_from_log(
    terms: TableTerms, table: TableRecord, book: Book
) -> TableRecord | CannotSettle | Refusal:
    """Return the table with the terms that its log states."""
    field = _other_place(table, terms) or _other_price(table, terms)
    if field:
        return CannotSettle(f"the log tells another {field} than the table is known with")
    refusal = (
        fields.check_room_id(terms.room_id, "settings.room_id")
        or fields.check_currency(terms.currency, "settings.stake.money.code")
        or fields.check_exponent(terms.exponent, "settings.stake.money.exponent")
        or fields.check_limit(terms.max_buy_in_minor, "settings.buy_in.max_minor")
        or fields.check_limit(terms.max_rake_minor, "settings.rake.caps")
        or fields.check_limit(terms.point_price_minor, "settings.stake.points.point_price_minor")
        or check_currency_known_as(book, terms.currency, terms.exponent)
    )
    if refusal:
        return refusal
    return table._replace(
        room_id=terms.room_id,
        currency=terms.currency,
        logged_max_buy_in_minor=terms.max_buy_in_minor,
        logged_max_rake_minor=terms.max_rake_minor,
        point_price_minor=terms.point_price_minor,
    )


def registered_table(table_id: str, owner_epoch: int, book: Book) -> TableRecord | Refusal:
    """Return the table of an owner's call, noting its epoch.

    Refusals: bad fields, TABLE_NOT_REGISTERED, STALE_EPOCH.
    """
    refusal = fields.check_table_id(table_id) or fields.check_number(owner_epoch, "owner_epoch")
    if refusal:
        return refusal
    table = book.table(table_id)
    if table is None or not table.registered:
        return Refusal(
            errors_pb2.ERROR_CODE_TABLE_NOT_REGISTERED,
            "the table is not registered with the wallet",
            "table_id",
        )
    if refusal := _check_epoch(table, owner_epoch):
        return refusal
    if owner_epoch > table.call_epoch:
        table = table._replace(call_epoch=owner_epoch)
        book.put_table(table)
    return table


def _check_epoch(table: TableRecord, owner_epoch: int) -> Refusal | None:
    """Refuse (STALE_EPOCH) an owner that is older than the newest seen in calls or the log."""
    newest = max(table.call_epoch, table.log_epoch)
    if owner_epoch >= newest:
        return None
    return Refusal(
        errors_pb2.ERROR_CODE_STALE_EPOCH,
        f"the table's owner is at epoch {newest}",
        "owner_epoch",
    )


def _other_place(table: TableRecord, terms: TableTerms) -> str:
    if not table.registered:
        return ""
    if table.room_id != terms.room_id:
        return "room_id"
    return "currency" if table.currency != terms.currency else ""


def _other_price(table: TableRecord, terms: TableTerms) -> str:
    told_before = table.logged_max_rake_minor is not None
    same = table.point_price_minor == terms.point_price_minor
    return "price of a point" if told_before and not same else ""

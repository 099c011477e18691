"""Tables: made known by a call of their owner and by their own log, which must agree."""

from __future__ import annotations

from dataclasses import dataclass

from floor_wallet.domain import fields
from floor_wallet.domain.book import Book
from floor_wallet.domain.cashier import check_currency_known_as
from floor_wallet.domain.refusal import CannotSettle, Refused
from floor_wallet.domain.state import TableRecord
from pokerfloor.api.common.v1 import errors_pb2


@dataclass(frozen=True, slots=True)
class TableTerms:
    """A table's room, currency and limits in minor units.

    `point_price_minor` is what one point is worth at a table that plays for points (OFC-20), 0 at
    one that plays for money; only the log tells it.
    """

    room_id: str
    currency: str
    exponent: int
    max_buy_in_minor: int
    max_rake_minor: int
    point_price_minor: int = 0


def register_table(table_id: str, terms: TableTerms, owner_epoch: int, book: Book) -> None:
    """Take a table's terms from its owner. A repeat is fine; new limits replace the old.

    Raises Refused: bad fields, STALE_EPOCH, TABLE_EXISTS when it is known with another room or
    currency, CURRENCY_MISMATCH.
    """
    fields.check_table_id(table_id)
    fields.check_room_id(terms.room_id)
    fields.check_currency(terms.currency, "currency.code")
    fields.check_exponent(terms.exponent)
    fields.check_limit(terms.max_buy_in_minor, "max_buy_in_minor")
    fields.check_limit(terms.max_rake_minor, "max_rake_minor")
    fields.check_number(owner_epoch, "owner_epoch")
    table = book.table(table_id) or TableRecord(table_id)
    check_epoch(table, owner_epoch)
    field = _other_place(table, terms)
    if field:
        raise Refused(
            errors_pb2.ERROR_CODE_TABLE_EXISTS, "the table is known with another one", field
        )
    check_currency_known_as(book, terms.currency, terms.exponent)
    book.put_table(
        table._replace(
            room_id=terms.room_id,
            currency=terms.currency,
            called_max_buy_in_minor=terms.max_buy_in_minor,
            called_max_rake_minor=terms.max_rake_minor,
            call_epoch=owner_epoch,
        )
    )


def take_terms_from_log(terms: TableTerms, table: TableRecord, book: Book) -> TableRecord:
    """Give the table with the terms its log tells. Raises CannotSettle, Refused."""
    field = _other_place(table, terms) or _other_price(table, terms)
    if field:
        raise CannotSettle(f"the log tells another {field} than the table is known with")
    fields.check_room_id(terms.room_id, "settings.room_id")
    fields.check_currency(terms.currency, "settings.stake.money.code")
    fields.check_exponent(terms.exponent, "settings.stake.money.exponent")
    fields.check_limit(terms.max_buy_in_minor, "settings.buy_in.max_minor")
    fields.check_limit(terms.max_rake_minor, "settings.rake.caps")
    fields.check_limit(terms.point_price_minor, "settings.stake.points.point_price_minor")
    check_currency_known_as(book, terms.currency, terms.exponent)
    return table._replace(
        room_id=terms.room_id,
        currency=terms.currency,
        logged_max_buy_in_minor=terms.max_buy_in_minor,
        logged_max_rake_minor=terms.max_rake_minor,
        point_price_minor=terms.point_price_minor,
    )


def registered_table(table_id: str, owner_epoch: int, book: Book) -> TableRecord:
    """Give the table of an owner's call, noting its epoch.

    Raises Refused: TABLE_NOT_REGISTERED, STALE_EPOCH.
    """
    fields.check_table_id(table_id)
    fields.check_number(owner_epoch, "owner_epoch")
    table = book.table(table_id)
    if table is None or not table.registered:
        raise Refused(
            errors_pb2.ERROR_CODE_TABLE_NOT_REGISTERED,
            "the table is not registered with the wallet",
            "table_id",
        )
    check_epoch(table, owner_epoch)
    if owner_epoch > table.call_epoch:
        table = table._replace(call_epoch=owner_epoch)
        book.put_table(table)
    return table


def check_epoch(table: TableRecord, owner_epoch: int) -> None:
    """Refuse (STALE_EPOCH) an owner that is older than the newest seen in calls or the log."""
    newest = max(table.call_epoch, table.log_epoch)
    if owner_epoch < newest:
        raise Refused(
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

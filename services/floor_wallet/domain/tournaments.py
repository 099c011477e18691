"""A tournament's money: entries into its pool, prizes out of it, entries given back (TLT)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from floor_wallet.domain import accounts, fields
from floor_wallet.domain.accounts import AccountKey
from floor_wallet.domain.book import Book, post
from floor_wallet.domain.commands import Call, Posted, digest, posted_by
from floor_wallet.domain.entries import Draft, EntryKind
from floor_wallet.domain.reads import Reads
from floor_wallet.domain.refusal import unknown_account
from floor_wallet.domain.state import TableRecord
from floor_wallet.domain.tables import registered_table
from floor_wallet.domain.undoing import already_undone, check_stands, mirror_of, refund_id
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal


class TournamentMove(StrEnum):
    """What a tournament's table asks for; the values are those of the call."""

    ENTRY = "entry"
    PRIZE = "prize"
    REFUND = "refund"


@dataclass(frozen=True, slots=True)
class PostTournament:
    """Move a tournament's money; amounts in minor units.

    The table scopes the command's id, so that a new owner of the table may ask again. Of a refund,
    player and amounts are those of the entry, and `entry_command_id` is its id.
    """

    move: TournamentMove
    command_id: str
    table_id: str
    player_id: str
    prize_minor: int
    fee_minor: int
    currency: str
    owner_epoch: int
    entry_command_id: str = ""

    @property
    def reads(self) -> Reads:
        """What it is known to read."""
        return Reads(
            commands=((_scope(self.table_id), self.command_id),),
            accounts=(
                accounts.cash(self.player_id, self.currency),
                accounts.tournament_pool(self.table_id, self.currency),
            ),
            tables=(self.table_id,),
        )


def post_tournament(command: PostTournament, book: Book, *, at_ms: int) -> Posted | Refusal:
    """Post an entry, a prize or a refund, or give the first answer again.

    A refund that comes before its entry leaves a tombstone, and is answered without an entry.

    Refusals: bad fields, TABLE_NOT_REGISTERED, STALE_EPOCH, CURRENCY_MISMATCH, ID_REUSED,
    ROLLED_BACK (an entry whose refund came first), ALREADY_REVERSED (a second refund),
    UNKNOWN_ACCOUNT, INSUFFICIENT_FUNDS, AMOUNT_OUT_OF_RANGE.
    """
    if refusal := _check_fields(command):
        return refusal
    table = registered_table(command.table_id, command.owner_epoch, book)
    if isinstance(table, Refusal):
        return table
    if command.currency != table.currency:
        return Refusal(
            errors_pb2.ERROR_CODE_CURRENCY_MISMATCH,
            f"the tournament is played for {table.currency}",
            "currency",
        )
    call = _call(command, command.move, command.command_id)
    if first := call.answered(book):
        return first if isinstance(first, Refusal) else _repeated(first, command)
    if command.move is TournamentMove.REFUND:
        posted = _refund(command, book, at_ms)
    else:
        posted = _pay(command, call.entry_id, table, book, at_ms)
    if isinstance(posted, Refusal):
        return posted
    return call.answer(posted, book, at_ms=at_ms)


def _check_fields(command: PostTournament) -> Refusal | None:
    refusal = (
        fields.check_command_id(command.command_id)
        or fields.check_player_id(command.player_id)
        or fields.check_currency(command.currency)
        or fields.check_limit(command.prize_minor, "prize_minor")
        or fields.check_limit(command.fee_minor, "fee_minor")
        or fields.check_amount(command.prize_minor + command.fee_minor, "prize_minor")
    )
    if refusal:
        return refusal
    if command.move is TournamentMove.PRIZE and command.fee_minor:
        return fields.invalid("a prize has no fee", "fee_minor")
    if command.move is TournamentMove.REFUND:
        if command.entry_command_id == command.command_id:
            return fields.invalid("a refund has an id of its own", "entry_command_id")
        return fields.check_command_id(command.entry_command_id, "entry_command_id")
    if command.entry_command_id:
        return fields.invalid("only a refund names an entry", "entry_command_id")
    return None


def _call(command: PostTournament, move: TournamentMove, command_id: str) -> Call:
    content_hash = digest(
        f"tournament {move}",
        command.player_id,
        command.prize_minor,
        command.fee_minor,
        command.currency,
        command.entry_command_id if move is TournamentMove.REFUND else "",
    )
    return Call(_scope(command.table_id), command_id, content_hash)


def _scope(table_id: str) -> str:
    return f"tournament/{table_id}"


def _repeated(first: Posted, command: PostTournament) -> Posted | Refusal:
    # Only a tombstone and the refund that left it have no entry.
    if first.entry_no == 0 and command.move is TournamentMove.ENTRY:
        return Refusal(
            errors_pb2.ERROR_CODE_ROLLED_BACK, "it was given back before it came", "command_id"
        )
    return first


def _pay(
    command: PostTournament, entry_id: str, table: TableRecord, book: Book, at_ms: int
) -> Posted | Refusal:
    player = accounts.cash(command.player_id, command.currency)
    if book.account(player) is None:
        return unknown_account("the player has no account in this currency", "player_id")
    return _post(command, entry_id, _movements(command, player, table), book, at_ms)


def _movements(
    command: PostTournament, player: AccountKey, table: TableRecord
) -> tuple[tuple[AccountKey, int], ...]:
    pool = accounts.tournament_pool(command.table_id, command.currency)
    if command.move is TournamentMove.PRIZE:
        return (pool, -command.prize_minor), (player, command.prize_minor)
    paid = [
        (pool, command.prize_minor),
        (accounts.rake(table.room_id, command.currency), command.fee_minor),
    ]
    into = [moved for moved in paid if moved[1]]
    return (player, -sum(amount for _, amount in into)), *into


def _refund(command: PostTournament, book: Book, at_ms: int) -> Posted | Refusal:
    """Undo the entry, or answer it in advance without one: that is its tombstone."""
    entered = _call(command, TournamentMove.ENTRY, command.entry_command_id)
    paid = entered.answered(book)
    if isinstance(paid, Refusal):
        return replace(paid, field="entry_command_id")
    if paid is None:
        state = book.account(accounts.cash(command.player_id, command.currency))
        nothing = Posted(0, state.balance_minor if state else 0)
        return entered.answer(nothing, book, at_ms=at_ms)
    if paid.entry_no == 0:
        return already_undone("entry_command_id")
    if refusal := check_stands(paid.entry_no, "entry_command_id", book):
        return refusal
    entry = book.entry(paid.entry_no)
    assert entry is not None, "a call that was answered with an entry has posted it"
    return _post(command, refund_id(paid.entry_no), mirror_of(entry), book, at_ms)


def _post(
    command: PostTournament,
    entry_id: str,
    movements: tuple[tuple[AccountKey, int], ...],
    book: Book,
    at_ms: int,
) -> Posted | Refusal:
    draft = Draft(
        kind=EntryKind.TOURNAMENT,
        entry_id=entry_id,
        currency=command.currency,
        at_ms=at_ms,
        movements=movements,
        table_id=command.table_id,
        reference=command.command_id,
        note=command.move.value,
    )
    entry = post(book, draft)
    return replace(entry, field="prize_minor") if isinstance(entry, Refusal) else posted_by(entry)

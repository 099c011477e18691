"""The rules of the ledger: pure, no clock, no I/O. See the service's README.md."""

from floor_wallet.domain.accounts import (
    NEVER_NEGATIVE,
    AccountKey,
    AccountKind,
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
from floor_wallet.domain.book import Book, Savepoint, ledger_subject
from floor_wallet.domain.cashier import MoveCash, OpenAccount, move_cash, open_account
from floor_wallet.domain.commands import Posted
from floor_wallet.domain.entries import (
    Draft,
    Entry,
    EntryKind,
    Posting,
    chain,
    content_digest,
    seal,
)
from floor_wallet.domain.facts import (
    Commit,
    Fact,
    HandOver,
    HandVoid,
    Leave,
    LogStep,
    Release,
    SeatStacks,
)
from floor_wallet.domain.fields import (
    MAX_MINOR,
    MAX_NUMBER,
    check_currency,
    check_number,
    check_player_id,
    check_table_id,
)
from floor_wallet.domain.read_step import read_step, terms_of
from floor_wallet.domain.reads import Reads
from floor_wallet.domain.refusal import BookRefused
from floor_wallet.domain.reservations import (
    ExpireReservation,
    Reserve,
    VoidReservation,
    expire,
    reserve,
    void,
)
from floor_wallet.domain.reversals import AskReversal, Reverse, ask_reversal, reverse
from floor_wallet.domain.settlement import BatchOutcome, settle_steps
from floor_wallet.domain.state import (
    GENESIS,
    AccountState,
    CommandRecord,
    Head,
    Reservation,
    ReservationState,
    ReversalAsked,
    SettledHand,
    TableRecord,
)
from floor_wallet.domain.step_reads import reads_of_steps
from floor_wallet.domain.tables import TableTerms, register_table
from floor_wallet.domain.tournaments import PostTournament, TournamentMove, post_tournament
from floor_wallet.domain.transfers import OF_THE_HOUSE, Transfer, transfer
from pokerfloor.refusal import Refusal

__all__ = [
    "GENESIS",
    "MAX_MINOR",
    "MAX_NUMBER",
    "NEVER_NEGATIVE",
    "OF_THE_HOUSE",
    "AccountKey",
    "AccountKind",
    "AccountState",
    "AskReversal",
    "BatchOutcome",
    "Book",
    "BookRefused",
    "CommandRecord",
    "Commit",
    "Draft",
    "Entry",
    "EntryKind",
    "ExpireReservation",
    "Fact",
    "HandOver",
    "HandVoid",
    "Head",
    "Leave",
    "LogStep",
    "MoveCash",
    "OpenAccount",
    "PostTournament",
    "Posted",
    "Posting",
    "Reads",
    "Refusal",
    "Release",
    "Reservation",
    "ReservationState",
    "Reserve",
    "ReversalAsked",
    "Reverse",
    "Savepoint",
    "SeatStacks",
    "SettledHand",
    "TableRecord",
    "TableTerms",
    "TournamentMove",
    "Transfer",
    "VoidReservation",
    "ask_reversal",
    "cash",
    "chain",
    "check_currency",
    "check_number",
    "check_player_id",
    "check_table_id",
    "content_digest",
    "escrow",
    "expire",
    "house",
    "ledger_subject",
    "move_cash",
    "open_account",
    "post_tournament",
    "rake",
    "read_step",
    "reads_of_steps",
    "register_table",
    "reserve",
    "reserved",
    "reverse",
    "seal",
    "settle_steps",
    "suspense",
    "table_pot",
    "terms_of",
    "tips",
    "tournament_pool",
    "transfer",
    "void",
]

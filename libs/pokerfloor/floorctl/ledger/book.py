"""The book recomputed from its entries, by nothing but the wallet's README.

It shares no code with the wallet, so that a mistake there is not made again here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.floorctl.ledger.notation import account_key, account_name, owner_of
from pokerfloor.limits import MAX_AMOUNT

#: Kind, owner, currency.
Account = tuple[int, str, str]

GENESIS: Final = bytes(32)
_NEVER_BELOW_ZERO: Final = frozenset(
    {
        wallet_pb2.ACCOUNT_KIND_PLAYER_CASH,
        wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW,
        wallet_pb2.ACCOUNT_KIND_TABLE_POT,
        wallet_pb2.ACCOUNT_KIND_TOURNAMENT_POOL,
        wallet_pb2.ACCOUNT_KIND_TIPS,
        wallet_pb2.ACCOUNT_KIND_RESERVED,
    }
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong. `entry_no` is 0 where no entry can be named."""

    entry_no: int
    entry_id: str
    what: str

    def __str__(self) -> str:
        if not self.entry_no:
            return self.what
        named = f" ({self.entry_id})" if self.entry_id else ""
        return f"entry {self.entry_no}{named}: {self.what}"


@dataclass(slots=True)
class _AccountState:
    """Where the postings left an account, and how the wallet lists it; -1 when it does not."""

    version: int = 0
    balance_minor: int = 0
    listed_version: int = -1
    listed_minor: int = 0
    last_entry: tuple[int, str] = (0, "")


@dataclass(slots=True)
class BookCheck:
    """Takes the accounts, then the entries in order. Holds a small record for each account.

    The wallet lists its accounts a while before it lists the entries, and the book may move
    meanwhile: what is listed is compared with the posting that has the account's version.
    """

    entries: int = 0
    last_no: int = 0
    last_id: str = ""
    last_hash: bytes = GENESIS
    totals: dict[str, int] = field(default_factory=dict)
    exponents: dict[str, int] = field(default_factory=dict)
    _accounts: dict[Account, _AccountState] = field(default_factory=dict)
    # The book's last entry when the list of accounts was complete.
    _listed_to: int = 0
    _last_is_bad: bool = False

    @property
    def accounts(self) -> int:
        """How many accounts there are."""
        return len(self._accounts)

    def take_accounts(self, page: wallet_pb2.ListAccountsResponse) -> None:
        """Take a page of accounts as the wallet lists them."""
        self._listed_to = page.last_entry_no
        for listed in page.accounts:
            key = (listed.account.kind, owner_of(listed.account), listed.account.currency)
            self._accounts[key] = _AccountState(
                listed_version=listed.version, listed_minor=listed.balance_minor
            )
            self.exponents.setdefault(listed.account.currency, listed.exponent)

    def standing(self) -> Iterator[tuple[Account, int]]:
        """Return each account with the balance that the entries made."""
        return ((key, account.balance_minor) for key, account in self._accounts.items())

    def take(self, entry: wallet_pb2.Entry) -> list[Finding]:
        """Check the next entry: number, hashes, sum, and each account's version and balance."""
        found = list(self._gap(entry.entry_no))
        flaws = [*self._chain_flaws(entry, found), *_sum_flaws(entry)]
        for posting in entry.postings:
            flaws += self._posting_flaws(entry, posting)
        found += [Finding(entry.entry_no, entry.entry_id, what) for what in flaws]
        self.entries += 1
        self.last_no, self.last_id, self.last_hash = entry.entry_no, entry.entry_id, entry.hash
        self._last_is_bad = bool(flaws)
        return found

    def end(self, last_no: int) -> Iterator[Finding]:
        """Check that nothing is missing at the end: entries up to `last_no`, and each account."""
        yield from self._gap(last_no + 1)
        for (kind, owner, code), account in self._accounts.items():
            name = f"{account_name(kind, owner)} in {code}"
            if account.listed_version > account.version:
                yield Finding(
                    *account.last_entry,
                    f"the account {name} has {account.listed_version} postings, but this is its "
                    f"last, number {account.version}"
                    if account.version
                    else f"the account {name} has {account.listed_version} postings, but no entry "
                    "moves it",
                )
            elif not account.listed_version and account.listed_minor:
                yield Finding(0, "", f"the account {name} has a balance that no entry made")

    def _gap(self, next_no: int) -> Iterator[Finding]:
        missing = next_no - self.last_no - 1
        if missing == 1:
            yield Finding(self.last_no + 1, "", "it is gone")
        elif missing > 1:
            yield Finding(self.last_no + 1, "", f"it is gone, and {missing - 1} after it")
        elif missing < 0:
            yield Finding(next_no, "", f"it comes after {self.last_no}")

    def _chain_flaws(self, entry: wallet_pb2.Entry, found: list[Finding]) -> Iterator[str]:
        if entry.content_hash != content_hash(entry):
            yield "its content is not what its hash covers"
        sealed = entry.hash == hashlib.sha256(entry.prev_hash + entry.content_hash).digest()
        if not sealed:
            yield "its hash does not cover its content's and the hash before"
        if entry.prev_hash == self.last_hash or found:
            return
        if not sealed or not self.last_no:
            yield "it is not chained to the entry before"
        elif not self._last_is_bad:
            # Its own hashes hold together, so what it was chained to is no more.
            what = "it was changed: the next entry is chained to another hash than it has"
            found.append(Finding(self.last_no, self.last_id, what))

    def _posting_flaws(self, entry: wallet_pb2.Entry, posting: wallet_pb2.Posting) -> Iterator[str]:
        kind, owner = account_key(posting)
        key = (kind, owner, entry.currency)
        name = account_name(kind, owner)
        account = self._accounts.get(key)
        if account is None:
            account = self._accounts[key] = _AccountState()
            if entry.entry_no <= self._listed_to:
                yield f"the account {name} that it moves is not among the accounts"
        balance = account.balance_minor + posting.amount_minor
        if (posting.version, posting.balance_minor) != (account.version + 1, balance):
            yield (
                f"{name} is at {balance} after its posting {account.version + 1}, "
                f"it says {posting.balance_minor} after {posting.version}"
            )
        if posting.balance_minor < 0 and kind in _NEVER_BELOW_ZERO:
            yield f"{name} is below zero"
        if posting.version == account.listed_version and (
            posting.balance_minor != account.listed_minor
        ):
            yield f"{name} stands at {account.listed_minor}, it left {posting.balance_minor}"
        # As it says, so that one mistake is reported once.
        account.version, account.balance_minor = posting.version, posting.balance_minor
        account.last_entry = (entry.entry_no, entry.entry_id)
        moved = self.totals.get(entry.currency, 0) + posting.amount_minor
        self.totals[entry.currency] = moved


def content_hash(entry: wallet_pb2.Entry) -> bytes:
    """Return the SHA-256 of what an entry says, as the wallet's README defines it: 32 bytes."""
    lines = sorted(
        [*account_key(p), p.amount_minor, p.version, p.balance_minor] for p in entry.postings
    )
    content = [
        entry.entry_no,
        entry.kind,
        entry.entry_id,
        entry.currency,
        entry.at_ms,
        entry.table_id,
        entry.hand_no,
        entry.reference,
        entry.note,
        lines,
    ]
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).digest()


def _sum_flaws(entry: wallet_pb2.Entry) -> Iterator[str]:
    amounts = [posting.amount_minor for posting in entry.postings]
    if len(amounts) < 2:
        yield "it moves fewer than two accounts"
    if len({account_key(posting) for posting in entry.postings}) != len(amounts):
        yield "it moves an account twice"
    if sum(amounts):
        yield f"its amounts sum to {sum(amounts)}, not to zero"
    if not all(amounts) or _beyond(amounts):
        yield "an amount is zero or too large"


def _beyond(amounts: Iterable[int]) -> bool:
    return any(abs(amount) > MAX_AMOUNT for amount in amounts)

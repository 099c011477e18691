"""Entries that undo another: each the mirror image of one before it, and the only one."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Final

from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from pokerfloor.floorctl.ledger.book import Finding
from pokerfloor.floorctl.ledger.notation import account_key

_UNDOING: Final = re.compile(r"(?:reverse|refund)/([1-9][0-9]{0,15})")


class ReversalCheck:
    """Holds the numbers of the entries that were undone."""

    def __init__(self, wallet: wallet_pb2_grpc.WalletServiceAsyncStub) -> None:
        self._wallet = wallet
        self._undone: set[int] = set()

    async def check(self, entry: wallet_pb2.Entry) -> AsyncIterator[Finding]:
        """Yield what is wrong with an entry that undoes another; nothing for the others."""
        found = _UNDOING.fullmatch(entry.entry_id)
        reversal = entry.kind == wallet_pb2.ENTRY_KIND_REVERSAL
        if found is None and not reversal:
            return
        undone_no = int(found[1]) if found else 0
        what = f"it does not take back entry {undone_no}"
        if undone_no in self._undone:
            what = f"entry {undone_no} was undone before"
        elif 0 < undone_no < entry.entry_no and await self._mirrors(entry, undone_no):
            what = ""
        self._undone.add(undone_no)
        if what:
            yield Finding(entry.entry_no, entry.entry_id, what)

    async def _mirrors(self, entry: wallet_pb2.Entry, undone_no: int) -> bool:
        request = wallet_pb2.ListEntriesRequest(from_entry_no=undone_no, page_size=1)
        page = (await self._wallet.ListEntries(request)).entries
        if not page or page[0].entry_no != undone_no:
            return False
        taken_back = {account_key(p): -p.amount_minor for p in page[0].postings}
        own = {account_key(p): p.amount_minor for p in entry.postings}
        return own == taken_back and entry.currency == page[0].currency

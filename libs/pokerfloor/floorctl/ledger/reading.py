"""Reading the whole book from a running wallet, page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc

#: A page of a big book may take the wallet a while.
CALL_TIMEOUT_MS: Final = 30_000
_PAGE: Final = 500


class BrokenBook(Exception):  # noqa: N818 - names what was found
    """Something that no reader can make sense of; the message says what and where."""


async def account_pages(
    wallet: wallet_pb2_grpc.WalletServiceAsyncStub,
) -> AsyncIterator[wallet_pb2.ListAccountsResponse]:
    """Yield all accounts in the order they were opened, by page; there is always one."""
    token = ""
    while True:
        request = wallet_pb2.ListAccountsRequest(page_token=token, page_size=_PAGE)
        page = await wallet.ListAccounts(request)
        yield page
        token = page.next_page_token
        if not token:
            return


async def entries(
    wallet: wallet_pb2_grpc.WalletServiceAsyncStub, last_no: int
) -> AsyncIterator[wallet_pb2.Entry]:
    """Yield the entries up to a number in order; those that are gone are left out."""
    first = 1
    while first <= last_no:
        # By number and not by page token: a hole in the book must not be skipped.
        request = wallet_pb2.ListEntriesRequest(from_entry_no=first, page_size=_PAGE)
        page = await wallet.ListEntries(request)
        for entry in page.entries:
            if entry.entry_no > last_no:
                return
            yield entry
        # A page is a span of numbers, so an empty one is a hole in the book and not its end.
        first = max(first + _PAGE, page.entries[-1].entry_no + 1 if page.entries else 0)


async def last_entry_no(wallet: wallet_pb2_grpc.WalletServiceAsyncStub) -> int:
    """Return the number of the book's last entry."""
    page = await wallet.ListEntries(wallet_pb2.ListEntriesRequest(page_size=1))
    return page.last_entry_no

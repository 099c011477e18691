"""Pages of long lists: how a request asks for one, and what names the next.

A token is opaque to callers. Here it is the number of the last item sent, in decimal.
"""

from __future__ import annotations

import re
from typing import Final

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.rpc import FloorError

_TOKEN: Final = re.compile(r"[1-9][0-9]{0,15}")


def page_size(asked: int, *, usual: int, most: int) -> int:
    """Return how many items a page has. Raises INVALID_FIELD above `most`."""
    if asked > most:
        reason = f"a page has at most {most} items"
        raise FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, "page_size")
    return asked or usual


def after_token(token: str) -> int:
    """Return the number after which a page begins, 0 for the first page. Raises INVALID_FIELD."""
    if not token:
        return 0
    if not _TOKEN.fullmatch(token):
        reason = f"{token[:32]!r} is no page token of this list"
        raise FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, "page_token")
    return int(token)


def next_token(last: int, *, more: bool) -> str:
    """Return the token of the page after the item `last`; empty at the end."""
    return str(last) if more else ""

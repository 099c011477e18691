"""What stands in the tokens of a floor, for who issues them and who verifies them."""

from __future__ import annotations

import base64
import binascii
from typing import Final

ISSUER: Final = "floor"
AUDIENCE: Final = "floor"
SEAL_KEY_BYTES: Final = 32


def decode_base64url(text: str) -> bytes:
    """Decode base64url without padding (RFC 4648, section 5). Raises ValueError."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("not base64url") from error


def encode_base64url(data: bytes) -> str:
    """Encode base64url without padding (RFC 4648, section 5)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")

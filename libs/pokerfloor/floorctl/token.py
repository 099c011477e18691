"""`floorctl token`: identity tokens for development, signed by an issuer of this machine."""

from __future__ import annotations

import argparse
import base64
import binascii
import sys
from pathlib import Path

from pokerfloor.rpc import DevIssuer, now_ms, role_of

_KEY_BYTES = 32


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "token",
        help="issue a development token",
        description="Prints an EdDSA token signed by the development issuer in DIR (made on first "
        "use; services trust it by its jwks.json). Not for production: there, tokens come from "
        "the operator's own issuer.",
    )
    parser.add_argument("--sub", required=True, help="who: a player's id, a person, a service")
    parser.add_argument(
        "--role", required=True, action="append", help="player, operations, auditor, ... (repeat)"
    )
    parser.add_argument("--ttl-s", type=int, default=3600, help="seconds it lasts (default 3600)")
    parser.add_argument(
        "--seal-key",
        metavar="KEY",
        help="public X25519 key of a player, base64url, that cards are sealed to; write "
        "--seal-key=KEY, since a key may begin with a dash",
    )
    parser.add_argument(
        "--issuer",
        type=Path,
        default=Path(".floor/identity"),
        metavar="DIR",
        help="default: %(default)s",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print a token; returns the exit code."""
    try:
        roles = frozenset(_role(name) for name in args.role)
        seal_key = _seal_key(args.seal_key)
    except ValueError as error:
        print(f"floorctl token: {error}", file=sys.stderr)
        return 2
    if args.ttl_s <= 0:
        print(f"floorctl token: a token lasts a positive time, not {args.ttl_s} s", file=sys.stderr)
        return 2
    issuer = DevIssuer.open(args.issuer)
    print(issuer.issue(args.sub, roles, args.ttl_s, now_s=now_ms() // 1000, seal_key=seal_key))
    return 0


def _role(name: str) -> int:
    role = role_of(name)
    if role is None:
        raise ValueError(f"{name!r} is no role")
    return role


def _seal_key(text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"{text!r} is no base64url") from error
    if len(key) != _KEY_BYTES:
        raise ValueError(f"a sealing key has {_KEY_BYTES} bytes, not {len(key)}")
    return key

"""The settings of a betting hand as own fields: written and read by the same names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, TypeVar

from pokerfloor.games import (
    NOTHING_CARRIED,
    Carried,
    FirstTie,
    GameRow,
    HandSettings,
    Losers,
    MinRaise,
    RakeCap,
    RakeRule,
    SecondRoundFirst,
    Shortage,
    Structure,
)
from pokerfloor.phh.document import Document
from pokerfloor.phh.errors import PhhError
from pokerfloor.phh.toml import toml_list, toml_string, toml_truth

_E = TypeVar("_E", bound=StrEnum)
Amount = Callable[[int], str]


def settings_fields(
    settings: HandSettings, game: GameRow, structure: Structure, amount: Amount
) -> Iterator[tuple[str, str]]:
    """Yield the fields of all that counts in this game; `amount` writes minor units."""
    yield "_smallest_chip", amount(settings.smallest_chip_minor)
    yield "_losers", toml_string(settings.losers)
    yield "_min_raise", toml_string(settings.min_raise)
    yield "_short_blind_counts_full", toml_truth(settings.short_blind_counts_full)
    yield "_burn", toml_truth(settings.burn)
    if structure is Structure.FIXED_LIMIT:
        yield "_raise_cap", str(settings.raise_cap)
        yield "_heads_up_uncapped", toml_truth(settings.heads_up_uncapped)
    if game.exposed is not None:
        yield "_seventh_shortage", toml_string(settings.seventh_shortage)
        yield "_open_pair_rule", toml_truth(settings.open_pair_rule)
    if game.draws_from(0):
        yield "_second_round_first", toml_string(settings.second_round_first)
        yield "_redeal_when_checked", toml_truth(settings.redeal_when_checked)
        yield "_max_draw", str(settings.max_draw)
    if game.carries():
        yield "_first_tie", toml_string(settings.first_tie)
    rake = settings.rake
    yield "_rake_bp", str(rake.rate_bp)
    caps = [f"[{cap.players}, {amount(cap.cap_minor)}]" for cap in rake.caps]
    yield "_rake_caps", toml_list(caps)
    yield "_no_flop_no_drop", toml_truth(rake.no_flop_no_drop)


def settings_of(document: Document, game: GameRow, structure: Structure) -> HandSettings:
    """Return the settings of a document. Raises PhhError.

    What it does not say is as in other sources' records: no rake, no open-pair rule.
    """
    smallest = own_amount(document, "_smallest_chip", 1)
    fixed = structure is Structure.FIXED_LIMIT
    if fixed and not 0 < document.small_bet <= document.big_bet:
        raise PhhError("a small and a big bet are wanted", "small_bet")
    return HandSettings(
        smallest_chip_minor=smallest,
        min_bet_minor=document.small_bet if fixed else max(document.min_bet, smallest),
        big_bet_minor=document.big_bet,
        min_raise=_choice(document, "_min_raise", MinRaise.INCREMENT),
        raise_cap=_count(document, "_raise_cap", 3),
        short_blind_counts_full=_truth(document, "_short_blind_counts_full"),
        burn=_truth(document, "_burn", default=True),
        heads_up_uncapped=_truth(document, "_heads_up_uncapped", default=game.exposed is not None),
        bring_in_minor=document.bring_in,
        open_pair_rule=_truth(document, "_open_pair_rule"),
        seventh_shortage=_choice(document, "_seventh_shortage", Shortage.COMMUNITY),
        redeal_when_checked=_truth(document, "_redeal_when_checked"),
        second_round_first=_choice(document, "_second_round_first", SecondRoundFirst.AS_FIRST),
        max_draw=_count(document, "_max_draw", 0),
        first_tie=_choice(document, "_first_tie", FirstTie.RIGHT_OF_BUTTON),
        losers=_choice(document, "_losers", Losers.SHOW),
        rake=_rake(document),
        unread_hands_muck=True,
    )


def carried_of(document: Document) -> Carried:
    """Return the carried pot that lies in the hand (MAT-6). Raises PhhError."""
    amount = own_amount(document, "_carried_in", 0)
    if not amount:
        return NOTHING_CARRIED
    claims: Sequence[Any] = document.own.get("_carried_claims", [])
    players = range(1, document.players + 1)
    if not isinstance(claims, list) or not all(claim in players for claim in claims):
        raise PhhError(f"{claims!r} are no players", "_carried_claims")
    return Carried(amount, tuple(claims))


def own_amount(document: Document, field: str, default: int) -> int:
    """Return an own field that is an amount in the file's unit, in 1/scale. Raises PhhError."""
    value = document.own.get(field)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise PhhError(f"a number is wanted, not {value!r}", field)
    return scaled(document, Decimal(value), field)


def scaled(document: Document, value: Decimal, field: str) -> int:
    """Return an amount in the file's unit as a whole number of 1/scale. Raises PhhError."""
    amount = value * document.scale
    if not amount.is_finite() or amount != amount.to_integral_value():
        raise PhhError(f"{value} is no whole number of 1/{document.scale}", field)
    return int(amount)


def _rake(document: Document) -> RakeRule:
    rate_bp = _count(document, "_rake_bp", 0)
    rows: Sequence[Any] = document.own.get("_rake_caps", [])
    try:
        caps = tuple(
            [
                RakeCap(int(players), scaled(document, Decimal(cap), "_rake_caps"))
                for players, cap in rows
            ]
        )
    except (TypeError, ValueError, InvalidOperation) as error:
        raise PhhError(f"{rows!r} are no caps", "_rake_caps") from error
    return RakeRule(rate_bp, caps, _truth(document, "_no_flop_no_drop", default=True))


def _count(document: Document, field: str, default: int) -> int:
    value = document.own.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise PhhError(f"expected a whole number, not {value!r}", field)
    return value


def _truth(document: Document, field: str, *, default: bool = False) -> bool:
    return bool(document.own.get(field, default))


def _choice(document: Document, field: str, default: _E) -> _E:
    value = document.own.get(field, default)
    try:
        return type(default)(value)
    except ValueError as error:
        raise PhhError(f"{value!r} is none of {[str(v) for v in type(default)]}", field) from error

"""Amounts of a table as people write them: money with its decimals, or whole points."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Self

from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.limits import MAX_AMOUNT


@dataclass(frozen=True, slots=True)
class Chips:
    """How a table counts: whole numbers of the minor unit, written with `decimals`."""

    unit: str
    decimals: int

    @classmethod
    def of_hand(cls, settings: settings_pb2.TableSettings) -> Self:
        """Return what stacks and bets count in."""
        kind = settings.stake.WhichOneof("kind")
        if kind == "points":
            return cls("points", 0)
        if kind == "tournament":
            return cls("chips", 0)
        return cls(settings.stake.money.code, settings.stake.money.exponent)

    @classmethod
    def of_wallet(cls, settings: settings_pb2.TableSettings) -> Self:
        """Return the money that buys in and is paid out."""
        stake = settings.stake
        kind = stake.WhichOneof("kind")
        currency = stake.points.currency if kind == "points" else stake.money
        if kind == "tournament":
            currency = stake.tournament
        return cls(currency.code, currency.exponent)

    def text(self, amount: int, *, sign: bool = False) -> str:
        """Write an amount, without its unit."""
        shown = Decimal(amount).scaleb(-self.decimals)
        return f"{shown:+,.{self.decimals}f}" if sign else f"{shown:,.{self.decimals}f}"

    def read(self, text: str) -> int | None:
        """Read an amount; None for what is none, or finer than the unit."""
        try:
            amount = Decimal(text.replace(",", "")).scaleb(self.decimals)
        except InvalidOperation:
            return None
        if not amount.is_finite() or amount != amount.to_integral_value() or amount < 0:
            return None
        return int(amount) if amount <= MAX_AMOUNT else None

"""Invoices: lines, totals, and their text."""

from dataclasses import dataclass, field
from decimal import Decimal

from tax import rate_for


@dataclass(frozen=True)
class Line:
    product: str
    quantity: int
    price: Decimal


@dataclass
class Invoice:
    country: str
    lines: list[Line] = field(default_factory=list)

    def net(self) -> Decimal:
        return sum((line.price * line.quantity for line in self.lines), Decimal(0))

    def total(self) -> Decimal:
        # TODO: round half even, as the tax office wants it
        return self.net() * (1 + rate_for(self.country))

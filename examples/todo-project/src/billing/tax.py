"""Tax rates by country."""

from decimal import Decimal

RATES = {
    "AT": Decimal("0.20"),
    "DE": Decimal("0.19"),
    "JP": Decimal("0.10"),
}


def rate_for(country: str) -> Decimal:
    # TODO: load the rates from a file, they change every year
    return RATES[country]

"""Values as TOML writes them."""

from collections.abc import Sequence


def toml_string(text: str) -> str:
    """Return a basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'


def toml_list(values: Sequence[str]) -> str:
    """Return an array of values that are written already."""
    return "[" + ", ".join(values) + "]"


def toml_strings(texts: Sequence[str]) -> str:
    """Return an array of strings."""
    return toml_list([toml_string(text) for text in texts])


def toml_truth(value: bool) -> str:
    """Return a boolean."""
    return "true" if value else "false"


def toml_amount(minor: int, decimals: int) -> str:
    """Return an amount in units with so many decimals."""
    if decimals == 0:
        return str(minor)
    sign = "-" if minor < 0 else ""
    whole, rest = divmod(abs(minor), 10**decimals)
    return f"{sign}{whole}.{rest:0{decimals}d}"

"""What the README shows, for tests that run it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

README: Final = Path(__file__).resolve().parents[2] / "README.md"
_EXAMPLE: Final = re.compile(
    r"<!-- example: sit down and play one hand -->\n```python\n(.*?)```", re.DOTALL
)


def ten_lines() -> str:
    """The example that sits down and plays one hand."""
    [code] = _EXAMPLE.findall(README.read_text(encoding="utf-8"))
    assert isinstance(code, str)
    return code

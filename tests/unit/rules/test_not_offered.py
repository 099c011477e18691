"""What the page of the table calls not offered yet is refused by tables, with its path."""

from __future__ import annotations

import pytest

from floor_table.domain.settings.check import check_settings
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from tests.support.evening import table_settings
from tests.support.rule_pages import NOT_OFFERED, read_pages


def _later() -> str:
    [page] = [page for page in read_pages() if page.name == "table.md"]
    return page.text.partition(f"## {NOT_OFFERED}")[2]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("game.straddle", True),
        ("seating.button", settings_pb2.BUTTON_RULE_DEAD),
    ],
)
def test_the_page_says_so_and_the_table_refuses(path: str, value: object) -> None:
    settings = table_settings()
    assert check_settings(settings) is None
    message, name = path.split(".")
    setattr(getattr(settings, message), name, value)
    refusal = check_settings(settings)
    assert refusal is not None, f"{path} is offered: table.md says that it is not"
    assert refusal.code == errors_pb2.ERROR_CODE_NOT_SUPPORTED
    assert refusal.field == path
    assert f"`{path}`" in _later(), f"table.md does not say that {path} is not offered"

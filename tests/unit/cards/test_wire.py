"""Wire codes of cards."""

import pytest

from pokerfloor.cards import UNKNOWN, CardError, from_wire, parse_card, to_wire


def test_every_card_has_its_own_code_and_reads_back() -> None:
    codes = {to_wire(card): card for card in range(UNKNOWN, 54)}
    assert sorted(codes) == list(range(55))
    assert all(from_wire(code) == card for code, card in codes.items())


def test_only_the_unknown_card_is_the_value_protobuf_omits() -> None:
    assert to_wire(UNKNOWN) == 0
    assert [to_wire(parse_card(text)) for text in ("2c", "As", "Xr", "Xb")] == [1, 52, 53, 54]


@pytest.mark.parametrize("code", [-1, 55, 255, 1 << 32])
def test_other_codes_are_refused(code: int) -> None:
    with pytest.raises(CardError, match=str(code)):
        from_wire(code)


@pytest.mark.parametrize("card", [-2, 54])
def test_other_numbers_get_no_code(card: int) -> None:
    with pytest.raises(CardError, match=str(card)):
        to_wire(card)

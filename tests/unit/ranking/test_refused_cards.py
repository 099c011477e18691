"""Cards that a ranking system cannot rank: every system says which, and why."""

import pytest

from pokerfloor.cards import RED_JOKER, UNKNOWN, Card, card_text
from pokerfloor.ranking import (
    CARD_NOT_RANKED,
    CARD_TWICE,
    RANKINGS,
    WRONG_NUMBER_OF_CARDS,
    RankingError,
    RankingSystem,
    high7,
)

Refused = tuple[str, str, tuple[Card, ...]]


def refused(system: RankingSystem, cards: tuple[Card, ...]) -> Refused:
    with pytest.raises(RankingError) as caught:
        system.strength(cards)
    return caught.value.code, caught.value.reason, caught.value.cards


SYSTEMS = pytest.mark.parametrize("system", list(RANKINGS.values()), ids=lambda one: one.name)


@SYSTEMS
def test_a_wrong_number_of_cards(system: RankingSystem) -> None:
    sizes = " or ".join([str(size) for size in system.sizes])
    for size in (min(system.sizes) - 1, max(system.sizes) + 1):
        cards = system.deck.cards[-size:] if size else ()
        reason = f"{system.name} ranks {sizes} cards, not {size}"
        assert refused(system, cards) == (WRONG_NUMBER_OF_CARDS, reason, cards)
    first, *_ = fitting = system.deck.cards[: max(system.sizes)]
    code, _, cards = refused(system, (*fitting, first))
    assert (code, cards) == (WRONG_NUMBER_OF_CARDS, (*fitting, first))


@SYSTEMS
def test_a_card_twice(system: RankingSystem) -> None:
    for size in system.sizes:
        if size > 1:
            twice, *others = system.deck.cards[:size]
            cards = (*others[: size - 2], twice, twice)
            reason = f"{card_text(twice)} more than once in one hand"
            assert refused(system, cards) == (CARD_TWICE, reason, (twice,))


@SYSTEMS
def test_a_card_of_another_deck(system: RankingSystem) -> None:
    for strange in (UNKNOWN, RED_JOKER, RED_JOKER + 1, 54, 3):
        if strange in system.deck.cards:
            continue
        text = "card number 54" if strange == 54 else card_text(strange)
        for size in system.sizes:
            cards = (*system.deck.cards[: size - 1], strange)
            reason = f"{system.name} does not rank {text}"
            assert refused(system, cards) == (CARD_NOT_RANKED, reason, (strange,))


def test_the_fast_call_names_its_system() -> None:
    with pytest.raises(RankingError) as caught:
        high7(0, 5, 10, 15, 20, 25, RED_JOKER)
    assert caught.value.reason == "high52 does not rank Xr"

"""Points of a placement hand by the rules, and its rules as own fields (OFC, SCP)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, TypeVar

from pokerfloor.games.placement import (
    SCOOP,
    FantasylandEarned,
    LayoutRow,
    LayoutScore,
    PairPoints,
    PlacementGame,
    ScoringRequest,
    ScoringResult,
)
from pokerfloor.phh.document import Document
from pokerfloor.phh.errors import PhhError
from pokerfloor.phh.toml import toml_string, toml_truth
from pokerfloor.scoring import (
    Layout,
    LayoutError,
    Mode,
    OfcRules,
    PairScored,
    ScoopLayout,
    StayOnMiddle,
    score_hand,
    score_scoop,
    settle,
)

_E = TypeVar("_E", bound=StrEnum)
_ROWS: Final = (LayoutRow.TOP, LayoutRow.MIDDLE, LayoutRow.BOTTOM)


def rules_fields(game: PlacementGame, rules: OfcRules) -> Iterator[tuple[str, str]]:
    """Yield the fields of a table's mode and options; Scoop has none."""
    if game is SCOOP:
        return
    yield "_mode", toml_string(rules.mode)
    yield "_trips_cards", str(rules.trips_cards)
    yield "_joker_base", toml_string(rules.joker_base)
    yield "_stay_on_middle", toml_string(rules.stay_on_middle)
    yield "_own_row_copy", toml_truth(rules.own_row_copy)
    yield "_five_of_a_kind", toml_truth(rules.five_of_a_kind)


def rules_of(document: Document) -> OfcRules:
    """Return the mode and options of a document. Raises PhhError."""
    own = document.own
    trips_cards = own.get("_trips_cards", 0)
    if not isinstance(trips_cards, int):
        raise PhhError(f"expected a whole number, not {trips_cards!r}", "_trips_cards")
    try:
        return OfcRules(
            mode=_word(document, "_mode", Mode.REGULAR),
            trips_cards=trips_cards,
            joker_base=_word(document, "_joker_base", Mode.ULTIMATE),
            stay_on_middle=_word(document, "_stay_on_middle", StayOnMiddle.NONE),
            own_row_copy=bool(own.get("_own_row_copy", False)),
            five_of_a_kind=bool(own.get("_five_of_a_kind", False)),
        )
    except LayoutError as error:
        raise PhhError(error.reason, f"_{error.field}") from error


def _word(document: Document, field: str, default: _E) -> _E:
    value = document.own.get(field, default)
    try:
        return type(default)(value)
    except ValueError as error:
        raise PhhError(f"{value!r} is none of {[str(v) for v in type(default)]}", field) from error


def score(request: ScoringRequest, rules: OfcRules) -> ScoringResult:
    """Return what the layouts are worth and what is paid of it. Raises PhhError.

    It is what the scoring service answers (OFC-10, OFC-22, SCP-3, SCP-5).
    """
    try:
        return _scoop(request) if request.game is SCOOP else _ofc(request, rules)
    except LayoutError as error:
        raise PhhError(error.reason, error.field) from error


def _ofc(request: ScoringRequest, rules: OfcRules) -> ScoringResult:
    hand = score_hand(
        {
            str(one.seat): Layout(
                one.faces(LayoutRow.TOP),
                one.faces(LayoutRow.MIDDLE),
                one.faces(LayoutRow.BOTTOM),
                one.fantasyland_cards,
            )
            for one in request.layouts
        },
        rules,
    )
    pairs = [PairScored(int(p.first), int(p.second), p.score.total) for p in hand.pairs]
    layouts = [
        LayoutScore(
            int(seat), one.foul is not None, tuple([row.hand for row in one.rows]), one.royalties
        )
        for seat, one in hand.layouts.items()
    ]
    fantasyland = [
        FantasylandEarned(int(seat), one.fantasyland.cards, one.fantasyland.stayed)
        for seat, one in hand.layouts.items()
        if one.fantasyland.cards
    ]
    return ScoringResult(_paid(request, pairs), tuple(layouts), tuple(fantasyland))


def _scoop(request: ScoringRequest) -> ScoringResult:
    hand = score_scoop(
        request.board,
        {str(one.seat): ScoopLayout(*[one.faces(row) for row in _ROWS]) for one in request.layouts},
    )
    pairs = [PairScored(int(p.first), int(p.second), p.total) for p in hand.pairs]
    layouts = [LayoutScore(int(seat), False, rows, 0) for seat, rows in hand.hands.items()]
    return ScoringResult(_paid(request, pairs), tuple(layouts))


def _paid(request: ScoringRequest, pairs: list[PairScored]) -> tuple[PairPoints, ...]:
    settled = settle(request.button, dict(request.stacks), pairs)
    return tuple([PairPoints(one.a, one.b, one.scored, one.paid) for one in settled.payments])

"""The state of a placement hand, built by applying its events (see `apply`)."""

from typing import Final, NamedTuple

from pokerfloor.cards import DECKS
from pokerfloor.games.events import SeatResult
from pokerfloor.games.placement.dealt_places import DealtPlaces
from pokerfloor.games.placement.events import FantasylandEarned, PlacementEvent, PointsScored
from pokerfloor.games.placement.layouts import Layout, LayoutRow, Room, SlotRow, room_left
from pokerfloor.games.placement.plan import Stage, plan_of
from pokerfloor.games.placement.rows import PlacementStreet, Shown
from pokerfloor.games.placement.setup import PlacementSetup
from pokerfloor.games.places import Place

NOT_BEGUN: Final = -1


class OpenTurn(NamedTuple):
    """An unconfirmed turn, and the rows of its cards now if moves are public."""

    turn_no: int
    tentative: tuple[SlotRow, ...] = ()


class PlacementState:
    """The state of a placement hand. Maps are by seat, in seat order.

    Only `pokerfloor.games.placement.apply` changes it.

    stage: index in `plan.stages`, NOT_BEGUN before the first
    to_lay: cards dealt and not set yet, in the order received; only seats that have any
    turns: the open turns
    answered: the turn that each seat confirmed last
    concealed: the seat whose `HiddenPlacement` must come next, or None
    layouts: the confirmed layout of each seat
    journal: events applied since it was last cleared; not part of the state
    """

    __slots__ = (
        "answered",
        "cards",
        "concealed",
        "ended",
        "fantasyland_earned",
        "journal",
        "layouts",
        "plan",
        "results",
        "score",
        "setup",
        "stacks",
        "stage",
        "to_lay",
        "turn_no",
        "turns",
        "voided",
    )

    def __init__(self, setup: PlacementSetup) -> None:
        self.setup = setup
        self.plan = plan_of(setup)
        self.cards = DealtPlaces(len(DECKS[setup.game.deck]), self.plan)
        self.stage = NOT_BEGUN
        self.turn_no = 0
        self.stacks = dict(setup.seats)
        self.to_lay: dict[int, tuple[Place, ...]] = {}
        self.turns: dict[int, OpenTurn] = {}
        self.answered: dict[int, int] = {}
        self.concealed: int | None = None
        self.layouts = {seat: Layout() for seat, _ in setup.seats}
        self.score: PointsScored | None = None
        self.fantasyland_earned: tuple[FantasylandEarned, ...] = ()
        self.results: tuple[SeatResult, ...] = ()
        self.ended = False
        self.voided = ""
        self.journal: list[PlacementEvent] = []

    def copy(self) -> "PlacementState":
        """Return an independent copy."""
        twin = object.__new__(PlacementState)
        for name in PlacementState.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in ("stacks", "to_lay", "turns", "answered", "layouts"):
            setattr(twin, name, getattr(self, name).copy())
        twin.cards = self.cards.copy()
        twin.journal = []
        return twin

    @property
    def street_no(self) -> int:
        """The current street, NOT_BEGUN before the first."""
        return NOT_BEGUN if self.stage == NOT_BEGUN else self.present_stage().street_no

    def present_stage(self) -> Stage:
        """Return the current stage."""
        return self.plan.stages[self.stage]

    def present_street(self) -> PlacementStreet:
        """Return the current street."""
        return self.setup.game.street(self.present_stage().street_no)

    def is_last_stage(self) -> bool:
        """Return whether no street follows."""
        return self.stage == len(self.plan.stages) - 1

    def hides(self) -> bool:
        """Return whether placements on this street stay hidden until all have confirmed."""
        return self.present_street().shown is Shown.TOGETHER

    def street_of(self, seat: int) -> int:
        """Return the number of the street whose cards a seat sets next."""
        if seat in self.plan.packets:
            return len(self.setup.game.streets)
        return self.layouts[seat].streets

    def to_place(self, seat: int) -> int:
        """Return how many of its cards a seat must place; the others are discarded."""
        return self.setup.game.street(self.street_of(seat)).placed

    def room(self, seat: int, tentative: tuple[SlotRow, ...] = ()) -> tuple[Room, ...]:
        """Return the room left in the rows of a seat, from the top."""
        taken = [row for _, row in self.layouts[seat].placed]
        return room_left(self.setup.game.rows, [*taken, *[row for _, row in tentative]])

    def is_complete(self, seat: int) -> bool:
        """Return whether a seat's layout is finished."""
        return len(self.layouts[seat].placed) == self.setup.game.placed()

    def dealt_to(self, seat: int) -> int:
        """Return how many cards a seat has been dealt."""
        layout = self.layouts[seat]
        waiting = self.to_lay.get(seat, ())
        return len(layout.placed) + len(layout.discards) + len(waiting)

    def canonical(self) -> tuple[object, ...]:
        """Return the whole state, without the setup, as nested tuples of numbers and words."""
        return (
            self.stage,
            self.turn_no,
            tuple(self.stacks.items()),
            self.cards.canonical(),
            tuple(sorted(self.to_lay.items())),
            tuple(sorted(self.turns.items())),
            tuple(sorted(self.answered.items())),
            self.concealed or 0,
            tuple([(seat, *_canonical_layout(each)) for seat, each in self.layouts.items()]),
            _canonical_score(self.score),
            self.fantasyland_earned,
            self.results,
            int(self.ended),
            self.voided,
        )


def _canonical_layout(layout: Layout) -> tuple[object, ...]:
    placed = tuple([(*place, row) for place, row in layout.placed])
    return (placed, layout.discards, layout.streets, int(layout.hidden))


def _canonical_score(score: PointsScored | None) -> tuple[object, ...]:
    if score is None:
        return ()
    layouts = [
        (
            layout.seat,
            int(layout.fouled),
            tuple(
                [
                    (hand.system, str(hand.category), hand.strength, hand.name, hand.cards)
                    for hand in layout.rows
                ]
            ),
            layout.royalty_points,
        )
        for layout in score.layouts
    ]
    return (score.pairs, tuple(layouts))


def faces_of_row(state: PlacementState, seat: int, row: LayoutRow) -> tuple[tuple[Place, int], ...]:
    """Return a row of a seat's layout with its faces, which must be revealed."""
    return tuple([(place, state.cards.faces[place]) for place in state.layouts[seat].row(row)])

"""Validate scores: order, caps, Fantasyland (OFC-11, OFC-21, OFC-22)."""

from itertools import combinations

from pokerfloor.games.placement.events import FantasylandEarned, LayoutScore, PointsScored
from pokerfloor.games.placement.state import PlacementState


def points_problem(state: PlacementState, scored: PointsScored) -> tuple[str, str]:
    """Return what is wrong with the points of a hand, and the field; or ("", "").

    Every pair must be there, in the order of settlement, and pay what was scored, capped by the
    smaller of the two stacks before it.
    """
    order = state.plan.order
    due = list(combinations(order, 2))
    pairs = [(pair.a, pair.b) for pair in scored.pairs]
    if pairs != due:
        return f"pairs are settled in the order {due}, not {pairs}", "pairs"
    stacks = state.stacks.copy()
    for a, b, points, paid in scored.pairs:
        most = min(stacks[a], stacks[b])
        due_points = max(-most, min(points, most))
        if paid != due_points:
            stood = f"with {stacks[a]} and {stacks[b]} before it"
            return f"seat {a} gets {due_points} from seat {b}, not {paid}, {stood}", "pairs"
        stacks[a] += paid
        stacks[b] -= paid
    return _layouts_problem(state, scored.layouts)


def _layouts_problem(state: PlacementState, layouts: tuple[LayoutScore, ...]) -> tuple[str, str]:
    order = state.plan.order
    seats = tuple([layout.seat for layout in layouts])
    if seats != order:
        return f"layouts are scored in the order {list(order)}, not {list(seats)}", "layouts"
    rows = len(state.setup.game.rows)
    for layout in layouts:
        if len(layout.rows) != rows:
            return f"{len(layout.rows)} rows of seat {layout.seat}, there are {rows}", "layouts"
        if layout.royalty_points < 0 or (layout.fouled and layout.royalty_points):
            return f"a bonus of {layout.royalty_points} for seat {layout.seat}", "layouts"
    return "", ""


def fantasyland_problem(
    state: PlacementState, layouts: tuple[LayoutScore, ...], earned: tuple[FantasylandEarned, ...]
) -> str:
    """Return what is wrong with the Fantasyland that was earned, or "" (OFC-11, OFC-33, OFC-34).

    A seat in Fantasyland stays, any other enters; a fouled hand does neither.
    """
    packet = state.setup.game.fantasyland
    if packet is None:
        return f"{state.setup.game.name} has no Fantasyland" if earned else ""
    seats = [one.seat for one in earned]
    if seats != [seat for seat in state.plan.order if seat in seats]:
        return f"Fantasyland is reported in the order {list(state.plan.order)}, not {seats}"
    fouled = {layout.seat for layout in layouts if layout.fouled}
    for seat, cards, stayed in earned:
        if seat in fouled:
            return f"the hand of seat {seat} is fouled"
        if not packet.least <= cards <= packet.most:
            return f"Fantasyland has {packet.least} to {packet.most} cards, not {cards}"
        if stayed is not (seat in state.plan.packets):
            return f"seat {seat} is {'not ' if stayed else ''}in Fantasyland already"
    return ""

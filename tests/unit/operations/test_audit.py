"""The audit finds every kind of difference, and names it."""

from pokerfloor.api.common.v1.money_pb2 import Amount
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.operations import (
    AuditReport,
    finished_hands,
    table_differences,
    trial_differences,
    unit_price_minor,
)


def table(*stacks: tuple[str, int]) -> table_pb2.Snapshot:
    snapshot = table_pb2.Snapshot(view_no=9)
    snapshot.table.hands = 3
    for seat, (player_id, stack) in enumerate(stacks, start=1):
        view = snapshot.table.seats.add(
            seat=seat, player_id=player_id, state=view_pb2.SEAT_STATE_PLAYING
        )
        view.stack.minor = stack
    return snapshot


def ledger(*escrow: tuple[str, int]) -> wallet_pb2.AuditTableResponse:
    answer = wallet_pb2.AuditTableResponse(table_seq=9, hands_settled=3)
    for player_id, amount_minor in escrow:
        answer.escrow.add(table_id="t", player_id=player_id, amount_minor=amount_minor)
        answer.escrow_minor += amount_minor
    return answer


def test_equal_books_have_no_difference() -> None:
    assert table_differences("t", table(("a", 5), ("b", 0)), ledger(("a", 5))) == []


def test_a_stack_that_differs_is_named() -> None:
    found = table_differences("t", table(("a", 6), ("b", 4)), ledger(("a", 5), ("b", 4)))
    assert found == [
        "t: a has 6 in front, 5 in escrow",
        "t: stacks and pots are 10, escrow and carried pot 9",
    ]


def test_chips_with_the_wrong_player_are_found_though_the_sums_agree() -> None:
    found = table_differences("t", table(("a", 5), ("b", 5)), ledger(("a", 10)))
    assert found == ["t: a has 5 in front, 10 in escrow", "t: b has 5 in front, 0 in escrow"]


def test_a_pending_seat_is_not_at_the_table_yet() -> None:
    snapshot = table(("a", 5), ("b", 7))
    snapshot.table.seats[1].state = view_pb2.SEAT_STATE_PENDING
    assert table_differences("t", snapshot, ledger(("a", 5))) == []


def test_a_hand_in_play_is_a_difference() -> None:
    snapshot = table(("a", 3), ("b", 3))
    snapshot.table.hand.hand_no = 3
    snapshot.table.hand.seats.add(seat=1).bet.minor = 2
    snapshot.table.hand.seats.add(seat=2).bet.minor = 2
    found = table_differences("t", snapshot, ledger(("a", 5), ("b", 5)))
    assert found == ["t: hand 3 is still in play, with 4 in the pot"]
    assert finished_hands(snapshot) == 2


def test_the_ledger_is_checked_against_itself() -> None:
    trial = wallet_pb2.GetTrialBalanceResponse(total_minor=1, unbalanced_entries=2)
    trial.kinds.add(kind=wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW, amount_minor=10)
    trial.kinds.add(kind=wallet_pb2.ACCOUNT_KIND_RAKE, amount_minor=3)
    found = trial_differences(trial, AuditReport(escrow_minor=10, rake_minor=4))
    assert found == [
        "all accounts sum to 1, not to zero",
        "2 entries do not sum to zero",
        "rake accounts sum to 3, the tables' to 4",
    ]


def test_the_books_count_points_at_their_price() -> None:
    settings = pb.TableSettings()
    settings.stake.points.point_price_minor = 100
    seat = view_pb2.SeatView(
        seat=1, state=view_pb2.SEAT_STATE_PLAYING, player_id="ann", stack=Amount(points=7)
    )
    view = view_pb2.TableView(table_id="t", settings=settings, seats=[seat])
    snapshot = table_pb2.Snapshot(table=view)
    price = unit_price_minor(settings)
    escrow = wallet_pb2.AuditTableResponse(escrow_minor=7 * price)
    escrow.escrow.add(player_id="ann", amount_minor=7 * price)
    assert table_differences("t", snapshot, escrow) == []
    escrow.escrow[0].amount_minor = escrow.escrow_minor = 7
    assert len(table_differences("t", snapshot, escrow)) == 2

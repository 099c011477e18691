"""What the people who run a floor ask of it. See README.md for the API."""

from pokerfloor.operations.audit import (
    AuditReport,
    audit_floor,
    finished_hands,
    table_differences,
    trial_differences,
    unit_price_minor,
)
from pokerfloor.operations.staff_client import StaffClient

__all__ = [
    "AuditReport",
    "StaffClient",
    "audit_floor",
    "finished_hands",
    "table_differences",
    "trial_differences",
    "unit_price_minor",
]

"""Reservations that expired are told from those given up: the log may still commit them.

A check of a column cannot be changed in SQLite, so the table is made anew.
"""

SCRIPT = """
CREATE TABLE reservations_2 (
    reservation_id TEXT PRIMARY KEY,
    table_id TEXT NOT NULL,
    -- 5 is expired.
    state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 5),
    at_ms INTEGER NOT NULL,
    player_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    balance_minor INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO reservations_2 SELECT * FROM reservations;
DROP TABLE reservations;
ALTER TABLE reservations_2 RENAME TO reservations;
CREATE INDEX reservations_held ON reservations (expires_at_ms) WHERE state = 1;
CREATE INDEX reservations_held_at ON reservations (table_id, player_id) WHERE state = 1;

CREATE TRIGGER reservation_ends_once BEFORE UPDATE ON reservations
WHEN NOT (
        OLD.state = 1 AND NEW.state IN (2, 3, 5)
        OR OLD.state = 5 AND NEW.state IN (2, 3)
    )
    OR (NEW.table_id, NEW.player_id, NEW.currency, NEW.amount_minor)
    IS NOT (OLD.table_id, OLD.player_id, OLD.currency, OLD.amount_minor)
BEGIN
    SELECT RAISE (ABORT, 'a reservation ends once');
END;
CREATE TRIGGER reservation_stays BEFORE DELETE ON reservations
BEGIN
    SELECT RAISE (ABORT, 'reservations are never deleted');
END;
"""

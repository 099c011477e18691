"""Version 4: hands know room, game and currency; reversals, transfers, pools and tips.

Entries are of kinds that the first version did not know, so its check of the kind goes. SQLite has
no statement for that; its manual (lang_altertable, "Making Other Kinds Of Table Schema Changes")
says how: the schema's text is changed, and read anew.
"""

SCRIPT = """
ALTER TABLE tables ADD COLUMN game TEXT NOT NULL DEFAULT '';

DROP TRIGGER hand_is_final;
ALTER TABLE hands ADD COLUMN room_id TEXT NOT NULL DEFAULT '';
ALTER TABLE hands ADD COLUMN game TEXT NOT NULL DEFAULT '';
ALTER TABLE hands ADD COLUMN currency TEXT NOT NULL DEFAULT '';
UPDATE hands SET (room_id, currency) =
    (SELECT room_id, currency FROM tables WHERE tables.table_id = hands.table_id);
CREATE TRIGGER hand_is_final BEFORE UPDATE ON hands
BEGIN
    SELECT RAISE (ABORT, 'hands are never changed');
END;
CREATE INDEX hands_by_time ON hands (at_ms);

-- Calls that were carried out are the memory that keeps money from moving twice.
CREATE TRIGGER request_stays BEFORE DELETE ON requests
BEGIN
    SELECT RAISE (ABORT, 'calls are never forgotten');
END;
CREATE TRIGGER request_is_final BEFORE UPDATE ON requests
BEGIN
    SELECT RAISE (ABORT, 'calls are never changed');
END;

-- Which kinds of entries there are, the program knows. A check has no part in how rows are stored,
-- so its text is changed in place: a book of any size comes up in no time and in no memory.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (kind BETWEEN 1 AND 11)', 'CHECK (kind > 0)')
    WHERE type = 'table' AND name = 'entries';
PRAGMA writable_schema = RESET;

DROP TRIGGER entry_follows_the_last;
CREATE TRIGGER entry_follows_the_last BEFORE INSERT ON entries
BEGIN
    SELECT RAISE (ABORT, 'entries are numbered without gaps')
    WHERE NEW.entry_no <> (SELECT coalesce(max(entry_no), 0) + 1 FROM entries);
    SELECT RAISE (ABORT, 'an entry is chained to the last')
    WHERE NEW.prev_hash <> coalesce(
        (SELECT hash FROM entries WHERE entry_no = NEW.entry_no - 1), zeroblob(32));
    -- Books of the first versions may hold entries of a clock that was set back; from here on what
    -- the book held at an instant is what its first entries made.
    SELECT RAISE (ABORT, 'an entry is not older than the last')
    WHERE NEW.at_ms < (SELECT at_ms FROM entries WHERE entry_no = NEW.entry_no - 1);
    SELECT RAISE (ABORT, 'an entry balances in its one currency')
    WHERE (
        SELECT count(*) < 2 OR sum(p.amount_minor) <> 0 OR max(a.currency <> NEW.currency)
        FROM postings AS p JOIN accounts AS a USING (account_no)
        WHERE p.entry_no = NEW.entry_no
    );
END;

-- A tournament's pool and tips.
CREATE TRIGGER pool_stays_above_zero BEFORE UPDATE ON accounts
WHEN NEW.kind IN (5, 6) AND NEW.balance_minor < 0
BEGIN
    SELECT RAISE (ABORT, 'a pool is never below zero');
END;

-- Wishes that an entry be undone; the entry that undoes it has the id 'reverse/<entry_no>'.
CREATE TABLE reversals_asked (
    entry_no INTEGER NOT NULL REFERENCES entries,
    asked_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (entry_no, asked_by)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER reversal_asked_stays BEFORE DELETE ON reversals_asked
BEGIN
    SELECT RAISE (ABORT, 'wishes for reversals are never deleted');
END;
CREATE TRIGGER reversal_asked_is_final BEFORE UPDATE ON reversals_asked
BEGIN
    SELECT RAISE (ABORT, 'wishes for reversals are never changed');
END;
"""

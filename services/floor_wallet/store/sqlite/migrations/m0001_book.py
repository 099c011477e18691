"""The book. What it may never hold is refused here, whatever the program above it does.

An entry's postings are stored first and the entry after them: its row seals them. The entry's
trigger adds them up, and the deferred foreign key keeps postings without an entry from being
committed, so no unbalanced entry can ever be.
"""

SCRIPT = """
CREATE TABLE ledger (
    -- One row. The id tells this book's facts from those of another book on the same broker.
    one INTEGER PRIMARY KEY CHECK (one = 1),
    ledger_id TEXT NOT NULL,
    -- How far the stream of table logs is read.
    followed_to INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE currencies (
    code TEXT PRIMARY KEY,
    exponent INTEGER NOT NULL CHECK (exponent BETWEEN 0 AND 8)
) STRICT;

CREATE TABLE accounts (
    account_no INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 9),
    owner TEXT NOT NULL,
    currency TEXT NOT NULL REFERENCES currencies,
    player_id TEXT NOT NULL,
    table_id TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 0,
    balance_minor INTEGER NOT NULL DEFAULT 0
        CHECK (balance_minor BETWEEN -9007199254740991 AND 9007199254740991),
    UNIQUE (kind, owner, currency),
    -- Cash, escrow, carried pots and reserved money.
    CHECK (kind NOT IN (1, 2, 3, 9) OR balance_minor >= 0)
) STRICT;
CREATE INDEX accounts_of_player ON accounts (player_id, currency) WHERE player_id <> '';
CREATE INDEX accounts_of_table ON accounts (table_id) WHERE table_id <> '';

CREATE TABLE entries (
    entry_no INTEGER PRIMARY KEY,
    entry_id TEXT NOT NULL UNIQUE,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 11),
    currency TEXT NOT NULL REFERENCES currencies,
    at_ms INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    hand_no INTEGER NOT NULL,
    reference TEXT NOT NULL,
    note TEXT NOT NULL,
    content_hash BLOB NOT NULL CHECK (length(content_hash) = 32),
    prev_hash BLOB NOT NULL CHECK (length(prev_hash) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE postings (
    account_no INTEGER NOT NULL REFERENCES accounts,
    version INTEGER NOT NULL CHECK (version > 0),
    entry_no INTEGER NOT NULL REFERENCES entries DEFERRABLE INITIALLY DEFERRED,
    amount_minor INTEGER NOT NULL
        CHECK (amount_minor <> 0 AND amount_minor BETWEEN -9007199254740991 AND 9007199254740991),
    balance_minor INTEGER NOT NULL,
    PRIMARY KEY (account_no, version)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX postings_of_entry ON postings (entry_no, account_no);

CREATE TRIGGER posting_to_a_sealed_entry BEFORE INSERT ON postings
WHEN EXISTS (SELECT 1 FROM entries WHERE entry_no = NEW.entry_no)
BEGIN
    SELECT RAISE (ABORT, 'the entry is sealed');
END;

CREATE TRIGGER posting_moves_its_account AFTER INSERT ON postings
BEGIN
    UPDATE accounts SET version = NEW.version, balance_minor = NEW.balance_minor
    WHERE account_no = NEW.account_no
        AND version = NEW.version - 1
        AND balance_minor = NEW.balance_minor - NEW.amount_minor;
    SELECT RAISE (ABORT, 'a posting does not follow its account''s last')
    WHERE changes() <> 1;
END;

CREATE TRIGGER account_begins_at_zero BEFORE INSERT ON accounts
WHEN NEW.version <> 0 OR NEW.balance_minor <> 0
BEGIN
    SELECT RAISE (ABORT, 'an account begins at zero');
END;

CREATE TRIGGER account_changes_by_postings BEFORE UPDATE ON accounts
WHEN (NEW.account_no, NEW.kind, NEW.owner, NEW.currency, NEW.player_id, NEW.table_id)
    IS NOT (OLD.account_no, OLD.kind, OLD.owner, OLD.currency, OLD.player_id, OLD.table_id)
    OR NEW.version <> OLD.version + 1
    OR NOT EXISTS (
        SELECT 1 FROM postings
        WHERE account_no = NEW.account_no AND version = NEW.version
            AND balance_minor = NEW.balance_minor
    )
BEGIN
    SELECT RAISE (ABORT, 'an account changes by postings only');
END;

CREATE TRIGGER account_stays BEFORE DELETE ON accounts
BEGIN
    SELECT RAISE (ABORT, 'accounts are never deleted');
END;

CREATE TRIGGER entry_follows_the_last BEFORE INSERT ON entries
BEGIN
    SELECT RAISE (ABORT, 'entries are numbered without gaps')
    WHERE NEW.entry_no <> (SELECT coalesce(max(entry_no), 0) + 1 FROM entries);
    SELECT RAISE (ABORT, 'an entry is chained to the last')
    WHERE NEW.prev_hash <> coalesce(
        (SELECT hash FROM entries WHERE entry_no = NEW.entry_no - 1), zeroblob(32));
    SELECT RAISE (ABORT, 'an entry balances in its one currency')
    WHERE (
        SELECT count(*) < 2 OR sum(p.amount_minor) <> 0 OR max(a.currency <> NEW.currency)
        FROM postings AS p JOIN accounts AS a USING (account_no)
        WHERE p.entry_no = NEW.entry_no
    );
END;

CREATE TRIGGER entry_stays BEFORE DELETE ON entries
BEGIN
    SELECT RAISE (ABORT, 'entries are never deleted');
END;
CREATE TRIGGER entry_is_final BEFORE UPDATE ON entries
BEGIN
    SELECT RAISE (ABORT, 'entries are never changed');
END;
CREATE TRIGGER posting_stays BEFORE DELETE ON postings
BEGIN
    SELECT RAISE (ABORT, 'postings are never deleted');
END;
CREATE TRIGGER posting_is_final BEFORE UPDATE ON postings
BEGIN
    SELECT RAISE (ABORT, 'postings are never changed');
END;

CREATE TABLE requests (
    scope TEXT NOT NULL,
    request_id TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    entry_no INTEGER NOT NULL,
    balance_minor INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (scope, request_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE reservations (
    reservation_id TEXT PRIMARY KEY,
    table_id TEXT NOT NULL,
    state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 4),
    at_ms INTEGER NOT NULL,
    player_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    balance_minor INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX reservations_held ON reservations (expires_at_ms) WHERE state = 1;
CREATE INDEX reservations_held_at ON reservations (table_id, player_id) WHERE state = 1;

CREATE TRIGGER reservation_ends_once BEFORE UPDATE ON reservations
WHEN OLD.state <> 1 OR NEW.state NOT IN (2, 3)
    OR (NEW.table_id, NEW.player_id, NEW.currency, NEW.amount_minor)
    IS NOT (OLD.table_id, OLD.player_id, OLD.currency, OLD.amount_minor)
BEGIN
    SELECT RAISE (ABORT, 'a reservation ends once');
END;
CREATE TRIGGER reservation_stays BEFORE DELETE ON reservations
BEGIN
    SELECT RAISE (ABORT, 'reservations are never deleted');
END;

CREATE TABLE tables (
    table_id TEXT PRIMARY KEY,
    room_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    called_max_buy_in_minor INTEGER,
    called_max_rake_minor INTEGER,
    logged_max_buy_in_minor INTEGER,
    logged_max_rake_minor INTEGER,
    call_epoch INTEGER NOT NULL,
    log_epoch INTEGER NOT NULL,
    table_seq INTEGER NOT NULL,
    stream_seq INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    stopped_reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tables_stopped ON tables (table_id) WHERE stopped_reason <> '';

CREATE TRIGGER table_goes_forward BEFORE UPDATE ON tables
WHEN NEW.table_seq < OLD.table_seq OR NEW.stream_seq < OLD.stream_seq
    OR NEW.hand_no < OLD.hand_no OR NEW.call_epoch < OLD.call_epoch
    OR NEW.log_epoch < OLD.log_epoch
BEGIN
    SELECT RAISE (ABORT, 'a table''s cursor never goes back');
END;

CREATE TABLE hands (
    table_id TEXT NOT NULL,
    hand_no INTEGER NOT NULL CHECK (hand_no > 0),
    -- 0 when it moved nothing.
    entry_no INTEGER NOT NULL,
    rake_minor INTEGER NOT NULL CHECK (rake_minor >= 0),
    table_seq INTEGER NOT NULL,
    voided INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (table_id, hand_no)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER hand_stays BEFORE DELETE ON hands
BEGIN
    SELECT RAISE (ABORT, 'hands are never deleted');
END;
CREATE TRIGGER hand_is_final BEFORE UPDATE ON hands
BEGIN
    SELECT RAISE (ABORT, 'hands are never changed');
END;

CREATE TABLE outbox (
    -- AUTOINCREMENT: a number is not given again after its event was published and deleted.
    outbox_no INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    payload BLOB NOT NULL
) STRICT;
"""

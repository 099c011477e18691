"""The book. What it may never hold is refused here, whatever the program above it does.

An entry's postings are stored first and the entry after them: its row seals them. The triggers of
a statement look at all of its rows at once, so a group of entries costs little more than one.
They hold the ledger's row, so nobody else writes meanwhile, and demand READ COMMITTED, in which a
statement sees what was committed before it got that row.

Their plans are made once, when the tables may be small: they are kept to the indexes, so that an
entry costs the same in a book of a million.
"""

SCRIPT = r"""
CREATE TABLE floor_wallet.ledger (
    -- One row, held by whoever writes. The id tells this book's facts from those of another book
    -- on the same broker.
    one smallint PRIMARY KEY CHECK (one = 1),
    ledger_id text COLLATE "C" NOT NULL,
    -- How far the stream of table logs is read.
    followed_to bigint NOT NULL DEFAULT 0,
    -- The newest fact there ever was in the outbox.
    last_outbox_no bigint NOT NULL DEFAULT 0,
    -- One more with each group of units; who wrote the last one knows what the book holds.
    revision bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

CREATE TABLE floor_wallet.currencies (
    code text COLLATE "C" PRIMARY KEY,
    exponent smallint NOT NULL CHECK (exponent BETWEEN 0 AND 8)
);

CREATE TABLE floor_wallet.accounts (
    account_no bigint PRIMARY KEY,
    kind smallint NOT NULL CHECK (kind BETWEEN 1 AND 9),
    owner text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL REFERENCES floor_wallet.currencies,
    player_id text COLLATE "C" NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    balance_minor bigint NOT NULL DEFAULT 0
        CHECK (balance_minor BETWEEN -9007199254740991 AND 9007199254740991),
    UNIQUE (kind, owner, currency),
    -- Cash, escrow, carried pots, pools, tips and reserved money.
    CONSTRAINT never_negative CHECK (kind NOT IN (1, 2, 3, 5, 6, 9) OR balance_minor >= 0)
) WITH (fillfactor = 70);
CREATE INDEX accounts_of_player ON floor_wallet.accounts (player_id, currency)
    WHERE player_id <> '';
CREATE INDEX accounts_of_table ON floor_wallet.accounts (table_id) WHERE table_id <> '';

CREATE TABLE floor_wallet.entries (
    entry_no bigint PRIMARY KEY,
    entry_id text COLLATE "C" NOT NULL UNIQUE,
    -- Which kinds there are, the program knows.
    kind smallint NOT NULL CHECK (kind > 0),
    currency text COLLATE "C" NOT NULL,
    at_ms bigint NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    hand_no bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    note text COLLATE "C" NOT NULL,
    content_hash bytea NOT NULL CHECK (length(content_hash) = 32),
    prev_hash bytea NOT NULL CHECK (length(prev_hash) = 32),
    hash bytea NOT NULL,
    CONSTRAINT chained CHECK (hash = sha256(prev_hash || content_hash))
);

CREATE TABLE floor_wallet.postings (
    -- The trigger finds the account of every posting; a foreign key would look a second time.
    account_no bigint NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    entry_no bigint NOT NULL,
    amount_minor bigint NOT NULL
        CHECK (amount_minor <> 0 AND amount_minor BETWEEN -9007199254740991 AND 9007199254740991),
    balance_minor bigint NOT NULL
        CHECK (balance_minor BETWEEN -9007199254740991 AND 9007199254740991),
    PRIMARY KEY (account_no, version),
    CONSTRAINT sealed_by_its_entry FOREIGN KEY (entry_no) REFERENCES floor_wallet.entries
        DEFERRABLE INITIALLY DEFERRED
);
CREATE UNIQUE INDEX postings_of_entry ON floor_wallet.postings (entry_no, account_no);

CREATE TABLE floor_wallet.requests (
    scope text COLLATE "C" NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    content_hash bytea NOT NULL,
    entry_no bigint NOT NULL,
    balance_minor bigint NOT NULL,
    at_ms bigint NOT NULL,
    PRIMARY KEY (scope, request_id)
);

CREATE TABLE floor_wallet.reservations (
    reservation_id text COLLATE "C" PRIMARY KEY,
    table_id text COLLATE "C" NOT NULL,
    -- Held, committed, voided, tombstone, expired.
    state smallint NOT NULL CHECK (state BETWEEN 1 AND 5),
    at_ms bigint NOT NULL,
    player_id text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    amount_minor bigint NOT NULL,
    expires_at_ms bigint NOT NULL,
    balance_minor bigint NOT NULL
);
CREATE INDEX reservations_held ON floor_wallet.reservations (expires_at_ms, reservation_id)
    WHERE state = 1;
CREATE INDEX reservations_held_at ON floor_wallet.reservations (table_id, player_id)
    WHERE state = 1;
CREATE INDEX reservations_held_by ON floor_wallet.reservations (player_id, currency)
    WHERE state = 1;

CREATE TABLE floor_wallet.tables (
    table_id text COLLATE "C" PRIMARY KEY,
    room_id text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    called_max_buy_in_minor bigint,
    called_max_rake_minor bigint,
    logged_max_buy_in_minor bigint,
    logged_max_rake_minor bigint,
    call_epoch bigint NOT NULL,
    log_epoch bigint NOT NULL,
    table_seq bigint NOT NULL,
    stream_seq bigint NOT NULL,
    hand_no bigint NOT NULL,
    stopped_reason text COLLATE "C" NOT NULL,
    point_price_minor bigint NOT NULL CHECK (point_price_minor >= 0),
    game text COLLATE "C" NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX tables_stopped ON floor_wallet.tables (table_id) WHERE stopped_reason <> '';

CREATE TABLE floor_wallet.hands (
    table_id text COLLATE "C" NOT NULL,
    hand_no bigint NOT NULL CHECK (hand_no > 0),
    -- 0 when it moved nothing.
    entry_no bigint NOT NULL,
    rake_minor bigint NOT NULL CHECK (rake_minor >= 0),
    table_seq bigint NOT NULL,
    voided boolean NOT NULL,
    at_ms bigint NOT NULL,
    room_id text COLLATE "C" NOT NULL,
    game text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    PRIMARY KEY (table_id, hand_no)
);
CREATE INDEX hands_by_time ON floor_wallet.hands (at_ms);

CREATE TABLE floor_wallet.outbox (
    outbox_no bigint PRIMARY KEY,
    event_id text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    at_ms bigint NOT NULL,
    payload bytea NOT NULL
);

-- Wishes that an entry be undone; the entry that undoes it has the id 'reverse/<entry_no>'.
CREATE TABLE floor_wallet.reversals_asked (
    entry_no bigint NOT NULL REFERENCES floor_wallet.entries,
    asked_by text COLLATE "C" NOT NULL,
    reason text COLLATE "C" NOT NULL,
    at_ms bigint NOT NULL,
    PRIMARY KEY (entry_no, asked_by)
);

CREATE FUNCTION floor_wallet.refuse(why text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '%', why USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION floor_wallet.hold_the_book() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM 1 FROM floor_wallet.ledger FOR UPDATE;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        PERFORM floor_wallet.refuse('the book is written in READ COMMITTED');
    END IF;
END $$;

-- Its argument says why; the trigger's condition says when.
CREATE FUNCTION floor_wallet.refused() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM floor_wallet.refuse(TG_ARGV[0]);
    RETURN NULL;
END $$;

CREATE FUNCTION floor_wallet.never() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM floor_wallet.refuse(format('%s: %s is never done', TG_TABLE_NAME, lower(TG_OP)));
    RETURN NULL;
END $$;

-- As the schema's owner, for nobody else may move an account.
CREATE FUNCTION floor_wallet.postings_move_accounts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    sealed bigint;
    wrong bigint;
    moved bigint;
BEGIN
    PERFORM floor_wallet.hold_the_book();
    SELECT coalesce(max(entry_no), 0) INTO sealed FROM floor_wallet.entries;
    IF EXISTS (SELECT 1 FROM fresh WHERE entry_no <= sealed) THEN
        PERFORM floor_wallet.refuse('the entry is sealed');
    END IF;
    SELECT count(*) INTO wrong FROM (
        SELECT p.account_no IS NOT NULL AND a.account_no IS NOT NULL
            AND p.version = lag(p.version, 1, a.version) OVER line + 1
            AND p.balance_minor
                = lag(p.balance_minor, 1, a.balance_minor) OVER line + p.amount_minor AS follows
        FROM fresh AS p LEFT JOIN floor_wallet.accounts AS a ON a.account_no = p.account_no
        WINDOW line AS (PARTITION BY p.account_no ORDER BY p.version)
    ) AS lines WHERE follows IS NOT TRUE;
    IF wrong > 0 THEN
        PERFORM floor_wallet.refuse('a posting does not follow its account''s last');
    END IF;
    IF EXISTS (
        SELECT 1 FROM fresh AS p JOIN floor_wallet.accounts AS a ON a.account_no = p.account_no
        WHERE p.balance_minor < 0 AND a.kind IN (1, 2, 3, 5, 6, 9)
    ) THEN
        PERFORM floor_wallet.refuse('the account is never below zero');
    END IF;
    UPDATE floor_wallet.accounts AS a
    SET version = last.version, balance_minor = last.balance_minor
    FROM (
        SELECT DISTINCT ON (account_no) account_no, version, balance_minor
        FROM fresh ORDER BY account_no, version DESC
    ) AS last
    WHERE a.account_no = last.account_no;
    RETURN NULL;
END $$;
CREATE TRIGGER postings_move_accounts AFTER INSERT ON floor_wallet.postings
    REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.postings_move_accounts();

CREATE TRIGGER account_begins_at_zero BEFORE INSERT ON floor_wallet.accounts
    FOR EACH ROW WHEN (NEW.version <> 0 OR NEW.balance_minor <> 0)
    EXECUTE FUNCTION floor_wallet.refused('an account begins at zero');

CREATE FUNCTION floor_wallet.accounts_change_by_postings() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM changed AS n
        LEFT JOIN floor_wallet.postings AS p
            ON p.account_no = n.account_no AND p.version = n.version
            AND p.balance_minor = n.balance_minor
        WHERE p.account_no IS NULL
    ) THEN
        PERFORM floor_wallet.refuse('an account changes by postings only');
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER accounts_change_by_postings AFTER UPDATE ON floor_wallet.accounts
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.accounts_change_by_postings();

CREATE TRIGGER account_is_its_owners BEFORE UPDATE ON floor_wallet.accounts
    FOR EACH ROW WHEN (
        (NEW.account_no, NEW.kind, NEW.owner, NEW.currency, NEW.player_id, NEW.table_id)
        IS DISTINCT FROM
        (OLD.account_no, OLD.kind, OLD.owner, OLD.currency, OLD.player_id, OLD.table_id)
        OR NEW.version <= OLD.version
    )
    EXECUTE FUNCTION floor_wallet.refused('an account changes by postings only');

CREATE FUNCTION floor_wallet.entries_seal_postings() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    first_no bigint;
    last_no bigint;
    many bigint;
BEGIN
    PERFORM floor_wallet.hold_the_book();
    SELECT min(entry_no), max(entry_no), count(*) INTO first_no, last_no, many FROM fresh;
    -- Their numbers differ from each other and from all older ones: the primary key sees to that.
    IF last_no - first_no + 1 <> many OR first_no < 1 OR first_no > 1
        AND NOT EXISTS (SELECT 1 FROM floor_wallet.entries WHERE entry_no = first_no - 1)
    THEN
        PERFORM floor_wallet.refuse('entries are numbered without gaps');
    END IF;
    IF EXISTS (
        SELECT 1 FROM fresh AS e
        LEFT JOIN floor_wallet.entries AS before ON before.entry_no = e.entry_no - 1
        WHERE e.prev_hash <> coalesce(before.hash, decode(repeat('00', 32), 'hex'))
    ) THEN
        PERFORM floor_wallet.refuse('an entry is chained to the last');
    END IF;
    IF EXISTS (
        SELECT 1 FROM fresh AS e
        JOIN floor_wallet.entries AS before ON before.entry_no = e.entry_no - 1
        WHERE e.at_ms < before.at_ms
    ) THEN
        PERFORM floor_wallet.refuse('an entry is not older than the last');
    END IF;
    IF EXISTS (
        SELECT 1 FROM fresh AS e CROSS JOIN LATERAL (
            SELECT count(*) AS many, sum(p.amount_minor) AS total,
                bool_or(a.currency <> e.currency) AS mixed
            FROM floor_wallet.postings AS p
            JOIN floor_wallet.accounts AS a ON a.account_no = p.account_no
            WHERE p.entry_no = e.entry_no
        ) AS sums
        WHERE sums.many < 2 OR sums.total <> 0 OR sums.mixed
    ) THEN
        PERFORM floor_wallet.refuse('an entry balances in its one currency');
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER entries_seal_postings AFTER INSERT ON floor_wallet.entries
    REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.entries_seal_postings();

CREATE TRIGGER reservation_ends_once BEFORE UPDATE ON floor_wallet.reservations
    FOR EACH ROW WHEN (
        NOT (OLD.state = 1 AND NEW.state IN (2, 3, 5) OR OLD.state = 5 AND NEW.state IN (2, 3))
        OR (NEW.reservation_id, NEW.table_id, NEW.at_ms, NEW.player_id, NEW.currency,
            NEW.amount_minor, NEW.expires_at_ms, NEW.balance_minor)
        IS DISTINCT FROM
        (OLD.reservation_id, OLD.table_id, OLD.at_ms, OLD.player_id, OLD.currency,
            OLD.amount_minor, OLD.expires_at_ms, OLD.balance_minor)
    )
    EXECUTE FUNCTION floor_wallet.refused('a reservation ends once');

CREATE TRIGGER table_goes_forward BEFORE UPDATE ON floor_wallet.tables
    FOR EACH ROW WHEN (
        NEW.table_id <> OLD.table_id
        OR NEW.table_seq < OLD.table_seq OR NEW.stream_seq < OLD.stream_seq
        OR NEW.hand_no < OLD.hand_no OR NEW.call_epoch < OLD.call_epoch
        OR NEW.log_epoch < OLD.log_epoch
    )
    EXECUTE FUNCTION floor_wallet.refused('a cursor never goes back');
CREATE TRIGGER ledger_goes_forward BEFORE UPDATE ON floor_wallet.ledger
    FOR EACH ROW WHEN (
        NEW.ledger_id <> OLD.ledger_id OR NEW.followed_to < OLD.followed_to
        OR NEW.last_outbox_no < OLD.last_outbox_no OR NEW.revision < OLD.revision
    )
    EXECUTE FUNCTION floor_wallet.refused('a cursor never goes back');

CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON floor_wallet.entries
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON floor_wallet.postings
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON floor_wallet.hands
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON floor_wallet.requests
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON floor_wallet.reversals_asked
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON floor_wallet.currencies
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
CREATE TRIGGER never BEFORE DELETE OR TRUNCATE ON floor_wallet.accounts
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
CREATE TRIGGER never BEFORE DELETE OR TRUNCATE ON floor_wallet.reservations
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
CREATE TRIGGER never BEFORE DELETE OR TRUNCATE ON floor_wallet.tables
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
CREATE TRIGGER never BEFORE DELETE OR TRUNCATE ON floor_wallet.ledger
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
CREATE TRIGGER never BEFORE UPDATE OR TRUNCATE ON floor_wallet.outbox
    FOR EACH STATEMENT EXECUTE FUNCTION floor_wallet.never();
"""

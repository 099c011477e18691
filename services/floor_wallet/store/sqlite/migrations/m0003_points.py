"""Version 3: tables that play for points know the price of one (OFC-20); 0 is a money table."""

SCRIPT = """
ALTER TABLE tables ADD COLUMN point_price_minor INTEGER NOT NULL DEFAULT 0
    CHECK (point_price_minor >= 0);
"""

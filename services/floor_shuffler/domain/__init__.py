"""The shuffler's rules: pure, without I/O, clock or randomness. A refusal is a value here."""

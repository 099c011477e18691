"""What makes tables live: one actor a table, its log, its streams, its effects and its clocks."""

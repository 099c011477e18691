"""The table service: seats, clocks and hands in play; the owner of the table log. See README.md."""

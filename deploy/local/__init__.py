"""The whole floor on one machine: a launcher, bots that play, a live board."""

"""The whole floor on one machine: what `make run` starts, watches and stops."""

"""The scoring service: points of open-face Chinese and of Scoop. See README.md."""

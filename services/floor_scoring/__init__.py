"""The scoring service: points of open-face Chinese. See README.md."""

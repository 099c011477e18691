"""Run the table service: `python -m floor_table`."""

from floor_table.main import main
from floor_table.settings import TableServiceSettings
from pokerfloor.servicekit import run

run("table", TableServiceSettings, main)

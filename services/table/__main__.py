"""Run the table service: `python -m services.table`."""

from libs.floorkit import run
from services.table.main import main
from services.table.settings import TableServiceSettings

run("table", TableServiceSettings, main)

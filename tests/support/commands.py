from __future__ import annotations

import asyncio
import sys
from pathlib import Path

_WITHIN_S = 60.0


async def floorctl(*args: str) -> tuple[int, str, str]:
    """Run the command as a person does: its exit code, what it prints, and its complaints."""
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("floorctl"),
        *args,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, said = await asyncio.wait_for(process.communicate(), _WITHIN_S)
    assert process.returncode is not None
    return process.returncode, printed.decode(), said.decode()

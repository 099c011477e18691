"""Build the package and generate the stubs into it; pyproject.toml says the rest."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).resolve().parent))  # a build's folder is not on the path

from tools.make_stubs import TARGET, make_stubs


class BuildWithStubs(build_py):
    """Copy the packages, and generate `pokerfloor.api` among them."""

    def run(self) -> None:
        """Build from nothing, so that no module of an earlier build gets into the package."""
        if self.editable_mode:
            super().run()
            if not TARGET.is_dir():
                make_stubs()
            return
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        make_stubs(Path(self.build_lib) / "pokerfloor" / "api")


setup(cmdclass={"build_py": BuildWithStubs})

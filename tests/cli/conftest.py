"""Fixtures of the tests of the commands."""

from __future__ import annotations

import pytest

from memorypane.home.paths import Home
from tests.cli.inside import Inside


@pytest.fixture
def inside(home: Home, capsys: pytest.CaptureFixture[str]) -> Inside:
    """The commands, run in this process."""
    return Inside(home, capsys)

"""What the store's tests share: a place for the file, and an open store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorypane.store.store import Store
from tests.store.processes import Elsewhere
from tests.store.support import still


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store of a test lies."""
    return tmp_path / "home" / "identity.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """An open store with nothing in it."""
    made = Store(path, backups=path.parent / "backups", clock=still)
    yield made
    made.close()


@pytest.fixture(scope="session")
def elsewhere() -> Elsewhere:
    """Processes beside the one of the tests."""
    return Elsewhere()

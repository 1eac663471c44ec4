"""Where everything of one home lies; the folder and its files are the owner's alone (0700, 0600)."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from memorypane.model.errors import InvalidInput, Unavailable

__all__ = [
    "DEFAULT_CHANNEL", "Home", "check_channel_name", "default_home", "private_folder", "resources", "runtime_folder", "write_private",
]

DEFAULT_CHANNEL = "stable"
RESERVED_CHANNELS = frozenset({"all", "none", "new", "system", "shared", "identity"})
CHANNEL_NAME = re.compile(r"[a-z0-9_-]{1,64}")


def default_home() -> Path:
    """`MEMORYPANE_HOME`, else the user's data folder (`XDG_DATA_HOME/memorypane`, `~/.local/share/memorypane`)."""
    if named := os.environ.get("MEMORYPANE_HOME"):
        return Path(named).expanduser().absolute()
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "memorypane"


def check_channel_name(name: str) -> str:
    """Return `name` if it may name a channel, else raise `InvalidInput` with the rule."""
    if not CHANNEL_NAME.fullmatch(name):
        raise InvalidInput(f"A channel name has 1 to 64 lowercase ASCII letters, digits, - and _; {name[:80]!r} is none.")
    if name in RESERVED_CHANNELS:
        raise InvalidInput(f"{name!r} is reserved and cannot name a channel.")
    return name


def private_folder(folder: Path) -> Path:
    """Make `folder` (and its parents) for the owner alone and return it; `Unavailable` says why that failed."""
    try:
        # One by one: the mode that `mkdir` is given holds for the last folder only.
        for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
            missing.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as problem:
        raise Unavailable(f"The folder {folder} cannot be made or used: {problem.strerror or problem}.") from problem
    return folder


def write_private(path: Path, data: bytes) -> None:
    """Write a file of mode 0600 so that readers see the old bytes or the new ones, never half of them."""
    import tempfile  # here and below: the bridge, which each host waits for, needs none of these

    private_folder(path.parent)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise Unavailable(f"The file {path} cannot be written: {problem.strerror or problem}.") from problem


def runtime_folder() -> Path:
    """A private folder for sockets with a short path: `XDG_RUNTIME_DIR/memorypane`, else one under the temporary folder."""
    import tempfile

    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and Path(base).is_dir() and len(os.fsencode(base)) < 60:
        return Path(base) / "memorypane"
    return Path(tempfile.gettempdir()) / f"memorypane-{os.getuid()}"


def resources() -> Path:
    """The folder of shipped files: inside the installed package, or at the top of a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "resources"
    return installed if installed.is_dir() else package.parent / "resources"


class Home(NamedTuple):
    """The layout of one home folder; every location is a property or method, nothing else knows names of files."""

    root: Path

    @property
    def shared_store(self) -> Path:
        """The identity store that channels share."""
        return self.root / "identity.db"

    @property
    def settings(self) -> Path:
        """The window's own settings (theme, notifications, layout)."""
        return self.root / "settings.toml"

    @property
    def backups(self) -> Path:
        """Where backups of stores go."""
        return self.root / "backups"

    @property
    def drafts(self) -> Path:
        """Unsaved texts of the window, one file a draft."""
        return self.root / "drafts"

    @property
    def logs(self) -> Path:
        """Log files, rotated, without memory texts."""
        return self.root / "logs"

    @property
    def serve_log(self) -> Path:
        """What the servers that run in the background had to say."""
        return self.logs / "serve.log"

    @property
    def channels(self) -> Path:
        """The folder that holds one folder a channel."""
        return self.root / "channels"

    def channel(self, name: str) -> Path:
        """The folder of one channel."""
        return self.channels / check_channel_name(name)

    def channel_config(self, name: str) -> Path:
        """The channel's `channel.toml`."""
        return self.channel(name) / "channel.toml"

    def endpoint(self, name: str) -> Path:
        """The file in which a running server says where it listens."""
        return self.channel(name) / "endpoint.json"

    def lock(self, name: str) -> Path:
        """The lock that makes one server of many win."""
        return self.channel(name) / "serve.lock"

    def spawn_lock(self, name: str) -> Path:
        """The lock that lets one of many waiting clients start the server."""
        return self.channel(name) / "spawn.lock"

    def isolated_store(self, name: str) -> Path:
        """The identity store of an isolated channel."""
        return self.channel(name) / "identity.db"

    def tokens(self, store_id: str) -> Path:
        """The folder of the agents' tokens for one store."""
        return self.root / "agents" / store_id

    def socket(self, name: str, kind: str) -> Path:
        """A socket path of this home and channel, under 100 bytes; clients read it from the endpoint file instead."""
        import hashlib

        digest = hashlib.sha256(os.fsencode(str(self.root.absolute())) + b"\0" + name.encode()).hexdigest()[:16]
        return runtime_folder() / f"{digest}.{kind}"

"""What a command works with: the home, the channel, and the desk, which is opened when it is first asked for."""

from __future__ import annotations

import gc
import sys
from functools import cached_property
from typing import TYPE_CHECKING

from memorypane.home.paths import Home

if TYPE_CHECKING:
    from memorypane.service.desk import Desk
    from memorypane.service.person import PersonFace

__all__ = ["Context"]


class Context:
    """One run of one command; `as_json` says that the answer goes to a program."""

    def __init__(self, home: Home, channel: str, *, as_json: bool = False) -> None:
        self.home = home
        self.channel = channel
        self.as_json = as_json

    @cached_property
    def desk(self) -> Desk:
        """The opened channel; raises what `Desk.open` raises."""
        # What an import makes stays to the end. Looking through it for garbage, meanwhile and at the end, took a third of a short command.
        gc.disable()
        try:
            from memorypane.service.desk import Desk
        finally:
            gc.freeze()
            gc.enable()
        return Desk.open(self.home, self.channel)

    @cached_property
    def person(self) -> PersonFace:
        """What the person may do, marked as done by command."""
        return self.desk.person(via="command")

    def warn(self, sentence: str) -> None:
        """Tell the person something beside the answer."""
        print(f"memorypane: {sentence}", file=sys.stderr)

    def close(self) -> None:
        """Close the desk if it was opened."""
        if "desk" in self.__dict__:
            self.desk.close()

"""When a server counts as idle."""

from __future__ import annotations

import asyncio

from memorypane.server.roster import Roster


class Somebody:
    """A guest."""

    def retire(self, seconds: float) -> None:
        """Never asked here."""
        raise AssertionError(seconds)


def test_company_keeps_a_server_from_being_idle_and_its_end_begins_the_wait_anew() -> None:
    async def scene() -> None:
        roster, guest, other = Roster(), Somebody(), Somebody()
        roster.enter(guest)
        waiting = asyncio.get_running_loop().create_task(roster.wait_idle(0.05))
        assert (await asyncio.wait([waiting], timeout=0.2))[0] == set()
        roster.enter(other)
        roster.leave(guest)
        assert (await asyncio.wait([waiting], timeout=0.2))[0] == set()
        roster.leave(other)
        async with asyncio.timeout(10):
            await waiting

    asyncio.run(scene())


def test_somebody_who_comes_in_time_is_waited_for() -> None:
    async def scene() -> None:
        roster, guest = Roster(), Somebody()
        waiting = asyncio.get_running_loop().create_task(roster.wait_idle(3600))
        await asyncio.sleep(0)
        roster.enter(guest)
        roster.leave(guest)
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()

    asyncio.run(scene())

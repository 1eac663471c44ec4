from __future__ import annotations

from memorypane.tools.streaks import MOST_CONNECTIONS, Streaks


def test_failures_count_by_connection_until_a_success() -> None:
    streaks = Streaks(lambda: 0.0)
    assert [streaks.failed("a") for _ in range(3)] == [1, 2, 3]
    assert streaks.failed("b") == 1
    streaks.succeeded("a")
    streaks.succeeded("never failed")
    assert (streaks.failed("a"), streaks.failed("b")) == (1, 2)


def test_five_idle_minutes_begin_anew() -> None:
    now = [0.0]
    streaks = Streaks(lambda: now[0])
    streaks.failed("a")
    now[0] = 299.9
    assert streaks.failed("a") == 2
    now[0] = 299.9 + 300
    assert streaks.failed("a") == 1


def test_only_so_many_connections_are_kept_and_the_longest_silent_one_is_forgotten() -> None:
    streaks = Streaks(lambda: 0.0)
    streaks.failed("first")
    for number in range(MOST_CONNECTIONS - 1):
        streaks.failed(str(number))
    assert streaks.failed("first") == 2
    streaks.failed("one more")
    assert streaks.failed("first") == 3
    assert streaks.failed("0") == 1

"""The window's settings: kept in the home, odd values passed over, other tables left alone."""

from __future__ import annotations

import stat
import tomllib

import pytest

from memorypane.gui.settings import Settings, load_settings, save_settings
from memorypane.home.paths import Home


def test_without_a_file_the_defaults_are_in_force(home: Home) -> None:
    assert load_settings(home) == (Settings(), "")


def test_what_was_saved_is_there_again(home: Home) -> None:
    settings = Settings(theme="dark", text_size=16, sidebar=300, list=400, width=1500, height=900, maximized=True, place='list/"odd\n\\')
    assert save_settings(home, settings) == ""
    assert load_settings(home) == (settings, "")
    assert stat.S_IMODE(home.settings.stat().st_mode) == 0o600


def test_other_tables_of_the_file_stay(home: Home) -> None:
    home.root.mkdir()
    home.settings.write_text('[notifications]\nwaiting = true\nname = "a \\"b\\""\n\n[window]\ntheme = "dark"\nlater = 3\n')
    save_settings(home, Settings(theme="light"))
    found = tomllib.loads(home.settings.read_text())
    assert found["notifications"] == {"waiting": True, "name": 'a "b"'}
    assert found["window"]["theme"] == "light"
    assert found["window"]["later"] == 3


@pytest.mark.parametrize("text", ["theme = ", "\xff", "[window]\ntheme = 3\nsidebar = 'wide'\nmaximized = 1\n", "window = 3"])
def test_odd_files_never_keep_the_window_from_opening(home: Home, text: str) -> None:
    home.root.mkdir()
    home.settings.write_bytes(text.encode("latin-1"))
    settings, _ = load_settings(home)
    assert settings == Settings()


def test_a_damaged_file_is_said(home: Home) -> None:
    home.root.mkdir()
    home.settings.write_text("theme = ")
    assert "could not be read" in load_settings(home)[1]


def test_numbers_are_kept_in_their_ranges(home: Home) -> None:
    home.root.mkdir()
    home.settings.write_text("[window]\nsidebar = 5\nlist = 99999\ntext_size = 400\nwidth = 1\n")
    settings, _ = load_settings(home)
    assert (settings.sidebar, settings.list, settings.text_size, settings.width) == (196, 520, 28, 900)


def test_a_home_that_cannot_be_written_is_a_sentence(home: Home) -> None:
    home.root.parent.mkdir(exist_ok=True)
    home.root.write_text("a file where the folder should be")
    assert save_settings(home, Settings())

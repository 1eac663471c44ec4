"""The other pages in the real window: first start, agents, import, startup text, activity, settings."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memorypane.gui.pages.activity import ActivityScreen
from memorypane.gui.pages.agents import AgentsScreen
from memorypane.gui.pages.importing import ImportScreen
from memorypane.gui.pages.settings import SettingsScreen
from memorypane.gui.pages.startup import StartupScreen
from memorypane.gui.pages.welcome import WelcomeScreen
from memorypane.gui.places import Kind, Place, shelf_place, workspace_place
from memorypane.gui.theme.theme import Theme
from memorypane.home.paths import Home
from memorypane.home.tokens import token_file
from memorypane.model.shelves import INSTRUCTIONS, SYSTEM
from memorypane.model.values import Agent
from memorypane.service.desk import Desk
from memorypane.service.identity import Caller, Hello
from memorypane.service.person import PersonFace
from tests.gui.conftest import Elsewhere
from tests.gui.shell.conftest import Window

Open = Callable[..., Window]


def agents_of(owner: PersonFace) -> dict[str, Agent]:
    return {agent.name: agent for agent in owner.agents()}


def test_an_empty_store_begins_with_how_to_connect(open_window: Open) -> None:
    window = open_window()
    assert window.pane.controller.place == Place(Kind.WELCOME)
    screen = window.pane.screens[Kind.WELCOME]
    assert isinstance(screen, WelcomeScreen)
    assert QApplication.focusWidget() is screen.connect_panel.name


def test_copying_makes_the_token_and_the_settings_text(watched: Desk, owner: PersonFace, home: Home, open_window: Open) -> None:
    window = open_window()
    screen = window.pane.screens[Kind.WELCOME]
    assert isinstance(screen, WelcomeScreen)
    panel = screen.connect_panel
    panel.name.selectAll()
    window.press("build-helper")
    window.click(panel.copy)
    window.until(lambda: "build-helper" in agents_of(owner))
    config = json.loads(QApplication.clipboard().text())
    server = config["mcpServers"]["memory"]
    assert server["args"][-3:] == ["mcp", "--agent", "build-helper"]
    file = token_file(home, watched.store_id, "build-helper")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    window.click(panel.copy)
    assert file.read_bytes() == before


def test_a_name_that_cannot_be_one_is_said_beside_the_field(open_window: Open) -> None:
    window = open_window()
    screen = window.pane.screens[Kind.WELCOME]
    assert isinstance(screen, WelcomeScreen)
    panel = screen.connect_panel
    panel.name.setText("Human Being")
    assert not panel.copy.isEnabled()
    assert panel._note.full_text
    panel.name.setText("human")
    assert not panel.copy.isEnabled()
    panel.name.setText("helper")
    assert panel.copy.isEnabled()


def test_each_host_has_its_own_settings_text(open_window: Open) -> None:
    window = open_window()
    screen = window.pane.screens[Kind.WELCOME]
    assert isinstance(screen, WelcomeScreen)
    panel = screen.connect_panel
    texts = []
    for index in range(5):
        panel.hosts.choose(index)
        texts.append(panel._code.toPlainText())
    assert "[mcp_servers.memory]" in texts[1]
    assert set(json.loads(texts[3])) == {"servers"}
    assert texts[4].endswith("mcp --agent my-agent")
    assert len(set(texts)) == 5


def test_the_first_entry_from_elsewhere_ends_the_first_start(open_window: Open, owner: PersonFace) -> None:
    window = open_window()
    owner.add(INSTRUCTIONS, name="First", content="x\n")
    window.until(lambda: window.pane.controller.place == shelf_place(INSTRUCTIONS))
    assert window.titles() == ["First"]


def test_an_agent_is_revoked_only_after_a_question(owner: PersonFace, helper: Caller, open_window: Open) -> None:
    owner.add(INSTRUCTIONS, name="x", content="x\n")
    window = open_window()
    window.go(Place(Kind.AGENTS))
    screen = window.pane.screens[Kind.AGENTS]
    assert isinstance(screen, AgentsScreen)
    assert screen.list.chosen_key == "build-helper"
    window.click(screen.column._revoke)
    window.press(Qt.Key.Key_Escape)
    assert not agents_of(owner)["build-helper"].revoked
    window.click(screen.column._revoke)
    dialog = QApplication.activeWindow()
    assert dialog is not None
    window.click(dialog.revoke)  # type: ignore[attr-defined]  # the dialog that asks
    window.until(lambda: agents_of(owner)["build-helper"].revoked)
    window.until(lambda: not screen.column._revoke.isVisible())


def test_a_new_agent_appears_when_it_connects(watched: Desk, owner: PersonFace, open_window: Open) -> None:
    owner.add(INSTRUCTIONS, name="x", content="x\n")
    window = open_window()
    window.go(Place(Kind.AGENTS))
    caller = watched.admit(Hello("night-watch"))
    screen = window.pane.screens[Kind.AGENTS]
    assert isinstance(screen, AgentsScreen)
    window.until(lambda: screen.list.keys == ("night-watch",))
    watched.leave(caller)


def test_files_are_tried_before_they_are_imported(owner: PersonFace, tmp_path: Path, open_window: Open) -> None:
    owner.add(SYSTEM, name="x", content="x\n")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "CLAUDE.md").write_text("# Rules\n\nBe short.\n")
    (folder / "AGENTS.md").write_text("# Agents\n\nBe kind.\n")
    window = open_window()
    window.go(Place(Kind.IMPORT))
    screen = window.pane.screens[Kind.IMPORT]
    assert isinstance(screen, ImportScreen)
    assert not screen.act.isEnabled()
    screen.try_paths([folder])
    window.settle()
    assert screen.act.text() == "Import 2 entries"
    assert owner.page(shelf_place(INSTRUCTIONS).query).total == 0
    screen.table.step(1)
    screen.table.setFocus()
    window.press(" ")
    assert screen.act.text() == "Import 1 entry"
    window.click(screen.act)
    window.until(lambda: owner.page(shelf_place(INSTRUCTIONS).query).total == 1)
    window.until(lambda: window.pane.controller.place == shelf_place(INSTRUCTIONS))


def test_importing_the_same_files_again_changes_nothing(owner: PersonFace, tmp_path: Path, open_window: Open) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_text("# Rules\n\nBe short.\n")
    owner.add(SYSTEM, name="x", content="x\n")
    window = open_window()
    screen = window.pane.screens[Kind.IMPORT]
    assert isinstance(screen, ImportScreen)
    for _ in range(2):
        window.go(Place(Kind.IMPORT))
        screen.try_paths([file])
        window.settle()
        if screen.act.isEnabled():
            window.click(screen.act)
            window.settle()
    assert not screen.act.isEnabled()
    assert owner.page(shelf_place(INSTRUCTIONS).query).total == 1


def test_a_path_that_is_gone_is_a_sentence(owner: PersonFace, tmp_path: Path, open_window: Open) -> None:
    owner.add(SYSTEM, name="x", content="x\n")
    window = open_window()
    window.go(Place(Kind.IMPORT))
    screen = window.pane.screens[Kind.IMPORT]
    assert isinstance(screen, ImportScreen)
    screen.try_paths([tmp_path / "nowhere"])
    window.settle()
    assert window.window.toast.isVisible()
    assert "nowhere" in window.window.toast._words.full_text


def test_the_startup_text_follows_the_store(owner: PersonFace, helper: Caller, open_window: Open, elsewhere: Elsewhere) -> None:
    rule = owner.add(SYSTEM, name="Rule", content="Never on Friday.\n")
    window = open_window()
    window.go(Place(Kind.STARTUP))
    screen = window.pane.screens[Kind.STARTUP]
    assert isinstance(screen, StartupScreen)
    assert "Never on Friday." in screen._boxes[0]._text.toPlainText()
    window.press("c")
    assert QApplication.clipboard().text() == owner.startup_text("build-helper").text
    elsewhere("edit", rule.id, content="Never on Monday.\n")
    window.until(lambda: "Never on Monday." in screen._boxes[0]._text.toPlainText())


def test_long_sections_are_folded_and_unfold(owner: PersonFace, helper: Caller, open_window: Open) -> None:
    for number in range(12):
        owner.add(INSTRUCTIONS, name=f"Entry {number:02}", content="A line.\n" * 5)
    window = open_window()
    window.go(Place(Kind.STARTUP))
    screen = window.pane.screens[Kind.STARTUP]
    assert isinstance(screen, StartupScreen)
    box = screen._boxes[0]
    assert "Entry 11" not in box._text.toPlainText()
    window.click(box._more)
    assert "Entry 11" in box._text.toPlainText()


def test_a_row_of_the_activity_opens_its_entry(owner: PersonFace, open_window: Open) -> None:
    entry = owner.add(INSTRUCTIONS, name="Rule", content="x\n")
    owner.add(SYSTEM, name="Other", content="x\n")
    window = open_window()
    window.go(Place(Kind.ACTIVITY))
    screen = window.pane.screens[Kind.ACTIVITY]
    assert isinstance(screen, ActivityScreen)
    window.press("j")
    window.press("j")
    window.press(Qt.Key.Key_Return)
    assert window.pane.controller.place == shelf_place(INSTRUCTIONS)
    assert window.column.info is not None
    assert window.column.info.id == entry.id


def test_theme_and_text_size_act_at_once(owner: PersonFace, theme: Theme, open_window: Open) -> None:
    owner.add(INSTRUCTIONS, name="Rule", content="x\n")
    window = open_window()
    window.go(Place(Kind.SETTINGS))
    screen = window.pane.screens[Kind.SETTINGS]
    assert isinstance(screen, SettingsScreen)
    told: list[int] = []
    screen.changed.connect(told.append)
    try:
        screen._modes.choose(2)
        assert theme.dark
        screen._sizes.choose(4)
        assert theme.metrics("body").height() > 18
        window.go(shelf_place(INSTRUCTIONS))
        assert window.entries.view.verticalHeader().defaultSectionSize() > 56
    finally:
        theme.set_mode("light")
        theme.set_base(0)
    assert told == [0, 16]


def test_a_folder_that_an_agent_brought_is_confirmed_by_one_key(
    watched: Desk, owner: PersonFace, tmp_path: Path, open_window: Open,
) -> None:
    owner.add(SYSTEM, name="x", content="x\n")
    folder = tmp_path / "app"
    folder.mkdir()
    caller = watched.admit(Hello("night-watch", workspace=str(folder)))
    window = open_window()
    window.go(workspace_place(caller.workspace))
    assert window.entries._notice.isVisible()
    window.press("c")
    window.until(lambda: [each.state for each in owner.workspaces()] == ["confirmed"])
    window.until(lambda: not window.entries._notice.isVisible())
    watched.leave(caller)

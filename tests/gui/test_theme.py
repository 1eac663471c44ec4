"""The look: its values, its contrasts, following light and dark, icons and painting."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from memorypane.gui.theme.icons import Icons
from memorypane.gui.theme.labels import plain_tooltip
from memorypane.gui.theme.paint import Badge, badge_width, draw_badge, draw_keys, keys_width
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import DARK, LIGHT, TYPE, Colors
from memorypane.gui.theme.widgets import Button, Label, SearchField, SegmentedControl


def luminance(color: str) -> float:
    channels = [int(color[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read_on_every_ground(colors: Colors) -> None:
    grounds = ["window", "surface", "surface_alt", "raised", "sunken", "hover", "selection", "selection_inactive"]
    for ink in ("text", "text_secondary", "muted", "success", "warning", "danger"):
        for ground in grounds:
            assert contrast(getattr(colors, ink), getattr(colors, ground)) >= 4.5, (ink, ground)
    for tier in ("system", "global", "workspace", "personal"):
        assert contrast(getattr(colors, f"tier_{tier}"), getattr(colors, f"tier_{tier}_soft")) >= 4.5, tier
    for tone in ("accent", "success", "warning", "danger"):
        assert contrast(getattr(colors, tone), getattr(colors, f"{tone}_soft")) >= 4.5, tone
    assert contrast(colors.accent_text, colors.accent) >= 4.5
    assert contrast(colors.focus, colors.window) >= 3


def test_the_values_are_the_agreed_ones(shared: Path) -> None:
    agreed = json.loads((shared / "look" / "tokens.json").read_text())
    for name, colors in (("light", LIGHT), ("dark", DARK)):
        ours = {field.name: getattr(colors, field.name) for field in fields(Colors)}
        assert ours == {key: value.lower() for key, value in agreed["color"][name].items()}
    assert {name: (style.px, style.weight, style.line) for name, style in TYPE.items()} == {
        name: (style["px"], style["weight"], style["line"]) for name, style in agreed["type"].items()
    }


def test_changing_the_theme_repaints_with_its_colours(theme: Theme, qapp: QApplication, qtbot: QtBot) -> None:
    try:
        with qtbot.waitSignal(theme.changed):
            theme.set_mode("dark")
        assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK.window)
        assert DARK.tooltip_bg in qapp.styleSheet()
        assert theme.color("text") == QColor(DARK.text)
    finally:
        theme.set_mode("light")
    assert theme.color("text") == QColor(LIGHT.text)


def test_colours_with_alpha_keep_it(theme: Theme) -> None:
    assert theme.color("shadow").alpha() == int(LIGHT.shadow[7:], 16)


def test_labels_keep_their_font_and_take_the_colour_of_the_theme(theme: Theme, qtbot: QtBot) -> None:
    label = Label(theme, "Words", "title", "muted")
    qtbot.addWidget(label)
    label.show()
    assert label.font().pixelSize() == 17
    assert label.palette().color(QPalette.ColorRole.WindowText) == QColor(LIGHT.muted)
    try:
        theme.set_mode("dark")
        assert label.palette().color(QPalette.ColorRole.WindowText) == QColor(DARK.muted)
        assert label.font().pixelSize() == 17
    finally:
        theme.set_mode("light")


def test_text_from_outside_is_never_markup(theme: Theme, qtbot: QtBot) -> None:
    label = Label(theme, "<b>bold</b>")
    qtbot.addWidget(label)
    assert label.text() == "<b>bold</b>"
    assert plain_tooltip("<img src=x>\n&") == "<span>&lt;img src=x&gt;<br>&amp;</span>"


def test_an_elided_label_keeps_the_whole_text_in_its_tooltip(theme: Theme, qtbot: QtBot) -> None:
    from PySide6.QtCore import Qt

    label = Label(theme, "a very long name " * 40, elide=Qt.TextElideMode.ElideRight)
    qtbot.addWidget(label)
    label.resize(120, 20)
    label.show()
    assert label.text().endswith("…")
    assert "a very long name" in label.toolTip()


def test_icons_are_drawn_in_their_colour_and_kept_until_forgotten() -> None:
    icons = Icons()
    first = icons.render("shield", QColor("#ff0000"), 16, 2.0)
    assert first.width() == 32
    assert icons.render("shield", QColor("#ff0000"), 16, 2.0).cacheKey() == first.cacheKey()
    image = first.toImage()
    inked = [image.pixelColor(x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 250]
    assert inked
    assert all(color.red() > 200 and color.green() < 60 for color in inked)
    icons.forget()
    assert icons.render("shield", QColor("#ff0000"), 16, 2.0).cacheKey() != first.cacheKey()


def test_an_unknown_icon_is_an_error() -> None:
    with pytest.raises(LookupError, match="no-such-icon"):
        Icons().render("no-such-icon", QColor("black"))


def test_badges_and_keys_are_as_wide_as_they_say(theme: Theme, qtbot: QtBot) -> None:
    canvas = QPixmap(300, 40)
    canvas.fill(QColor("white"))
    painter = QPainter(canvas)
    for badge in (Badge("head"), Badge("Global", "global", "globe"), Badge("claims human", "warning", claimed=True)):
        assert draw_badge(painter, theme, 0, 20, badge) == badge_width(theme, badge)
    assert draw_keys(painter, theme, 0, 20, ("J", "K")) == keys_width(theme, ("J", "K"))
    painter.end()


def test_a_segment_is_chosen_by_program_and_by_mouse(theme: Theme, qtbot: QtBot) -> None:
    control = SegmentedControl(theme, ("One", "Two"))
    qtbot.addWidget(control)
    seen: list[int] = []
    control.chosen.connect(seen.append)
    control.choose(1)
    control.segment(0).click()
    assert seen == [1, 0]
    assert control.index == 0


def test_a_search_box_tells_what_was_typed_once_and_leaves_on_escape(theme: Theme, qtbot: QtBot) -> None:
    field = SearchField(theme, "Search")
    qtbot.addWidget(field)
    field.show()
    with qtbot.waitSignal(field.searched) as heard:
        field.edit.setText("caf")
        field.edit.setText("café")
    assert heard.args == ["café"]
    with qtbot.waitSignal(field.searched) as heard:
        field.edit.escaped.emit()
    assert heard.args == [""]
    with qtbot.waitSignal(field.left):
        field.edit.escaped.emit()


def test_a_button_is_wide_enough_for_icon_words_and_key(theme: Theme, qtbot: QtBot) -> None:
    plain, full = Button(theme, "Approve"), Button(theme, "Approve", icon="check", keys=("A",))
    for button in (plain, full):
        qtbot.addWidget(button)
    assert full.sizeHint().width() > plain.sizeHint().width() + 16 + 18
    assert full.sizeHint().height() == 30

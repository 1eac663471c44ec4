"""The one style sheet, generated from the tokens: only what Qt's own widgets draw; ours paint themselves."""

from __future__ import annotations

from collections.abc import Callable
from string import Template

from memorypane.gui.theme.tokens import HEIGHT, RADIUS, Colors

__all__ = ["style_sheet"]

_SHEET = Template("""
QToolTip { background: $tooltip_bg; color: $tooltip_text; border: 1px solid $tooltip_bg; padding: 4px 6px; }
QMainWindow, QDialog { background: $window; }
QSplitter::handle { background: $line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QAbstractScrollArea { background: $surface; border: none; }
QTreeView, QTableView, QListView { outline: none; border: none; selection-background-color: transparent; }
QTreeView[nav="true"] { background: $window; }
QHeaderView { background: $surface_alt; border: none; }
QHeaderView::section { background: $surface_alt; color: $muted; border: none; border-bottom: 1px solid $line; padding: 0 8px; }
QTableCornerButton::section { background: $surface_alt; border: none; }

QLineEdit, QSpinBox {
  background: $surface; color: $text; border: 1px solid $control_line; border-radius: ${control}px; padding: 0 7px; min-height: ${field}px;
  selection-background-color: $text_selection; selection-color: $text;
}
QLineEdit:disabled, QSpinBox:disabled { color: $disabled; border-color: $line_strong; }
QLineEdit { placeholder-text-color: $muted; }
QLineEdit[bare="true"] { background: transparent; border: none; padding: 0; }
QTextEdit[bare="true"], QPlainTextEdit[bare="true"] { background: transparent; }
QFrame[line="true"] { background: $line; border: none; }
QPlainTextEdit, QTextEdit, QTextBrowser {
  background: $surface; color: $text; border: none; selection-background-color: $text_selection; selection-color: $text;
}
QComboBox {
  background: $raised; color: $text; border: 1px solid $line_strong; border-radius: ${control}px; padding: 0 10px; min-height: ${field}px;
}
QComboBox[small="true"] { min-height: ${small_field}px; padding: 0 8px; }
QComboBox:hover { background: $hover; }
QComboBox:disabled { color: $disabled; }
QComboBox::drop-down { border: none; width: 26px; }
QComboBox::down-arrow { image: none; width: 0; height: 0; }
QComboBox QAbstractItemView { background: $raised; color: $text; border: 1px solid $line_strong; padding: 4px; outline: none;
  selection-background-color: $hover; selection-color: $text; }
QComboBox QAbstractItemView::item { min-height: ${row}px; padding: 0 8px; }

QMenu { background: $raised; color: $text; border: 1px solid $line_strong; padding: 5px; }
QMenu::item { padding: 5px 20px 5px 8px; border-radius: ${badge}px; min-height: ${menu_row}px; }
QMenu::item:selected { background: $hover; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $line; margin: 5px 4px; }
QMenu::icon { padding-left: 8px; }

QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: $scroll_handle; border-radius: 3px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $control_line; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }

QProgressBar { background: $line; border: none; border-radius: 1px; max-height: 2px; }
QProgressBar::chunk { background: $accent; }

""")


def style_sheet(colors: Colors, px: Callable[[float], int]) -> str:
    """Return the sheet for one theme; `px` scales heights that hold text."""
    values: dict[str, object] = {name: getattr(colors, name) for name in colors.__slots__}
    values |= {"control": RADIUS.control, "badge": RADIUS.badge}
    values |= {"field": px(HEIGHT.control) - 2, "menu_row": px(20)}
    values |= {"small_field": px(HEIGHT.control_small) - 2, "row": px(HEIGHT.sidebar_row)}
    return _SHEET.substitute(values)

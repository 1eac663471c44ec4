from __future__ import annotations

import pytest

from memorypane.model.errors import InvalidInput
from memorypane.model.shelves import TOPICS
from memorypane.model.values import State
from memorypane.service.limits import DEFAULTS, TOPIC_GROUPS, Settings, check_setting, measure
from memorypane.service.person import PersonFace


def test_a_topic_is_measured_by_its_whole_text_form() -> None:
    assert measure(State(TOPICS.tier, TOPICS.name, name="areas/x", description="größe", content="é\n")) == 23 + 7 + 3


def test_the_groups_are_read_from_a_list_of_names() -> None:
    assert Settings({}).topic_groups == ("areas", "people", "topics")
    assert check_setting(TOPIC_GROUPS, " notes, areas  notes ") == "notes areas"


@pytest.mark.parametrize("value", ["", " , ", "Areas", "a/b", "-x", "ä", "x" * 100])
def test_what_is_no_list_of_groups_is_refused(value: str) -> None:
    with pytest.raises(InvalidInput, match=r"topics\.groups"):
        check_setting(TOPIC_GROUPS, value)


def test_the_setting_is_kept_shown_and_put_back(person: PersonFace) -> None:
    assert person.set_setting(TOPIC_GROUPS, "notes") == "notes"
    assert person.settings()[TOPIC_GROUPS] == "notes"
    person.set_setting(TOPIC_GROUPS, str(DEFAULTS[TOPIC_GROUPS]))
    assert person.settings()[TOPIC_GROUPS] == "areas people topics"

from __future__ import annotations

from memorypane.service.quoting import quoted, without_credentials, without_credentials_in

TOKEN = "ghp_" + "q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8"


def test_a_value_is_cut_and_one_with_a_credential_is_not_shown_even_where_the_cut_would_go_through_it() -> None:
    assert quoted("x" * 100) == "x" * 80 + "…"
    assert quoted("plain") == "plain"
    assert "ghp_" not in quoted("x" * 60 + " " + TOKEN)


def test_credentials_are_replaced_and_the_rest_stays() -> None:
    assert without_credentials(f"a {TOKEN} b {TOKEN}") == "a (a credential) b (a credential)"
    assert without_credentials("nothing here") == "nothing here"


def test_every_text_of_a_json_value_is_looked_through() -> None:
    value = {"a": [f"x {TOKEN}", 1, None, {"b": TOKEN}], TOKEN: True}
    assert without_credentials_in(value) == {"a": ["x (a credential)", 1, None, {"b": "(a credential)"}], "(a credential)": True}

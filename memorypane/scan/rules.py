"""A rule of the scanner, and the injection, forgery and credential rules in words and patterns.

Every pattern runs in linear time: no repetition inside a repetition, and bounded gaps between the words of a phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

__all__ = ["CREDENTIALS", "FORGERIES", "INJECTIONS", "PUBLISHED_EXAMPLES", "Kind", "Rule"]

Kind = Literal["injection", "forged_heading", "hidden_characters", "credential"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern with its name and a plain explanation for the person.

    A text that holds none of `needs` cannot match; looking for those is many times faster than the pattern.
    """

    name: str
    kind: Kind
    needs: tuple[str, ...]
    pattern: re.Pattern[str]
    says: str

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield where a text matches."""
        if any(word in text for word in self.needs):
            yield from self.pattern.finditer(text)


def _words(pattern: str) -> re.Pattern[str]:
    """A phrase: blanks stand for any run of up to eight white-space characters, so that line breaks do not hide it."""
    return re.compile(pattern.replace(" ", r"\s{1,8}"))


OVERRIDE = "It tells the reader to set aside earlier instructions."
CONCEAL = "It tells the reader to keep something from the person."
PERSONA = "It tries to make the reader take on another role or lift its limits."
EXFILTRATE = "It tells the reader to send secrets or private text somewhere."
APPROVE = "It claims an approval that only the person can give."

# Texts are matched casefolded and NFKC-normalised with hidden characters taken out (scanner.plain), so patterns are lower case.
INJECTIONS = (
    Rule(
        "override-en",
        "injection",
        ("ignore", "disregard", "forget", "override", "bypass"),
        _words(
            r"\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|every|the|your|of|these|those|my) ){0,4}"
            r"(?:previous|prior|earlier|above|preceding|former|foregoing|original) (?:(?:system|safety|user|developer) )?"
            r"(?:instruction|rule|prompt|message|direction|guideline|command|constraint)s?\b"
        ),
        OVERRIDE,
    ),
    Rule(
        "override-system-en",
        "injection",
        ("ignore", "disregard", "forget", "override", "bypass"),
        _words(
            r"\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|the|your) ){0,3}(?:system|developer|safety) "
            r"(?:instruction|rule|prompt|message|guideline)s?\b"
        ),
        OVERRIDE,
    ),
    Rule(
        "override-de",
        "injection",
        ("ignorier", "vergiss", "missachte", "übergeh"),
        _words(
            r"\b(?:ignorier\w{0,3}|vergiss|missachte\w{0,2}|übergeh\w{0,2}) (?:(?:alle|sämtliche|die|deine|jegliche) ){0,3}"
            r"(?:vorherigen|bisherigen|früheren|vorangegangenen|obigen) (?:anweisungen|regeln|instruktionen|vorgaben|befehle)\b"
        ),
        OVERRIDE,
    ),
    Rule(
        "override-fr",
        "injection",
        ("ignore", "oublie"),
        _words(
            r"\b(?:ignore[rz]?|oublie[rz]?) (?:toutes? )?(?:les|tes|vos) (?:instructions|règles|consignes|directives) "
            r"(?:précédentes|antérieures|ci-dessus)"
        ),
        OVERRIDE,
    ),
    Rule(
        "override-es",
        "injection",
        ("ignor", "olvid"),
        _words(r"\b(?:ignor[ae]r?|olvid[ae]r?) (?:todas? )?(?:las|tus|sus) (?:instrucciones|reglas|indicaciones) (?:anteriores|previas)\b"),
        OVERRIDE,
    ),
    Rule(
        "override-pt",
        "injection",
        ("ignor", "esqueç"),
        _words(r"\b(?:ignor[ae]r?|esqueç[ao]) (?:todas? )?(?:as|suas) (?:instruções|regras) (?:anteriores|prévias)\b"),
        OVERRIDE,
    ),
    Rule(
        "override-it",
        "injection",
        ("ignora", "dimentica"),
        _words(r"\b(?:ignora(?:re)?|dimentica(?:re)?) (?:tutte )?le (?:istruzioni|regole) (?:precedenti|sopra)\b"),
        OVERRIDE,
    ),
    Rule(
        "override-ru",
        "injection",
        ("игнорируй", "забудь"),
        _words(r"\b(?:игнорируй(?:те)?|забудь(?:те)?) (?:все )?(?:предыдущие|прежние|прошлые) (?:инструкции|указания|правила)\b"),
        OVERRIDE,
    ),
    Rule(
        "override-zh",
        "injection",
        ("忽略", "无视", "忘", "無視", "忽視"),
        re.compile(
            r"(?:忽略|无视|忘记|忘掉|無視|忽視)[^\n。!?]{0,6}?(?:之前|以前|先前|以上|上述|前面)[^\n。!?]{0,4}?(?:指令|指示|规则|規則|提示|要求)"
        ),
        OVERRIDE,
    ),
    Rule(
        "override-ja",
        "injection",
        ("無視", "忘れ"),
        re.compile(r"(?:これまで|以前|上記|前)の[^\n。]{0,6}?(?:指示|命令|ルール|プロンプト)[^\n。]{0,4}?(?:無視|忘れ)"),
        OVERRIDE,
    ),
    Rule(
        "override-ko",
        "injection",
        ("무시", "잊"),
        re.compile(r"(?:이전|앞|위)의?\s{0,3}(?:모든\s{0,3})?(?:지시|명령|규칙|프롬프트)[^\n.]{0,6}?(?:무시|잊)"),
        OVERRIDE,
    ),
    Rule(
        "conceal-en",
        "injection",
        ("tell", "inform", "alert", "notify", "warn"),
        _words(
            r"\b(?:do not|don't|don’t|never) (?:tell|inform|alert|notify|warn) (?:(?:this|it) to )?(?:the |your "
            r")?(?:user|human|person|operator)"
            r" (?:about|of|that|anything|what (?:you|this|it|is|was|happened))\b"
        ),
        CONCEAL,
    ),
    Rule(
        "conceal-secretly-en",
        "injection",
        ("without",),
        _words(r"\bwithout (?:telling|informing|alerting|notifying) (?:the |your )?(?:user|human|person|operator)\b"),
        CONCEAL,
    ),
    Rule(
        "conceal-de",
        "injection",
        ("nichts", "niemals"),
        _words(r"\b(?:sag|sage|erzähl|erzähle|verrate) (?:dem|der) (?:nutzer|benutzer|anwender|person)(?:in)? (?:nichts|niemals)\b"),
        CONCEAL,
    ),
    Rule(
        "persona-en",
        "injection",
        ("you are", "act as", "pretend"),
        _words(
            r"\b(?:you are now|from now on,? you are|act as|pretend to be) (?:(?:a|an|the|in) "
            r"){0,2}(?:dan\b|jailbroken|unrestricted|unfiltered|"
            r"developer mode|god mode|root admin)"
        ),
        PERSONA,
    ),
    Rule(
        "jailbreak-en",
        "injection",
        ("mode",),
        _words(r"\b(?:enable|activate|enter|switch to) (?:developer|god|jailbreak|dan|unrestricted) mode\b"),
        PERSONA,
    ),
    Rule(
        "new-system-prompt", "injection", ("system",), _words(r"\b(?:new|updated|real|actual) system (?:prompt|instructions?):"), OVERRIDE
    ),
    Rule(
        "chat-markup",
        "injection",
        ("<|", "inst]", "<<sys>>", "<start_of_turn>"),
        re.compile(r"<\|(?:im_start|im_end|system|endoftext|begin_of_text|start_header_id)\|>|\[/?inst\]|<<sys>>|<start_of_turn>"),
        "It holds the markup by which chat templates part their turns.",
    ),
    Rule(
        "exfiltrate-en",
        "injection",
        ("send", "post", "upload", "forward", "exfiltrate", "transmit", "leak"),
        _words(
            r"\b(?:send|post|upload|forward|exfiltrate|transmit|leak) (?:(?:all|any|the|your|every|user's) "
            r"){0,3}(?:(?:api|private|secret|access) )?"
            r"(?:keys?|tokens?|passwords?|credentials?|secrets?|environment variables|conversation history|chat history) to\b"
        ),
        EXFILTRATE,
    ),
    Rule(
        "self-approval-en",
        "injection",
        ("approved", "authorized", "reviewed"),
        _words(
            r"\bthis (?:entry|memory|change|proposal|instruction) (?:is|was|has been) (?:already "
            r")?(?:pre-?)?(?:approved|authorized|reviewed) by "
            r"(?:the )?(?:user|human|person|operator|administrator|admin)\b"
        ),
        APPROVE,
    ),
)

FORGERIES = (
    Rule(
        "startup-marker",
        "forged_heading",
        ("pane",),
        re.compile(r"<!-{2,3}\s{0,8}(?:begin|end)\s{1,8}memory[ _-]?pane\b|\bmemorypane:(?:begin|end)\b"),
        "It imitates a marker of the startup text.",
    ),
)
"""Forgeries of the startup text's markers; `model.forgery` finds those of its headings."""

CREDENTIALS = (
    Rule(
        "private-key",
        "credential",
        ("PRIVATE KEY",),
        re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"),
        "a private key",
    ),
    Rule(
        "github-token",
        "credential",
        ("gh",),
        re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})(?![A-Za-z0-9_])"),
        "a GitHub token",
    ),
    Rule(
        "gitlab-token",
        "credential",
        ("gl",),
        re.compile(r"\bgl(?:pat|dt|rt|ft|soat|cbt|ptt)-[A-Za-z0-9_-]{20,255}(?![A-Za-z0-9_-])"),
        "a GitLab token",
    ),
    Rule(
        "slack-token",
        "credential",
        ("xox", "xapp-"),
        re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,255}|\bxapp-[0-9]-[A-Za-z0-9-]{10,255}"),
        "a Slack token",
    ),
    Rule("aws-key", "credential", ("AKIA", "ASIA"), re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])"), "an AWS access key"),
    Rule("google-key", "credential", ("AIza",), re.compile(r"\bAIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])"), "a Google API key"),
    Rule(
        "model-provider-key",
        "credential",
        ("sk-",),
        re.compile(r"\bsk-(?:(?:ant|proj|svcacct|admin|or|live)-)?[A-Za-z0-9][A-Za-z0-9_-]{18,250}(?![A-Za-z0-9_-])"),
        "a model provider's key",
    ),
    Rule(
        "stripe-key", "credential", ("sk_", "rk_"), re.compile(r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}(?![A-Za-z0-9])"), "a Stripe key"
    ),
    Rule(
        "package-token",
        "credential",
        ("npm_", "pypi-", "hf_"),
        re.compile(r"\b(?:npm_[A-Za-z0-9]{36}|pypi-AgE[A-Za-z0-9_-]{50,255}|hf_[A-Za-z0-9]{34})(?![A-Za-z0-9_-])"),
        "a package registry's token",
    ),
    Rule("own-token", "credential", ("mp_",), re.compile(r"\bmp_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"), "an agent's token of Memory Pane"),
)

PUBLISHED_EXAMPLES = frozenset({"AKIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE"})
"""Values that providers print in their documentation; they open nothing."""

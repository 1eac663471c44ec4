"""What a host program needs to know to start our bridge: a ready text per host, and where it goes."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from memorypane.home.paths import DEFAULT_CHANNEL, Home, default_home

__all__ = ["HOSTS", "Host", "HostConfig", "bridge_command", "host_config"]


@dataclass(frozen=True, slots=True)
class Host:
    """A program that talks to agents: its name, a fitting agent name, the file its settings stand in."""

    key: str
    title: str
    agent: str
    file: str


@dataclass(frozen=True, slots=True)
class HostConfig:
    """The text to paste and its language (`json`, `toml` or `sh`)."""

    text: str
    language: str


HOSTS = (
    Host("claude-code", "Claude Code", "claude-code", ".mcp.json"),
    Host("codex", "Codex", "codex", "~/.codex/config.toml"),
    Host("gemini", "Gemini CLI", "gemini", ".gemini/settings.json"),
    Host("vscode", "VS Code", "vscode", ".vscode/mcp.json"),
    Host("other", "Other", "my-agent", ""),
)


def bridge_command(home: Home, channel: str, agent: str) -> tuple[str, ...]:
    """The words that start the bridge; home and channel are named only where they are not the defaults."""
    program = "memorypane" if shutil.which("memorypane") else str(Path(sys.executable).with_name("memorypane"))
    words = [program]
    if home.root != default_home():
        words += ["--home", str(home.root)]
    if channel != DEFAULT_CHANNEL:
        words += ["--channel", channel]
    return (*words, "mcp", "--agent", agent)


def host_config(host: Host, command: tuple[str, ...]) -> HostConfig:
    """Return the settings text for one host."""
    program, *arguments = command
    if host.key == "codex":
        listed = ", ".join(json.dumps(word) for word in arguments)
        return HostConfig(f"[mcp_servers.memory]\ncommand = {json.dumps(program)}\nargs = [{listed}]\n", "toml")
    if host.key == "other":
        return HostConfig(shlex.join(command) + "\n", "sh")
    server: dict[str, object] = {"command": program, "args": arguments}
    if host.key == "vscode":
        return HostConfig(_json({"servers": {"memory": {"type": "stdio", **server}}}), "json")
    return HostConfig(_json({"mcpServers": {"memory": server}}), "json")


def _json(value: object) -> str:
    """Indented, but with the argument list on one line, as people write it."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    head, start, rest = text.partition('"args": [')
    if not start:
        return text + "\n"
    listed, end, tail = rest.partition("]")
    return head + start + " ".join(listed.split()) + end + tail + "\n"

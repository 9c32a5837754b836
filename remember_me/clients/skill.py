"""The skill that tells an agent how to use remember-me, in the folders where clients look for skills."""

from __future__ import annotations

from pathlib import Path

from remember_me.clients.base import Edit, own_file
from remember_me.clients.shipped import template_data

SKILL = "skill"


def skill_edit(folder: Path) -> Edit:
    """The skill in a folder of skills, as `~/.agents/skills`."""
    return own_file(folder / "remember-me" / "SKILL.md", template_data("skill/SKILL.md"), SKILL)

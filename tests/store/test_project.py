"""The key of a project: the same in all its work trees, without credentials, and never from a program."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from remember_me.store.project import project_key


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


def repository(folder: Path, url: str | None = None, *, remote: str = "origin") -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    if url is not None:
        git(folder, "remote", "add", remote, url)
    return folder


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://github.com/Ada/cogwork.git", "github.com/Ada/cogwork"),
        ("https://GitHub.com/Ada/cogwork", "github.com/Ada/cogwork"),
        ("https://ada:s3cret@github.com:443/Ada/cogwork.git/", "github.com/Ada/cogwork"),
        ("git@github.com:Ada/cogwork.git", "github.com/Ada/cogwork"),
        ("ssh://git@github.com:22/Ada/cogwork.git", "github.com/Ada/cogwork"),
        ("git+ssh://git@github.com/Ada/cogwork", "github.com/Ada/cogwork"),
        ("https://dev.azure.com/org/p/_git/repo?token=abc#x", "dev.azure.com/org/p/_git/repo"),
        ("https://gitlab.example/group/sub/repo.git", "gitlab.example/group/sub/repo"),
        ("https://[::1]:8080/x.git", "[::1]/x"),
    ],
)
def test_the_remote_without_credentials(tmp_path: Path, url: str, key: str) -> None:
    folder = repository(tmp_path / "r", url)
    assert project_key(str(folder), None) == key
    (folder / "deep" / "er").mkdir(parents=True)
    assert project_key(str(folder / "deep" / "er"), None) == key


@pytest.mark.parametrize("url", ["/srv/git/x.git", "../x", "file:///srv/git/x.git", "C:/git/x.git"])
def test_a_remote_on_this_machine_is_none(tmp_path: Path, url: str) -> None:
    folder = repository(tmp_path / "home" / "code" / "r", url)
    assert project_key(str(folder), str(tmp_path / "home")) == "~/code/r"


def test_origin_goes_before_other_remotes_and_one_is_as_good(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r", "https://a.example/one.git", remote="backup")
    assert project_key(str(folder), None) == "a.example/one"
    git(folder, "remote", "add", "origin", "https://a.example/two.git")
    assert project_key(str(folder), None) == "a.example/two"


def test_a_linked_work_tree_has_the_key_of_the_main_one(tmp_path: Path) -> None:
    main = repository(tmp_path / "home" / "cogwork")
    git(main, "-c", "user.name=A", "-c", "user.email=a@example.invalid", "commit", "-q", "--allow-empty", "-m", "x")
    git(main, "worktree", "add", "-q", str(tmp_path / "elsewhere" / "fix"))
    (tmp_path / "elsewhere" / "fix" / "src").mkdir()
    home = str(tmp_path / "home")
    assert project_key(str(main), home) == "~/cogwork"
    assert project_key(str(tmp_path / "elsewhere" / "fix" / "src"), home) == "~/cogwork"
    git(main, "remote", "add", "origin", "git@example.org:ada/cogwork.git")
    assert project_key(str(tmp_path / "elsewhere" / "fix"), home) == "example.org/ada/cogwork"


def test_outside_of_any_repository_it_is_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "letters"
    folder.mkdir(parents=True)
    assert project_key(str(folder), str(tmp_path / "home")) == "~/letters"
    assert project_key(str(tmp_path / "home"), str(tmp_path / "home")) == "~"
    assert project_key(str(folder), None) == str(folder)
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert project_key(str(link), str(tmp_path / "home")) == "~/letters"


@pytest.mark.parametrize(
    "config",
    [
        b"",
        b"\xff\xfe[remote",
        b'[remote "origin"]\n',
        b'[remote "origin"]\nurl =\n',
        b"[core]\nurl = https://a.example/x\n",
        b'[remote "origin"]\n  pushurl = https://a.example/x\n',
        b'[url "https://a.example/"]\ninsteadOf = x:\n',
    ],
)
def test_a_configuration_without_a_remote(tmp_path: Path, config: bytes) -> None:
    folder = repository(tmp_path / "home" / "r")
    (folder / ".git" / "config").write_bytes(config)
    assert project_key(str(folder), str(tmp_path / "home")) == "~/r"


def test_what_cannot_be_in_a_field_is_not_in_a_key(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "a\nb\x1b[31m"
    folder.mkdir(parents=True)
    assert project_key(str(folder), str(tmp_path / "home")) == "~/a?b?[31m"


def test_no_program_of_the_repository_runs(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r", "ext::sh -c touch% ran")
    marker = tmp_path / "ran"
    (folder / ".git" / "config").write_text(
        f'[core]\n\tfsmonitor = "touch {marker}"\n[remote "origin"]\n\turl = https://a.example/x\n'
    )
    assert project_key(str(folder), None) == "a.example/x"
    assert not marker.exists()

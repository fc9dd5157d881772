"""Finding a Godot: which versions count, where it is looked for, and what is said when there is none."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tools import debian
from tools import godot as finder

needs_apt = pytest.mark.skipif(shutil.which("apt-get") is None, reason="only where packages come through apt")


@pytest.fixture
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without Godot: an empty PATH folder, which is returned, and an empty cache."""
    path = tmp_path / "bin"
    path.mkdir()
    monkeypatch.delenv("GODOT", raising=False)
    monkeypatch.setenv("PATH", str(path))
    monkeypatch.setenv("GCS_CACHE", str(tmp_path / "cache"))
    return path


def write_program(path: Path, output: str) -> None:
    path.write_text(f"#!{sys.executable}\nprint({output!r})\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize("version", ["4.4.stable.official", "4.6.3.stable.debian", "4.10.dev1", "5.0"])
def test_supported_versions(version: str) -> None:
    assert finder.is_supported(version)


@pytest.mark.parametrize("version", ["4.3.stable.official", "3.6.stable", "Python 4.4", ""])
def test_unsupported_versions(version: str) -> None:
    assert not finder.is_supported(version)


def test_the_engine_of_these_tests_is_real_and_supported(godot: Path) -> None:
    version = finder.read_version(godot)
    assert version is not None
    assert finder.is_supported(version)


def test_path_is_searched(bare_machine: Path) -> None:
    write_program(bare_machine / "godot4", "4.5.1.stable.official.f62fdbde1")
    found = finder.find(fetch=False)
    assert (found.path, found.version, found.source) == (
        bare_machine / "godot4",
        "4.5.1.stable.official.f62fdbde1",
        "PATH",
    )


def test_the_variable_goes_before_path(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_program(bare_machine / "godot", "4.5.stable")
    write_program(bare_machine / "mine", "4.4.1.stable")
    monkeypatch.setenv("GODOT", str(bare_machine / "mine"))
    assert finder.find(fetch=False).source == "$GODOT"


def test_a_wrong_variable_is_an_error_and_not_passed_over(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_program(bare_machine / "godot", "4.5.stable")
    monkeypatch.setenv("GODOT", str(bare_machine / "nothing"))
    with pytest.raises(finder.GodotMissingError, match=r"GODOT=.*nothing is not a Godot >= 4\.4"):
        finder.find(fetch=False)


def test_an_old_engine_is_named_in_one_line_of_advice(bare_machine: Path) -> None:
    write_program(bare_machine / "godot", "3.5.2.stable.debian")
    with pytest.raises(finder.GodotMissingError, match=r"no Godot >= 4\.4 .*godot is 3\.5\.2") as caught:
        finder.find(fetch=False)
    assert "\n" not in str(caught.value)
    assert "install Godot" in str(caught.value)


def test_without_apt_the_advice_is_given(bare_machine: Path) -> None:
    with pytest.raises(finder.GodotMissingError, match="no apt-get and dpkg-deb to fetch it with"):
        finder.find()


def test_the_command_ends_with_1_when_there_is_none(bare_machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert finder.main(["--no-fetch"]) == 1
    assert capsys.readouterr().out == ""


def test_only_debians_own_archive_is_a_mirror() -> None:
    listing = """\
http://mirror.example/debian/ bookworm main
http://mirror.example/debian/ bookworm contrib
http://mirror.example/debian/ bookworm-updates main
http://mirror.example/debian-security/ bookworm-security main
https://apt.example/ bookworm main
https://docker.example/linux/debian/ bookworm stable
mirror+file:/etc/apt/mirrors/debian.list/ bookworm main
mirror+file:/etc/apt/mirrors/debian-security.list/ bookworm-security main
"""
    assert debian.select_mirrors(listing) == [
        "http://mirror.example/debian/",
        "mirror+file:/etc/apt/mirrors/debian.list/",
    ]


@needs_apt
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one.list", "# comment\ndeb [arch=amd64] http://mirror.example/debian bookworm main contrib\n"),
        ("two.sources", "Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm\nComponents: main\n"),
    ],
)
def test_both_forms_of_apt_sources_are_read(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = tmp_path / "sources"
    parts.mkdir()
    (parts / name).write_text(text, encoding="utf-8")
    config = tmp_path / "apt.conf"
    config.write_text(f'Dir::Etc::sourcelist "{tmp_path}/none";\nDir::Etc::sourceparts "{parts}";\n', encoding="utf-8")
    monkeypatch.setenv("APT_CONFIG", str(config))
    monkeypatch.delenv("GODOT_DEBIAN_MIRROR", raising=False)
    assert debian.mirrors() == ["http://mirror.example/debian/"]


def test_the_mirror_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_DEBIAN_MIRROR", "http://other.example/debian")
    assert debian.mirrors() == ["http://other.example/debian"]


@needs_apt
def test_a_failed_fetch_leaves_no_half_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_DEBIAN_MIRROR", f"file:{tmp_path}/no-mirror")
    with pytest.raises(debian.DebianError, match=r"forky: .*sid: "):
        debian.ensure_root(tmp_path / "cache" / "root", ("godot",), lambda root: None)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["root.lock"]

"""Unpack Debian packages of a newer suite into a folder, without root and without touching the system.

apt does the work with state, cache and status folders of its own. The mirror comes from the machine's apt sources,
which apt itself reads (one-line and deb822 forms, mirror lists); `GODOT_DEBIAN_MIRROR` overrides it. Packages are
authenticated with Debian's archive keyring. Programs in the folder start through the folder's own loader (`loader`,
`library_folder`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SUITES = ("forky", "sid")
"""Suites that carry Godot 4, the calmer one first."""
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
APT_TIMEOUT = 900.0
UNUSED = ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/bug", "usr/share/lintian")
LOADERS = ("usr/lib64/ld-linux-x86-64.so.2", "usr/lib/ld-linux-aarch64.so.1", "usr/lib/ld-linux-armhf.so.3")
_SUITE_FILE = ".suite"


class DebianError(Exception):
    """The packages could not be had; the message is one line that says why."""


def ensure_root(root: Path, packages: Sequence[str], finish: Callable[[Path], None]) -> str:
    """Make sure that `root` holds the packages with everything they depend on.

    The folder appears complete or not at all (unpacked beside it, then renamed), and two callers at once wait for each
    other.

    Args:
        root: The folder to fill.
        packages: Names of Debian packages.
        finish: Called with the unpacked folder before it gets its final name, to add files to it.

    Returns:
        `cache` when the folder was there, otherwise the name of the suite the packages came from.

    Raises:
        DebianError: The system has no apt, no Debian mirror or keyring, or apt failed.
    """
    if (root / _SUITE_FILE).exists():
        return "cache"
    missing = [tool for tool in ("apt-get", "dpkg-deb") if shutil.which(tool) is None]
    if missing:
        raise DebianError(f"no {' and '.join(missing)} to fetch it with")
    root.parent.mkdir(parents=True, exist_ok=True)
    with _lock(root.with_name(root.name + ".lock")):
        if (root / _SUITE_FILE).exists():
            return "cache"
        sources = mirrors()
        if not sources:
            raise DebianError("apt's sources name no Debian mirror and GODOT_DEBIAN_MIRROR is not set")
        if not KEYRING.exists():
            raise DebianError(f"{KEYRING} is missing; it comes with the package debian-archive-keyring")
        failures: list[str] = []
        for mirror in sources:
            for suite in SUITES:
                try:
                    _unpack(root, mirror, suite, packages, finish)
                except DebianError as error:
                    failures.append(f"{suite}: {error}")
                else:
                    return suite
        raise DebianError("; ".join(failures))


def mirrors() -> list[str]:
    """Debian mirrors to try: `GODOT_DEBIAN_MIRROR` alone when set, otherwise those of the machine's apt sources."""
    override = os.environ.get("GODOT_DEBIAN_MIRROR")
    if override:
        return [override]
    listing = _run(
        ["apt-get", "indextargets", "--no-release-info", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)"],
        "apt cannot read its own sources",
    )
    return select_mirrors(listing)


def select_mirrors(listing: str) -> list[str]:
    """Pick Debian's main archive out of lines `URI suite component`.

    Third-party archives name their suites after Debian's too, so the address must say that it is Debian's archive: its
    last part is `debian`, or it is a mirror list.
    """
    chosen: list[str] = []
    for line in listing.splitlines():
        uri, suite, component = [*line.split(), "", "", ""][:3]
        is_archive = uri.rstrip("/").endswith("/debian") or (uri.startswith("mirror") and "security" not in uri)
        if component == "main" and is_archive and not suite.endswith("-security") and uri not in chosen:
            chosen.append(uri)
    return chosen


def loader(root: Path) -> Path:
    """The dynamic loader of the unpacked packages."""
    for name in LOADERS:
        if (root / name).exists():
            return root / name
    raise DebianError(f"no dynamic loader in {root}")


def library_folder(root: Path) -> Path:
    """The folder of shared libraries of the unpacked packages, such as `usr/lib/x86_64-linux-gnu`."""
    folders = sorted((root / "usr" / "lib").glob("*-linux-gnu*"))
    if not folders:
        raise DebianError(f"no library folder in {root}")
    return folders[0]


def _unpack(root: Path, mirror: str, suite: str, packages: Sequence[str], finish: Callable[[Path], None]) -> None:
    with tempfile.TemporaryDirectory(prefix=root.name + ".", dir=root.parent) as scratch_name:
        scratch = Path(scratch_name)
        unpacked = scratch / "unpacked"
        unpacked.mkdir()
        print(f"fetching {packages[0]} and what it needs from Debian {suite} (once)", file=sys.stderr)
        for package in _download(scratch, mirror, suite, packages):
            _run(["dpkg-deb", "-x", str(package), str(unpacked)], f"cannot unpack {package.name}")
            package.unlink()
        for name in UNUSED:
            shutil.rmtree(unpacked / name, ignore_errors=True)
        finish(unpacked)
        (unpacked / _SUITE_FILE).write_text(suite + "\n", encoding="utf-8")
        if root.exists():
            shutil.rmtree(root)
        unpacked.rename(root)


def _download(scratch: Path, mirror: str, suite: str, packages: Sequence[str]) -> list[Path]:
    archives = scratch / "cache" / "archives"
    for folder in (scratch / "state" / "lists" / "partial", archives / "partial"):
        folder.mkdir(parents=True)
    (scratch / "status").touch()
    (scratch / "sources.list").write_text(f"deb [signed-by={KEYRING}] {mirror} {suite} main\n", encoding="utf-8")
    config = scratch / "apt.conf"
    config.write_text(_apt_config(scratch), encoding="utf-8")
    apt = ["apt-get", "-c", str(config), "-qq"]
    _run([*apt, "update"], f"apt-get update failed on {mirror}")
    _run([*apt, "install", "--yes", "--download-only", *packages], f"apt-get cannot get {packages[0]} from {mirror}")
    return sorted(archives.glob("*.deb"))


def _apt_config(scratch: Path) -> str:
    """Settings that keep apt inside `scratch`; the machine's other settings, such as a proxy, stay in force."""
    return f"""
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear Acquire::IndexTargets::deb::DEP-11;
Dir::State "{scratch}/state/";
Dir::State::lists "lists/";
Dir::State::status "{scratch}/status";
Dir::State::extended_states "{scratch}/extended_states";
Dir::Cache "{scratch}/cache/";
Dir::Cache::archives "archives/";
Dir::Log "{scratch}/log";
Dir::Log::Planner "";
Dir::Etc::sourcelist "{scratch}/sources.list";
Dir::Etc::sourceparts "-";
Dir::Etc::preferences "-";
Dir::Etc::preferencesparts "-";
APT::Default-Release "";
APT::Install-Recommends "false";
APT::Install-Suggests "false";
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "3";
Debug::NoLocking "true";
"""


def _run(command: list[str], problem: str) -> str:
    environment = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=APT_TIMEOUT,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as error:
        raise DebianError(f"{problem}: no end after {APT_TIMEOUT:.0f} s") from error
    except OSError as error:
        raise DebianError(f"{problem}: {error}") from error
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()[-1]
        raise DebianError(f"{problem}: {last}")
    return done.stdout


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on `path`; only reached where apt is, so on a POSIX system."""
    import fcntl

    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

"""Where the packs of a server lie: the installed ones, and those in folders that it was given."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from runtime.content.problems import PackError, Problem, shown
from runtime.content.reading import PACK_FILE, read_pack_id
from runtime.packs import installed_packs

_log: Final = logging.getLogger(__name__)


def find_packs(folders: Iterable[Path]) -> dict[str, Path]:
    """The folder of each pack, by the pack's id, which is what its ``pack.json`` says.

    A pack of a given folder takes the place of an installed one of the same id, and the log says so.

    Args:
        folders: Folders beside the installed packs: each a pack, or a folder of packs.

    Raises:
        FileNotFoundError: A folder neither is a pack nor holds any.
        PackError: Two of them have packs of one id.
    """
    installed = installed_packs()
    given: dict[str, Path] = {}
    for folder in folders:
        for path in _packs_in(folder):
            # One without an id that can be read is called like its folder, so that its problems can be asked for.
            name = read_pack_id(path) or path.resolve().name
            if name in given:
                raise PackError([_doubled(name, path, given[name])])
            given[name] = path
            if name in installed and not path.samefile(installed[name]):
                _log.warning("pack %s in %s takes the place of the installed one", name, path)
    return installed | given


def _packs_in(folder: Path) -> Iterator[Path]:
    if (folder / PACK_FILE).is_file():
        yield folder
        return
    found = sorted(path.parent for path in folder.glob(f"*/{PACK_FILE}") if path.is_file())
    if not found:
        raise FileNotFoundError(f"{folder} is no pack and holds none: there is no {PACK_FILE} in it")
    yield from found


def _doubled(name: str, path: Path, other: Path) -> Problem:
    return Problem(
        "error",
        (path / PACK_FILE).as_posix(),
        "$.id",
        f"two packs have the id {shown(name)}",
        expected="each once",
        hint="the same folder was given before" if other.samefile(path) else f"the other one is in {other}",
    )

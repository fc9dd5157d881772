"""The packs that a server plays with: installed ones, folders given to it, and packs that clients send."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from bridge.battles.pack_folders import find_packs
from bridge.errors import bad_content, not_found
from bridge.wire.arguments import ArgumentTypes
from runtime.content.assets import Pack
from runtime.content.guids import normalize_guid
from runtime.content.pack_text import pack_text
from runtime.content.problems import PackError, Problem, Report
from runtime.content.reading import read_draft
from runtime.graph.compile import compile_pack
from runtime.graph.definitions import Content
from runtime.loading import load_content
from runtime.nodes import library
from runtime.packs import check_pack, installed_packs, load_pack

_log: Final = logging.getLogger(__name__)
# How many errors of a pack the log has; a pack may have thousands.
_MOST_LOGGED: Final = 20

P = ParamSpec("P")
T = TypeVar("T")


class LoadedPack:
    """A compiled pack with what the bridge knows about it.

    Attributes:
        content: The compiled pack.
        argument_types: Which arguments of its events are cards.
        sent: The text that a client has sent; empty for a pack on disk.
    """

    __slots__ = ("_text", "argument_types", "content", "sent")

    def __init__(self, content: Content, sent: str = "") -> None:
        self.content = content
        self.sent = sent
        self.argument_types = ArgumentTypes(content.pack)
        self._text = b""

    @property
    def text(self) -> bytes:
        """The pack as one JSON object, made when it is first asked for."""
        if not self._text:
            self._text = pack_text(self.content.pack)
        return self._text


class PackLibrary:
    """Packs by id, compiled when they are first asked for and kept.

    Reading and compiling a large pack takes seconds: a server does it with `apart`, in one thread beside the one
    that battles are played in. A loaded pack never changes, so both may hold it.
    """

    def __init__(self, folders: Iterable[Path] = (), inline_kept: int = 16) -> None:
        """Looks for packs.

        Args:
            folders: Packs, or folders of packs, beside the installed ones.
            inline_kept: How many packs sent by clients stay compiled.

        Raises:
            FileNotFoundError: A folder neither is a pack nor holds any.
            PackError: Two folders have packs of one id.
        """
        self._folders = tuple(folders)
        self._paths = find_packs(self._folders)
        self._loaded: dict[str, LoadedPack] = {}
        # Where each GUID of a pack on disk stands.
        self._guids: dict[Path, dict[str, str]] = {}
        self._inline: OrderedDict[bytes, LoadedPack] = OrderedDict()
        self._inline_kept = inline_kept
        self._inline_lock = threading.Lock()
        # One thread: it shares the interpreter with the battles, and must not have more of it than they have.
        self._thread = ThreadPoolExecutor(1, "gcs-packs")
        # Whoever names a folder wants to hear at once that its pack has errors; the others can be played all the same.
        installed = set(installed_packs().values())
        for pack_id, path in self._paths.items():
            if path not in installed:
                self._load_or_log(pack_id, path)

    def _load_or_log(self, pack_id: str, path: Path) -> None:
        try:
            self.get(pack_id)
        except PackError as error:
            errors = [problem for problem in error.problems if problem.severity == "error"]
            _log.error("pack %s has %d errors: no battle can be started with it", pack_id, len(errors))
            for problem in errors[:_MOST_LOGGED]:
                _log.error("%s", replace(problem, file=(path / problem.file).as_posix()))
            if len(errors) > _MOST_LOGGED:
                _log.error("and %d more; gcs check %s tells all", len(errors) - _MOST_LOGGED, path)

    async def apart(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does work that reads or compiles packs in the library's thread, one piece after the other.

        Args:
            work: What to do; it may call any method of the library.
            args: What it is called with.
            kwargs: What it is called with by name.
        """
        return await asyncio.wrap_future(self._thread.submit(work, *args, **kwargs))

    def has(self, pack_id: str) -> bool:
        """Whether a pack is compiled already."""
        return pack_id in self._loaded

    async def fetch(self, pack_id: str) -> LoadedPack:
        """A pack by its id like `require`, compiled apart if need be.

        Raises:
            CallError: There is none, or it has errors.
        """
        return self.require(pack_id) if self.has(pack_id) else await self.apart(self.require, pack_id)

    def ids(self) -> list[str]:
        """The ids of all packs that a battle can be started with by id."""
        return sorted(self._paths)

    def get(self, pack_id: str) -> LoadedPack | None:
        """A pack by its id; None when there is none.

        Raises:
            PackError: It has errors.
        """
        loaded = self._loaded.get(pack_id)
        if loaded is None:
            path = self._paths.get(pack_id)
            if path is None:
                return None
            pack = load_pack(path)
            doubled = self._doubled(pack_id, pack)
            if doubled:
                raise PackError(doubled)
            loaded = LoadedPack(compile_pack(pack, library()))
            self._loaded[pack_id] = loaded
        return loaded

    def require(self, pack_id: str) -> LoadedPack:
        """A pack by its id.

        Raises:
            CallError: There is none, or it has errors.
        """
        try:
            loaded = self.get(pack_id)
        except PackError as error:
            raise bad_content("pack", error) from error
        if loaded is None:
            raise not_found("pack", pack_id, self.ids())
        return loaded

    def check(self, pack_id: str) -> list[Problem]:
        """Everything that is wrong with a pack as it is on disk now.

        Raises:
            CallError: There is none.
        """
        path = self._paths.get(pack_id)
        if path is None:
            raise not_found("pack", pack_id, self.ids())
        checked = check_pack(path)
        return checked.problems + (self._doubled(pack_id, checked.pack) if checked.pack is not None else [])

    def _doubled(self, pack_id: str, pack: Pack) -> list[Problem]:
        """GES events whose GUID a pack before this one has already: across packs they could not be told apart.

        Packs that clients send are not compared: the events of each are its battles' alone.
        """
        found: list[Problem] = []
        for other, path in self._paths.items():
            if other == pack_id:
                break
            places = self._places_of_guids(path)
            found += [
                Problem(
                    "error",
                    f"events/{event.id}.json",
                    "$.guid",
                    f"duplicate GUID {event.guid}",
                    expected="a GUID of its own",
                    hint=f"also in pack {other}, {places[event.guid]}",
                )
                for event in pack.events.values()
                if event.guid in places
            ]
        return found

    def _places_of_guids(self, path: Path) -> dict[str, str]:
        places = self._guids.get(path)
        if places is None:
            places = {}
            for located in read_draft(path, Report()).events.values():
                guid = normalize_guid(located.asset.guid)
                if guid is not None:
                    places[guid] = f"{located.place.file}: {located.place.at('guid').path}"
            self._guids[path] = places
        return places

    def reload(self, pack_id: str = "") -> list[str]:
        """Reads packs from disk anew and returns the ids of those it has read.

        A pack with errors is not taken over: the one that was loaded before stays.

        Args:
            pack_id: The pack; empty: all of them, new ones included.

        Raises:
            CallError: There is none of this id.
        """
        self._paths = find_packs(self._folders)
        self._guids.clear()
        if pack_id and pack_id not in self._paths:
            raise not_found("pack", pack_id, self.ids())
        read = [pack_id] if pack_id else self.ids()
        for name in read:
            checked = check_pack(self._paths[name])
            if checked.pack is not None and not self._doubled(name, checked.pack):
                self._loaded[name] = LoadedPack(compile_pack(checked.pack, library()))
        for name in [name for name in self._loaded if name not in self._paths]:
            del self._loaded[name]
        return read

    def stored(self, pack_id: str, text: bytes) -> LoadedPack:
        """A pack that a store has kept: the one that is loaded under its id, if that is still the same.

        Args:
            pack_id: Id of the pack; empty: a client has sent it.
            text: The pack as one JSON object.

        Raises:
            PackError: It has errors, as this version of gcs sees it.
        """
        try:
            loaded = self.get(pack_id)
        except PackError:
            # What is on disk now is another one.
            loaded = None
        return loaded if loaded is not None and loaded.text == text else self.inline(text.decode())

    def inline(self, text: str) -> LoadedPack:
        """A pack that a client has sent as JSON text.

        Raises:
            PackError: It has errors.
        """
        data = text.encode()
        key = hashlib.sha256(data).digest()
        with self._inline_lock:
            loaded = self._inline.get(key)
        if loaded is None:
            loaded = LoadedPack(load_content(data), text)
        with self._inline_lock:
            self._inline[key] = loaded
            self._inline.move_to_end(key)
            if len(self._inline) > self._inline_kept:
                self._inline.popitem(last=False)
        return loaded

"""Comments of a `.proto` file as lines of documentation."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.descriptor_pb2 import FileDescriptorProto, SourceCodeInfo

_SYNTAX = (12,)
_PACKAGE = (2,)
_DECLARATIONS = (4, 5, 6, 7)


class Comments:
    """The comments of one file, by descriptor path (field numbers and indices, as SourceCodeInfo has them)."""

    def __init__(self, file: FileDescriptorProto) -> None:
        """Indexes the file's source information; without any, every lookup is empty."""
        self._locations = {tuple(location.path): location for location in file.source_code_info.location}

    def at(self, path: Sequence[int]) -> tuple[str, ...]:
        """The comment above an element, then the one after it on its line."""
        location = self._locations.get(tuple(path))
        if location is None:
            return ()
        return (*_lines(location.leading_comments), *_lines(location.trailing_comments))

    def of_file(self) -> tuple[str, ...]:
        """The comment on the file: at `syntax` or `package`, or else standing alone before the first declaration."""
        attached = (*self.at(_SYNTAX), *self.at(_PACKAGE))
        if attached:
            return attached
        first = self._first_declaration()
        if first is None or not first.leading_detached_comments:
            return ()
        return _lines(first.leading_detached_comments[0])

    def _first_declaration(self) -> SourceCodeInfo.Location | None:
        top = [location for path, location in self._locations.items() if len(path) == 2 and path[0] in _DECLARATIONS]
        return min(top, key=lambda location: tuple(location.span), default=None)


def _lines(comment: str) -> tuple[str, ...]:
    """A comment's lines without the blank that follows `//` and without blank lines around it."""
    lines = [line[1:].rstrip() if line.startswith(" ") else line.rstrip() for line in comment.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return tuple(lines)

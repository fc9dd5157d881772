"""Errors of calls: a gRPC status code, a message for people, and google.rpc details for programs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from google.protobuf.any_pb2 import Any
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

from bridge.error_reasons import ErrorReason
from runtime.content.problems import PackError, Problem, or_nearest

DOMAIN: Final = "gcs.v1"

# Details travel in a trailer, and clients take no more than 8 KB of those altogether.
_MOST_DETAIL_BYTES: Final = 4_000
MOST_MESSAGE: Final = 1_000


class CallError(Exception):
    """A call that the server does not carry out.

    Attributes:
        reason: Why, for programs; it has the gRPC status code.
        message: What is wrong and what was expected, for people.
        metadata: More about the reason, such as the id that was not found.
        violations: Fields of the request and what is wrong with each.
    """

    def __init__(
        self,
        reason: ErrorReason,
        message: str,
        metadata: Mapping[str, str] | None = None,
        violations: Sequence[tuple[str, str]] = (),
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata = dict(metadata or {})
        self.violations = violations

    def details(self) -> bytes:
        """The status with its google.rpc details, as the trailer ``grpc-status-details-bin`` carries it."""
        number: int = self.reason.code.value[0]
        status = Status(code=number, message=self.message[:MOST_MESSAGE])
        status.details.add().Pack(ErrorInfo(reason=self.reason.name, domain=DOMAIN, metadata=self.metadata))
        if self.violations:
            packed = Any()
            packed.Pack(_bad_request(self.violations))
            status.details.append(packed)
        encoded: bytes = status.SerializeToString()
        return encoded


# An error that should not be: nothing of it is told, but that there was one.
INTERNAL: Final = CallError(ErrorReason.INTERNAL, "an error in the server; its log tells more")


def _bad_request(violations: Sequence[tuple[str, str]]) -> BadRequest:
    request = BadRequest()
    size = 0
    for index, (name, description) in enumerate(violations):
        size += len(name.encode()) + len(description.encode()) + 8
        if size > _MOST_DETAIL_BYTES:
            rest = len(violations) - index
            request.field_violations.add(description=f"{rest} more problems; ContentService.Check tells all of them")
            break
        request.field_violations.add(field=name, description=description)
    return request


def not_found(what: str, name: str, known: Collection[str] | None = None, where: str = "") -> CallError:
    """There is no battle, pack or encounter of that name.

    Args:
        what: ``battle``, ``pack`` and so on.
        name: What was asked for.
        known: The names that there are, for the message; None: they are nobody's business.
        where: Where they are, if that says more: ``in the pack starter``.
    """
    shown = name[:80]
    message = f"no {what} {shown!r}"
    if where:
        message += f" {where}"
    if known is not None:
        message += f"; {or_nearest(name, known)}"
    return CallError(ErrorReason[f"UNKNOWN_{what.upper()}"], message, {what: shown})


def invalid(field: str, expected: str, found: object = None) -> CallError:
    """One field of the request is wrong.

    Args:
        field: The field's path in the request, such as ``arg.int_value``.
        expected: What it should be.
        found: What it is, if that says more.
    """
    description = f"expected {expected}" if found is None else f"expected {expected}, got {str(found)[:80]}"
    message = f"{field}: {description}"
    violations = [(field, description)]
    return CallError(ErrorReason.INVALID_FIELD, message, {"field": field}, violations)


def exhausted(reason: ErrorReason, message: str, limit: float) -> CallError:
    """A limit of the server is reached.

    Args:
        reason: Which, such as `ErrorReason.TOO_MANY_BATTLES`.
        message: What was too much.
        limit: The limit.
    """
    return CallError(reason, message, {"limit": f"{limit:g}"})


def bad_content(source: str, error: PackError) -> CallError:
    """A pack, an encounter or an override that cannot be used, with every problem.

    Args:
        source: The request's field that holds it.
        error: The problems.
    """
    errors = [problem for problem in error.problems if problem.severity == "error"]
    violations = [(_violated(source, problem), _description(problem)) for problem in errors]
    count = f"{len(errors)} problems" if len(errors) != 1 else "a problem"
    first = str(errors[0]) if errors else "it cannot be used"
    return CallError(
        ErrorReason.BAD_CONTENT,
        f"{source} has {count}: {first}",
        {"problems": str(len(errors))},
        violations,
    )


def _violated(source: str, problem: Problem) -> str:
    path = problem.path.removeprefix("$")
    return f"{source}:{problem.file}{path}" if problem.file else f"{source}{path}"


def _description(problem: Problem) -> str:
    text = problem.message
    if problem.expected:
        text += f"; expected {problem.expected}"
    if problem.found:
        text += f"; found {problem.found}"
    return f"{text} ({problem.hint})" if problem.hint else text

"""Real processes: the server, the terminal game on it, scenario files against it."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bridge import __version__
from bridge.pb.gcs.v1 import content_pb2, service_pb2
from bridge.settings import ServerSettings
from bridge.testing.client import Client
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.processes import gcs_server, run_gcs

DATA = Path(__file__).resolve().parents[1] / "data"
PACK = str(DATA / "pack")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with gcs_server("--allow-set-state") as (found, _):
        yield found


def test_version() -> None:
    done = run_gcs("--version")
    assert (done.returncode, done.stdout) == (0, f"gcs {__version__}\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to answer")
def test_the_server_stops_on_sigterm() -> None:
    with gcs_server() as (_, process):
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_an_address_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run_gcs("serve", "--address", address)
    # And nothing else: gRPC has nothing to say of its own.
    assert (done.returncode, done.stderr) == (2, f"gcs: cannot listen on {address}: {os.strerror(errno.EADDRINUSE)}\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no unix sockets")
def test_a_unix_socket_that_is_taken(tmp_path: Path) -> None:
    """GRPC would take it from the server that has it."""
    address = f"unix:{tmp_path}/gcs.sock"
    with gcs_server("--address", address) as (listening, process):
        assert listening == address
        done = run_gcs("serve", "--address", address)
        taken = f"gcs: cannot listen on {address}: {os.strerror(errno.EADDRINUSE)}\n"
        assert (done.returncode, done.stderr) == (2, taken)
        assert run_gcs("play", PACK, "--bot", "random", "--address", address).returncode == 0
        process.kill()
        process.wait(20)
    # What a killed server leaves behind is in nobody's way.
    with gcs_server("--address", address) as (listening, _):
        assert listening == address


@pytest.mark.skipif(sys.platform == "win32", reason="there are no unix sockets")
@pytest.mark.parametrize(("path", "why"), [("no/folder", errno.ENOENT), ("file", errno.EADDRINUSE)])
def test_a_unix_socket_that_cannot_be(tmp_path: Path, path: str, why: int) -> None:
    (tmp_path / "file").write_text("of somebody else", encoding="utf-8")
    address = f"unix:{tmp_path}/{path}"
    done = run_gcs("serve", "--address", address)
    assert (done.returncode, done.stderr) == (2, f"gcs: cannot listen on {address}: {os.strerror(why)}\n")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "of somebody else"


@pytest.mark.parametrize(
    "arguments", [("--address", "nowhere"), ("--address", "0.0.0.0:0"), ("--packs", "nowhere"), ("--battles", "0")]
)
def test_settings_that_cannot_be(arguments: tuple[str, ...]) -> None:
    done = run_gcs("serve", *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def serving(*packs: Path) -> ServerProcess:
    return ServerProcess(ServerSettings(address=FREE_PORT, packs=packs))


def test_a_pack_with_errors_does_not_keep_the_server_from_starting(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    (folder / "cards").mkdir(parents=True)
    (folder / "pack.json").write_text('{"id": "broken"}', encoding="utf-8")
    (folder / "cards" / "jab.json").write_text('{"id": "jab", "cost": "free"}', encoding="utf-8")
    with serving(folder) as server, Client(server.address) as client:
        listed = client.content.ListPacks(content_pb2.ListPacksRequest()).packs
        assert [(pack.id, pack.error_count) for pack in listed if pack.error_count] == [("broken", 2)]
        problems = client.content.Check(content_pb2.CheckRequest(pack="broken")).problems
        assert [problem.path for problem in problems if problem.severity == content_pb2.SEVERITY_ERROR] == [
            "$.cost",
            "$.target",
        ]
        # The others can be played.
        client.start("starter", "first_fight")
        with pytest.raises(grpc.RpcError) as caught:
            client.start("broken", "any")
        assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
        log = server.output
    assert "pack broken has 2 errors" in log
    assert f"{folder.as_posix()}/cards/jab.json:1:15: $.cost: error: " in log


def write_pack(folder: Path, pack_id: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "pack.json").write_text(json.dumps({"id": pack_id, "version": folder.name}), encoding="utf-8")
    return folder


def listed(server: ServerProcess) -> dict[str, str]:
    with Client(server.address) as client:
        packs = client.content.ListPacks(content_pb2.ListPacksRequest()).packs
        return {pack.id: pack.version for pack in packs if pack.id != "starter"}


def test_a_pack_is_called_as_it_calls_itself(tmp_path: Path) -> None:
    folder = tmp_path / "downloaded-2.1"
    shutil.copytree(PACK, folder)
    # The pack has an event of the starter pack's.
    for path in folder.rglob("*.json"):
        path.write_text(path.read_text("utf-8").replace("2f0c1a52", "2f0c1a53"), encoding="utf-8")
    with serving(folder) as server, Client(server.address) as client:
        assert client.start("small", "rats").state.pack == "small"
        with pytest.raises(grpc.RpcError) as caught:
            client.start("downloaded-2.1", "rats")
        assert caught.value.code() == grpc.StatusCode.NOT_FOUND


def test_packs_lie_in_folders_of_any_name_and_in_folders_of_packs(tmp_path: Path) -> None:
    """A pack takes the place of an installed one only where the log says so."""
    same_names = (write_pack(tmp_path / "a" / "pack", "one"), write_pack(tmp_path / "b" / "pack", "two"))
    write_pack(tmp_path / "many" / "first", "three")
    other = write_pack(tmp_path / "many" / "second", "reference")
    (tmp_path / "many" / "notes").mkdir()
    with serving(*same_names, tmp_path / "many") as server:
        assert listed(server) == {"one": "pack", "two": "pack", "three": "first", "reference": "second"}
    assert f"pack reference in {other} takes the place of the installed one" in server.output


def test_a_folder_without_packs(tmp_path: Path) -> None:
    done = run_gcs("serve", "--address", "127.0.0.1:0", "--packs", str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "holds none" in done.stderr


@pytest.mark.parametrize(
    ("second", "hint"),
    [("mine", "the same folder was given before"), ("other/mine", "the other one is in {first}")],
)
def test_two_packs_of_one_id_are_refused(tmp_path: Path, second: str, hint: str) -> None:
    for name in ("mine", "other/mine"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "pack.json").write_text('{"id": "mine"}', encoding="utf-8")
    first = tmp_path / "mine"
    done = run_gcs("serve", "--address", "127.0.0.1:0", "--packs", str(first), "--packs", str(tmp_path / second))
    told = f'{(tmp_path / second).as_posix()}/pack.json: $.id: error: two packs have the id "mine"; expected each once'
    assert (done.returncode, done.stderr) == (2, f"gcs: {told} ({hint.format(first=first)})\n")


def test_the_random_bot_plays_the_same_battle_on_a_server(address: str) -> None:
    """R8.1: the same seed gives the same trace, in process and over gRPC."""
    arguments = ("play", PACK, "--encounter", "rats", "--seed", "3", "--bot", "random")
    here = run_gcs(*arguments)
    there = run_gcs(*arguments, "--address", address)
    assert here.returncode == there.returncode == 0, there.stderr
    assert here.stdout == there.stdout


def test_scenario_files_on_a_server(address: str) -> None:
    done = run_gcs("scenario", "run", str(DATA / "pass"), "--address", address)
    assert done.returncode == 0, done.stdout
    failed = run_gcs("scenario", "run", str(DATA / "fail"), "--address", address)
    assert failed.returncode == 1
    assert failed.stdout == run_gcs("scenario", "run", str(DATA / "fail")).stdout


def test_no_battle_is_left_on_a_server() -> None:
    names = ("pass/choose_cards", "fail/wrong_state", "pass/concede", "fail/no_fault", "pass/repeat_and_win")
    with gcs_server("--allow-set-state", "--battles", "3") as (at, _), Client(at) as client:
        done = run_gcs("scenario", "run", *[str(DATA / f"{name}.json") for name in names], "--address", at)
        assert done.stdout.splitlines()[-1] == "3 passed, 2 failed"
        assert run_gcs("play", PACK, "--bot", "random", "--address", at).returncode == 0
        assert run_gcs("play", PACK, "--address", at).returncode == 1
        assert not client.battles.ListBattles(service_pb2.ListBattlesRequest()).battles


def test_a_server_that_takes_no_packs() -> None:
    with gcs_server("--no-allow-inline") as (at, _):
        done = run_gcs("play", PACK, "--bot", "random", "--address", at)
    assert done.returncode == 1
    assert "PERMISSION_DENIED" in done.stderr


def test_no_server() -> None:
    done = run_gcs("play", PACK, "--bot", "random", "--address", "127.0.0.1:1")
    assert done.returncode == 1
    assert done.stderr == "gcs: no server answers at 127.0.0.1:1\n"


def test_a_pipe_gets_plain_text() -> None:
    done = run_gcs("play", PACK, "--encounter", "rat", "--seed", "1", "--bot", "random")
    assert "\x1b" not in done.stdout

"""The commands in this process: what they print and how they end (0 all well, 1 problems, 2 usage)."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from bridge import __version__
from bridge.cli import app
from bridge.cli.graph import render
from bridge.cli.graph_view import dot_source
from runtime.content.assets import GraphAsset
from runtime.nodes import library
from runtime.packs import json_schemas, load_pack

DATA = Path(__file__).resolve().parents[1] / "data"
PACK = str(DATA / "pack")
SVG = "{http://www.w3.org/2000/svg}"


def gcs(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin, env={"COLUMNS": "160", "TERM": "dumb"})


def test_version() -> None:
    result = gcs("--version")
    assert (result.exit_code, result.stdout) == (0, f"gcs {__version__}\n")


@pytest.mark.parametrize(
    "arguments", [("nothing",), ("play", "--no-such-option"), ("check",), ("play", "--bot", "wise")]
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    result = gcs(*arguments)
    assert result.exit_code == 2
    assert "Usage" in result.stderr


def test_check_a_good_pack() -> None:
    result = gcs("check", PACK)
    assert (result.exit_code, result.stdout) == (0, f"{PACK}: 0 errors, 0 warnings\n")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A pack with one error and one warning."""
    folder = tmp_path / "pack"
    shutil.copytree(PACK, folder)
    deck = folder / "decks" / "basic.json"
    deck.write_text(deck.read_text().replace('"mallet"', '"malelt"'))
    mark = folder / "cards" / "lonely.json"
    mark.write_text('{"id": "lonely", "cost": 0, "target": "none", "graph": {"nodes": []}}')
    return folder


def test_check_a_bad_pack(broken: Path) -> None:
    result = gcs("check", str(broken))
    assert result.exit_code == 1
    assert 'decks/basic.json:6:5: $.cards[2]: error: unknown card "malelt"' in result.stdout
    assert 'did you mean "mallet"?' in result.stdout
    assert "cards/lonely.json:1:47: $.graph: warning: " in result.stdout
    assert result.stdout.endswith(": 1 error, 1 warning\n")


def test_check_as_json(broken: Path) -> None:
    result = gcs("check", str(broken), "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert (report["errors"], report["warnings"]) == (1, 1)
    error = next(problem for problem in report["problems"] if problem["severity"] == "error")
    assert error["file"] == "decks/basic.json"
    assert error["path"] == "$.cards[2]"
    assert error["hint"] == 'did you mean "mallet"?'


def test_check_nothing(tmp_path: Path) -> None:
    result = gcs("check", str(tmp_path / "none"))
    assert result.exit_code == 1
    assert "no pack folder" in result.stdout


def test_check_of_a_name_that_is_nowhere_names_the_installed_packs() -> None:
    result = gcs("check", "staretr")
    assert result.exit_code == 1
    assert 'expected a folder, or an installed pack: "reference" or "starter"' in result.stdout
    assert 'did you mean "starter"?' in result.stdout
    problem = json.loads(gcs("check", "nopack", "--json").stdout)["problems"][0]
    assert (problem["file"], problem["hint"]) == ("nopack", "")
    assert '"starter"' in problem["expected"]


def test_catalog_lists_every_node() -> None:
    result = gcs("catalog", "--json")
    assert result.exit_code == 0
    nodes = json.loads(result.stdout)["nodes"]
    assert [node["type"] for node in nodes] == list(library())
    for node in nodes:
        assert {"type", "name", "kinds", "inputs", "outputs", "params"} <= set(node)
    damage = next(node for node in nodes if node["type"] == "deal_damage")
    assert damage["kinds"] == ["card", "status", "enemy"]
    amount = next(port for port in damage["inputs"] if port["name"] == "amount")
    assert amount["type"] == "Int"
    kind = next(param for param in damage["params"] if param["name"] == "kind")
    assert kind["choices"] == ["auto", "attack", "status"]
    status = next(param for node in nodes if node["type"] == "apply_status" for param in node["params"])
    assert status["required"] is True


def test_catalog_is_read_at_80_columns() -> None:
    result = CliRunner().invoke(app, ["catalog"], env={"COLUMNS": "80", "TERM": "dumb"})
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    for node in library().values():
        (line,) = [line for line in lines if line.split() and line.split()[0] == node.type]
        assert node.help.split()[0] in line


def test_catalog_finds_nodes_by_words() -> None:
    listed = gcs("catalog", "card", "hook").stdout
    assert "card_cost_hook" in listed
    assert "deal_damage" not in listed
    assert "leaf_intent" not in gcs("catalog", "--kind", "card").stdout
    one = gcs("catalog", "apply_status").stdout
    assert re.search(r"param +status: status_id +The status. Must be given.", one)
    assert re.search(r"in +stacks: Int +Stacks, before Status Stacks Hooks. Default: 1.", one)
    assert "apply_status" not in gcs("catalog", "choose", "option", "--json").stdout
    wrong = gcs("catalog", "aply_status")
    assert (wrong.exit_code, wrong.stderr) == (2, "gcs: no node has 'aply_status'; did you mean \"apply_status\"?\n")


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("x.png", (), "expected a name that ends in .svg"),
        ("x", (), "expected a name that ends in .svg"),
        ("x.dot", (), "expected a name that ends in .svg, or --dot"),
        ("x.svg", ("--dot",), "expected a name that ends in .dot or .gv"),
    ],
)
def test_graph_writes_nothing_under_a_wrong_name(
    tmp_path: Path, name: str, arguments: tuple[str, ...], told: str
) -> None:
    result = gcs("graph", "card:strike", "--pack", PACK, "--out", str(tmp_path / name), *arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_catalog_as_a_table() -> None:
    result = gcs("catalog")
    assert result.exit_code == 0
    for name in library():
        assert re.search(rf"^\s*{name}\s", result.stdout, re.MULTILINE), name


def test_schema(tmp_path: Path) -> None:
    result = gcs("schema")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == json.loads(json.dumps(json_schemas()))
    folder = tmp_path / "a" / "b"
    assert gcs("schema", "--out", str(folder)).exit_code == 0
    assert {path.name for path in folder.iterdir()} == {f"{name}.schema.json" for name in json_schemas()}
    assert json.loads((folder / "cards.schema.json").read_text()) == json.loads(json.dumps(json_schemas()["cards"]))


def test_schema_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    result = gcs("schema", "--out", str(tmp_path / "x"))
    assert result.exit_code == 1
    assert "Traceback" not in result.stderr


def test_graph_shows_nodes_ports_params_and_links(tmp_path: Path) -> None:
    out = tmp_path / "recall.svg"
    result = gcs("graph", "card:recall", "--pack", PACK, "-o", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    svg = ElementTree.parse(out).getroot()
    assert svg.tag == f"{SVG}svg"
    groups = svg.findall(f".//{SVG}g")
    nodes = {group.findtext(f"{SVG}title") for group in groups if group.get("class") == "node"}
    assert nodes == {"played", "hand", "pick", "each", "burn"}
    assert sum(group.get("class") == "edge" for group in groups) == 6
    texts = {(text.text or "").replace("\N{NO-BREAK SPACE}", " ").strip() for text in svg.iter(f"{SVG}text")}
    assert {"card:recall", "On Card Played", "Choose Card", "cards", "Exhaust up to two cards", "exhaust"} <= texts


def test_every_graph_of_the_starter_pack_is_drawn() -> None:
    pack = load_pack("starter")
    drawn = 0
    for kind, assets in (("card", pack.cards), ("status", pack.statuses), ("enemy", pack.enemies)):
        for name, asset in assets.items():
            if isinstance(asset.graph, GraphAsset) and asset.graph.nodes:
                svg = render(dot_source(asset.graph, kind, name, library(), pack)).decode()
                drawn += 1
                assert svg.count('class="node"') == len(asset.graph.nodes)
                assert svg.count('class="edge"') == len(asset.graph.links)
    assert drawn > 10


def test_graph_of_an_upgrade_is_that_of_its_card(tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(PACK, folder)
    (folder / "cards" / "better.json").write_text(
        '{"id": "better", "cost": 0, "target": "enemy", "graph_of": "strike"}'
    )
    result = gcs("graph", "card:better", "--pack", str(folder), "--dot")
    assert result.exit_code == 0
    assert "Deal Damage" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("graph", "strike"), "expected card:<id>, status:<id> or enemy:<id>"),
        (("graph", "crad:strike"), "got 'crad:strike'; did you mean \"card\"?"),
        (("graph", "card:strkie", "--pack", PACK), "no card 'strkie' in the pack small; did you mean \"strike\"?"),
        (("graph", "enemy:xyz", "--pack", PACK), "no enemy 'xyz' in the pack small; there is \"rat\""),
        (("graph", "card:strike", "--pack", "staretr"), '(reference, starter); did you mean "starter"?'),
        (("graph", "card:strike", "--pack", "nowhere"), "no pack 'nowhere'"),
        (("play", "nowhere"), "no pack 'nowhere'"),
        (
            ("play", PACK, "--encounter", "dragon"),
            'no encounter \'dragon\' in the pack small; there is "rat" or "rats"',
        ),
        (("play", PACK, "--encounter", "rrats"), "no encounter 'rrats' in the pack small; did you mean \"rats\"?"),
        (("play", PACK, "--deck", "strike,stirke"), "no card 'stirke' in the pack small; did you mean \"strike\"?"),
        (("play", PACK, "--deck", "baisc"), "no deck or card 'baisc' in the pack small; did you mean \"basic\"?"),
        (("play", PACK, "--seed", str(2**64)), "--seed"),
        (("play", PACK, "--bot", "greedy", "--address", "127.0.0.1:1"), "plays without --address"),
        (("trace", "--scenario", "nowhere.json"), "nowhere.json: no such file"),
        (("scenario", "run", "nowhere.json"), "nowhere.json: no such file or folder"),
    ],
)
def test_bad_arguments_are_told(arguments: tuple[str, ...], message: str) -> None:
    result = gcs(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_a_broken_pack_is_not_played(broken: Path) -> None:
    result = gcs("play", str(broken))
    assert result.exit_code == 1
    assert 'unknown card "malelt"' in result.stderr
    assert "warning" not in result.stderr


def test_scenario_run() -> None:
    result = gcs("scenario", "run", str(DATA / "pass"))
    assert result.exit_code == 0
    assert result.stdout.count("ok     ") == len(list((DATA / "pass").glob("*.json")))
    assert result.stdout.endswith(" passed, 0 failed\n")


def test_scenario_run_reports_what_failed(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"pack": "starter"}')
    good = DATA / "pass" / "concede.json"
    bad = DATA / "fail" / "wrong_entry.json"
    result = gcs("scenario", "run", str(good), str(bad), str(wrong))
    assert result.exit_code == 1
    assert f"failed {bad.as_posix()}: steps[1] (play strike on enemy0)\n" in result.stdout
    assert "  expected  entries[1]: on_damage_taken status:mark@enemy0 amount=7\n" in result.stdout
    assert f'{wrong.as_posix()}:1:1: $.encounter: error: missing field "encounter"' in result.stdout
    assert result.stdout.endswith("1 passed, 2 failed\n")


def test_scenario_run_writes_json_and_junit(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"pack": "starter"}')
    files = [DATA / "pass" / "concede.json", DATA / "fail" / "wrong_state.json", wrong]
    report = tmp_path / "report.xml"
    result = gcs("scenario", "run", *map(str, files), "--json", "--junit", str(report))
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert (told["passed"], told["failed"]) == (1, 2)
    good, bad, broken = told["scenarios"]
    assert [scenario["file"] for scenario in (good, bad, broken)] == [file.as_posix() for file in files]
    assert (good["ok"], good["step"], good["mismatches"], good["problems"]) == (True, None, [], [])
    assert bad["mismatches"] == [{"expected": "player.hp = 21", "actual": "player.hp = 20"}]
    assert broken["problems"][0]["path"] == "$.encounter"
    suite = ElementTree.parse(report).getroot()[0]
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
    }
    assert [case.get("name") for case in suite] == ["concede", "wrong_state", "wrong"]
    assert [[child.tag for child in case] for case in suite] == [[], ["failure"], ["error"]]
    assert "expected player.hp = 21, got player.hp = 20" in (suite[1][0].get("message") or "")


def test_scenario_run_of_some_files() -> None:
    result = gcs("scenario", "run", str(DATA / "pass"), "-k", "Concede")
    assert result.stdout == f"ok     {(DATA / 'pass' / 'concede.json').as_posix()}\n1 passed, 0 failed\n"
    none = gcs("scenario", "run", str(DATA / "pass"), "-k", "xyz")
    assert (none.exit_code, none.stderr) == (2, "gcs: no scenario file has 'xyz' in its path\n")


def test_scenario_run_of_a_pack_is_told_in_one_line() -> None:
    result = gcs("scenario", "run", PACK)
    assert (result.exit_code, result.stdout) == (2, "")
    assert (
        result.stderr
        == f"gcs: {PACK}: a pack, not scenario files; `gcs check {PACK}` checks it, `gcs play {PACK}` plays it\n"
    )


def test_scenario_run_of_a_folder_leaves_packs_in_it_out(tmp_path: Path) -> None:
    shutil.copytree(PACK, tmp_path / "pack")
    (tmp_path / "pack" / "tests").mkdir()
    for name in ("concede.json", "pack/tests/concede.json"):
        scenario = json.loads((DATA / "pass" / "concede.json").read_text())
        (tmp_path / name).write_text(json.dumps({**scenario, "pack": PACK}))
    result = gcs("scenario", "run", str(tmp_path))
    assert result.stdout.endswith("\n2 passed, 0 failed\n")


def test_scenario_run_of_an_empty_folder(tmp_path: Path) -> None:
    assert gcs("scenario", "run", str(tmp_path)).exit_code == 2


def test_trace_of_a_scenario_shows_nodes_with_values() -> None:
    result = gcs("trace", "--scenario", str(DATA / "pass" / "content_example.json"))
    assert result.exit_code == 0
    expected = """\
    on_card_played card:mallet card=mallet
      [hit] deal_damage amount=8 target=[enemy0] hits=1
        player hits enemy0: 8 damage, 0 absorbed, 8 lost
          enemy0: HP 14 -> 6 (damage)
          on_damage_taken status:mark@enemy0 amount=8 source=player target=enemy0
            [lose] lose_hp amount=2 target=[enemy0]
              enemy0: HP 6 -> 4 (loss)
      [mark] apply_status status=mark stacks=2 target=[enemy0] source=player
        enemy0: mark 2 -> 4 (applied)
"""
    assert expected in result.stdout


def test_trace_shows_what_a_node_gives() -> None:
    result = gcs("trace", "--scenario", str(DATA / "pass" / "choose_cards.json"))
    assert (
        '[pick] choose_card prompt="Exhaust up to two cards" cards=[strike, defend, strike, mallet] min=0 max=2'
        " -> cards=[strike, mallet]" in result.stdout
    )
    assert "[burn] move_card to=exhaust card=strike" in result.stdout


def test_trace_tells_whose_hook_changed_an_amount(tmp_path: Path) -> None:
    """Those outside of any Entry, too."""

    def hook(timing: str, amount: int) -> dict[str, Any]:
        nodes = [{"id": "hook", "type": timing}, {"id": "set", "type": "set_hook_amount", "params": {"amount": amount}}]
        return {"id": timing, "graph": {"nodes": nodes, "links": [["hook.out", "set.in"]]}}

    hooks = [hook("damage_taken_hook", 3), hook("energy_refill_hook", 4)]
    hit = {"id": "hit", "type": "deal_damage", "params": {"amount": 6}}
    graph = {"nodes": [{"id": "played", "type": "on_card_played"}, hit], "links": [["played.out", "hit.in"]]}
    scenario = {
        "pack": {
            "cards": [{"id": "strike", "cost": 0, "target": "enemy", "graph": graph}],
            "statuses": hooks,
            "enemies": [{"id": "foe", "hp": 9, "statuses": {"damage_taken_hook": 1}}],
            "decks": [{"id": "deck", "cards": ["strike"]}],
        },
        "encounter": {
            "enemies": ["foe"],
            "deck": "deck",
            "player": {"hp": 9, "statuses": {"energy_refill_hook": 1}},
        },
        "seed": 1,
        "steps": [{"play": "strike", "target": "enemy0"}],
    }
    path = tmp_path / "hooks.json"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    result = gcs("trace", "--scenario", str(path))
    assert result.exit_code == 0
    refill = """\
  [hook] energy_refill_hook status:energy_refill_hook@player amount=3
    [set] set_hook_amount amount=4
  energy 0 -> 4 (refill)
"""
    assert refill in result.stdout
    taken = """\
      [hit] deal_damage amount=6 target=[enemy0] hits=1
        [hook] damage_taken_hook status:damage_taken_hook@enemy0 amount=6
          [set] set_hook_amount amount=3
        player hits enemy0: 3 damage, 0 absorbed, 3 lost
"""
    assert taken in result.stdout


def test_trace_reads_a_value_without_warning_twice() -> None:
    result = gcs("trace", "--scenario", str(DATA / "pass" / "fault_and_warning.json"))
    assert result.stdout.count("! warning division_by_zero") == 1


def test_trace_of_a_failing_scenario_ends_with_the_report() -> None:
    result = gcs("trace", "--scenario", str(DATA / "fail" / "wrong_state.json"))
    assert result.exit_code == 1
    assert "  expected  player.hp = 21" in result.stdout


def test_trace_stops_after_some_turns() -> None:
    result = gcs("trace", PACK, "--encounter", "rat", "--seed", "1", "--turns", "1", "--bot", "random")
    assert result.exit_code == 0
    assert "== turn 1: enemy ==" in result.stdout
    assert "== turn 2: enemy ==" not in result.stdout


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_bot_plays_to_the_end(bot: str) -> None:
    arguments = ("play", PACK, "--encounter", "rats", "--seed", "4", "--bot", bot)
    result = gcs(*arguments)
    assert result.exit_code == 0
    assert "== turn 1: player ==" in result.stdout
    assert re.search(r"^== (won|lost), \d+ HP ==$", result.stdout, re.MULTILINE)
    assert gcs(*arguments).stdout == result.stdout


def test_a_new_seed_is_told() -> None:
    result = gcs("play", PACK, "--encounter", "rat", "--bot", "random")
    assert re.match(r"small: Rat, seed \d+\n", result.stdout)


def test_a_deck_by_its_cards() -> None:
    result = gcs("play", PACK, "--encounter", "rat", "--bot", "greedy", "--deck", "strike, strike,mallet")
    assert result.exit_code == 0
    assert "draw pile shuffled, 3 cards" in result.stdout

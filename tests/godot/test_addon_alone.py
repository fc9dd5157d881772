"""The addon works when it is copied alone into an empty project, with the engine's default warnings."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.godot.gdscript import engine_errors, import_project
from tests.godot.peers import running
from tools.godot import run_headless

LIMIT = 60.0
PROJECT = """config_version=5

[application]

config/name="Empty"
run/main_scene="res://main.tscn"

[autoload]

Gcs="*res://addons/gcs/gcs.gd"

[editor_plugins]

enabled=PackedStringArray("res://addons/gcs/plugin.cfg")
"""
SCENE = """[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://main.gd" id="1"]

[node name="Main" type="Node"]
script = ExtResource("1")
"""
SCRIPT = """extends Node

func _ready():
	Gcs.connect_to_server(OS.get_cmdline_user_args()[0])
	Gcs.start_battle("starter", "first_fight")
	await Gcs.battle_started
	await Gcs.play_card(Gcs.state.hand.cards[0], "enemy0").outcome()
	print("played in ", Gcs.state.encounter)
	get_tree().quit()
"""


def test_battle_in_a_project_that_has_nothing_but_the_addon(godot: Path, tmp_path: Path) -> None:
    addon = Path(__file__).resolve().parents[2] / "godot_project" / "addons" / "gcs"
    shutil.copytree(addon, tmp_path / "addons" / "gcs")
    (tmp_path / "project.godot").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "main.tscn").write_text(SCENE, encoding="utf-8")
    (tmp_path / "main.gd").write_text(SCRIPT, encoding="utf-8")
    assert engine_errors(import_project(godot, tmp_path).splitlines(), []) == []
    with running("gcs_server") as peer:
        done = run_headless(godot, tmp_path, "--", peer.split("=")[1], limit=LIMIT)
    assert done.returncode == 0, done.stdout
    assert "played in first_fight" in done.stdout
    assert engine_errors(done.stdout.splitlines(), []) == []

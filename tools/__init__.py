"""Tooling of the repository: tasks (`run`, `play`), Godot (`godot`, `debian`), a screen for pictures (`display`)."""

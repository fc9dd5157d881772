"""Draw the pictures of the sample pack's cards: `python -m tools.card_art`.

Each card has a picture of its own, put together from a place (`PLACES`), motifs of `tools/card_motifs.py` and the demo's
glyphs. An upgraded card shows the picture of the card that it came from. The pictures go to `godot_project/demo/art/cards/`.
"""

# A picture or a shape is one line, however long.
# ruff: noqa: E501

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tools.card_motifs import MOTIFS, PLACES

ROOT: Final = Path(__file__).resolve().parents[1]
GLYPHS: Final = ROOT / "godot_project" / "demo" / "art" / "glyphs"
FOLDER: Final = ROOT / "godot_project" / "demo" / "art" / "cards"
WIDTH, HEIGHT = 264, 124

RED, BLUE, GOLD, GREEN, VIOLET = "#e8604c", "#5fb4e6", "#ffd166", "#8fe08a", "#b58ae0"
WHITE, GREY, DARK, STEEL, WOOD, BONE, SEA = "#f1f5f8", "#8b9aa8", "#14202f", "#b9c6d2", "#a9703f", "#efe3c8", "#2f7f9e"
ORANGE, PINK, TEAL = "#ff9d3c", "#f08fa8", "#57c7b6"

# Card: place, then motifs as (name, x, y, size, turn in degrees, colour), the hindmost first.
Motif = tuple[str, int, int, int, int, str]
CARDS: Final[dict[str, tuple[str, list[Motif]]]] = {
    "anchor_drop": ("deep", [("bubbles", 190, 40, 60, 0, BLUE), ("anchor", 130, 62, 100, 12, STEEL)]),
    "ash_coat": (
        "ember",
        [("coat", 132, 64, 96, 0, GREY), ("flame", 60, 84, 50, 0, ORANGE), ("flame", 206, 88, 42, 0, RED)],
    ),
    "ballast_blow": (
        "deck",
        [("fist", 160, 62, 84, 0, BONE), ("crate", 84, 78, 66, -10, WOOD), ("burst", 122, 60, 60, 0, GOLD)],
    ),
    "barnacle_coat": (
        "deep",
        [
            ("coat", 130, 62, 100, 0, TEAL),
            ("shell", 104, 54, 28, 0, BONE),
            ("shell", 152, 46, 24, 30, BONE),
            ("shell", 146, 84, 30, -20, BONE),
        ],
    ),
    "beachcomb": (
        "beach",
        [("plank", 84, 86, 90, -8, WOOD), ("shell", 164, 84, 48, 10, PINK), ("hand", 200, 50, 56, 150, BONE)],
    ),
    "bilge_slop": (
        "murk",
        [("bucket", 126, 58, 78, 24, WOOD), ("splash", 178, 92, 70, 0, GREEN), ("drop", 84, 88, 30, 0, GREEN)],
    ),
    "bleed_the_line": (
        "dusk",
        [("rope", 132, 60, 108, 0, BONE), ("drop", 112, 88, 36, 0, RED), ("drop", 152, 98, 26, 0, RED)],
    ),
    "bounty": (
        "dusk",
        [
            ("scroll", 106, 62, 92, -6, BONE),
            ("skull", 106, 60, 44, 0, DARK),
            ("coin", 184, 82, 52, 0, GOLD),
            ("coin", 206, 56, 40, 0, GOLD),
        ],
    ),
    "breaking_wave": ("sea", [("bigwave", 118, 62, 132, 0, BLUE), ("blade", 206, 50, 50, 180, STEEL)]),
    "breakwater": ("sea", [("wall", 132, 74, 120, 0, GREY), ("splash", 70, 52, 60, 0, WHITE)]),
    "broadside": (
        "sea",
        [
            ("ship", 92, 62, 100, 0, WOOD),
            ("ball", 176, 64, 22, 0, DARK),
            ("ball", 208, 50, 22, 0, DARK),
            ("ball", 212, 84, 22, 0, DARK),
            ("burst", 148, 70, 44, 0, ORANGE),
        ],
    ),
    "call_thunder": (
        "storm",
        [("cloud", 132, 34, 120, 0, GREY), ("bolt", 132, 84, 78, 0, GOLD), ("hand", 60, 96, 50, 0, BONE)],
    ),
    "chain_shot": (
        "dusk",
        [("chain", 132, 62, 92, 45, STEEL), ("ball", 78, 62, 46, 0, DARK), ("ball", 186, 62, 46, 0, DARK)],
    ),
    "cold_current": (
        "deep",
        [("swirl", 132, 62, 110, 0, BLUE), ("ice", 132, 62, 60, 0, WHITE), ("ice", 206, 34, 30, 20, WHITE)],
    ),
    "deck_watch": ("deck", [("shield", 108, 64, 78, 0, BLUE), ("telescope", 176, 54, 76, -20, GOLD)]),
    "defend": ("sea", [("shield", 132, 62, 96, 0, WHITE)]),
    "double_knot": ("deck", [("rope", 102, 62, 76, 0, BONE), ("rope", 162, 62, 76, 90, GOLD)]),
    "drift_net": (
        "deep",
        [
            ("net", 122, 58, 104, 0, BONE),
            ("fish", 108, 74, 40, 0, TEAL),
            ("fish", 150, 88, 34, 180, PINK),
            ("bottle", 198, 76, 40, 30, GREEN),
        ],
    ),
    "driftwood": ("sea", [("plank", 132, 74, 130, -6, WOOD), ("feather", 170, 44, 36, 20, WHITE)]),
    "drowned_bell": (
        "murk",
        [("bell", 132, 56, 84, 14, GREEN), ("bubbles", 196, 48, 56, 0, TEAL), ("wave", 132, 106, 90, 0, SEA)],
    ),
    "dynamo": (
        "forge",
        [("gear", 104, 62, 86, 0, GOLD), ("coil", 176, 62, 70, 0, ORANGE), ("bolt", 140, 40, 40, 0, WHITE)],
    ),
    "echo_call": ("night", [("horn", 88, 68, 76, 0, GOLD), ("rings", 176, 56, 92, 0, BLUE)]),
    "festering_tide": (
        "murk",
        [("bigwave", 126, 66, 120, 0, GREEN), ("skull", 188, 60, 46, 0, BONE), ("bubbles", 70, 40, 46, 0, GREEN)],
    ),
    "figurehead": (
        "dawn",
        [("bow", 110, 70, 110, 0, WOOD), ("wing", 176, 50, 66, 0, GOLD), ("eye", 168, 76, 30, 0, WHITE)],
    ),
    "flint": (
        "ember",
        [("stone", 98, 72, 70, -12, GREY), ("stone", 166, 62, 56, 28, STEEL), ("burst", 132, 48, 50, 0, GOLD)],
    ),
    "flotsam": (
        "sea",
        [("crate", 98, 70, 62, 14, WOOD), ("barrel", 168, 78, 56, -24, WOOD), ("wave", 132, 104, 100, 0, BLUE)],
    ),
    "fog_bank": ("fog", [("fog", 132, 66, 122, 0, WHITE), ("lantern", 196, 50, 34, 0, GOLD)]),
    "foghorn": ("fog", [("horn", 100, 70, 92, -8, GOLD), ("fog", 194, 40, 60, 0, WHITE)]),
    "gaff": ("deck", [("hook", 132, 60, 104, 25, STEEL), ("drop", 178, 88, 26, 0, RED)]),
    "ghost_fleet": (
        "fog",
        [("ship", 66, 50, 58, 0, TEAL), ("ship", 196, 46, 50, 0, TEAL), ("ship", 132, 70, 92, 0, WHITE)],
    ),
    "glass_floats": (
        "sea",
        [("float", 86, 66, 62, 0, GREEN), ("float", 148, 78, 54, 0, BLUE), ("float", 200, 56, 44, 0, PINK)],
    ),
    "grapeshot": (
        "ember",
        [
            ("cannon", 84, 76, 84, -12, STEEL),
            ("ball", 158, 44, 18, 0, DARK),
            ("ball", 178, 66, 20, 0, DARK),
            ("ball", 206, 38, 16, 0, DARK),
            ("ball", 214, 74, 20, 0, DARK),
            ("ball", 188, 92, 16, 0, DARK),
        ],
    ),
    "grog": (
        "ember",
        [("mug", 126, 66, 88, 0, WOOD), ("flame", 124, 30, 44, 0, ORANGE), ("bubbles", 192, 56, 48, 0, GOLD)],
    ),
    "gybe": ("dawn", [("sail", 122, 58, 106, 0, WHITE), ("arc", 172, 70, 92, 0, RED)]),
    "harpoon": ("sea", [("spear", 132, 58, 124, 0, STEEL), ("rope", 66, 88, 48, 0, BONE)]),
    "haul_in": ("deck", [("net", 132, 78, 78, 0, BONE), ("hand", 96, 38, 54, 0, BONE), ("hand", 170, 38, 54, 0, BONE)]),
    "holystone": (
        "deck",
        [("stone", 110, 80, 66, 0, STEEL), ("blade", 158, 48, 72, 35, WHITE), ("burst", 130, 66, 30, 0, GOLD)],
    ),
    "hull_breaker": (
        "sea",
        [("hull", 150, 70, 110, 0, WOOD), ("crack", 150, 68, 66, 0, DARK), ("hammer", 82, 50, 74, 0, STEEL)],
    ),
    "keelhaul": (
        "deep",
        [("hull", 132, 34, 116, 0, WOOD), ("rope", 132, 82, 72, 90, BONE), ("skull", 198, 92, 32, 0, BONE)],
    ),
    "kettle": (
        "deck",
        [("kettle", 124, 72, 90, 0, STEEL), ("steam", 186, 36, 54, 0, WHITE), ("flame", 122, 114, 30, 0, ORANGE)],
    ),
    "knucklebones": (
        "dusk",
        [("die", 96, 66, 56, -14, BONE), ("die", 160, 76, 48, 18, WHITE), ("die", 190, 38, 34, 40, BONE)],
    ),
    "lantern_swing": ("night", [("arc", 120, 62, 110, 180, ORANGE), ("lantern", 158, 68, 84, -18, GOLD)]),
    "lash_down": ("deck", [("crate", 132, 70, 84, 0, WOOD), ("rope", 132, 66, 100, 0, BONE)]),
    "leaden_boots": (
        "deep",
        [("boot", 96, 72, 76, 0, GREY), ("boot", 170, 76, 76, 0, GREY), ("bubbles", 132, 28, 44, 0, BLUE)],
    ),
    "light_the_fuse": (
        "ember",
        [("barrel", 100, 74, 76, 0, WOOD), ("arc", 156, 58, 60, 0, BONE), ("burst", 196, 40, 46, 0, GOLD)],
    ),
    "lightning_rod": (
        "storm",
        [("rod", 132, 70, 108, 0, STEEL), ("bolt", 156, 32, 58, 20, GOLD), ("bolt", 100, 34, 40, -24, GOLD)],
    ),
    "lionfish_spine": (
        "deep",
        [("fish", 116, 64, 82, 0, RED), ("spine", 176, 52, 70, 20, BONE), ("drop", 210, 84, 26, 0, GREEN)],
    ),
    "lookout": ("dawn", [("mast", 116, 66, 116, 0, WOOD), ("eye", 180, 46, 52, 0, WHITE)]),
    "mallet": ("deck", [("hammer", 126, 60, 104, -20, WOOD), ("burst", 192, 86, 50, 0, RED)]),
    "mending_song": ("dawn", [("heart", 106, 66, 74, 0, PINK), ("song", 176, 52, 74, 0, GOLD)]),
    "message_in_a_bottle": (
        "sea",
        [("bottle", 124, 60, 100, 62, GREEN), ("scroll", 124, 60, 34, -28, BONE), ("wave", 132, 106, 110, 0, BLUE)],
    ),
    "mirage": (
        "dawn",
        [("sun", 132, 46, 82, 0, GOLD), ("ship", 132, 52, 62, 0, PINK), ("ship", 132, 98, 62, 180, PINK)],
    ),
    "oilskin": ("rain", [("coat", 132, 66, 104, 0, GOLD)]),
    "overboard": (
        "sea",
        [("crate", 96, 46, 52, 24, WOOD), ("splash", 140, 92, 96, 0, WHITE), ("hand", 184, 62, 44, 0, BONE)],
    ),
    "overcharge": (
        "storm",
        [("battery", 104, 66, 82, 0, STEEL), ("bolt", 168, 50, 66, 0, GOLD), ("bolt", 204, 74, 44, 20, BLUE)],
    ),
    "pearl": ("deep", [("oyster", 132, 78, 104, 0, VIOLET), ("pearl", 132, 62, 44, 0, WHITE)]),
    "rain_barrel": ("rain", [("barrel", 132, 70, 92, 0, WOOD), ("splash", 132, 28, 50, 0, BLUE)]),
    "red_tide": ("bloodsea", [("bigwave", 120, 66, 126, 0, RED), ("fish", 206, 92, 36, 0, DARK)]),
    "reel_in": ("sea", [("reel", 92, 62, 78, 0, WOOD), ("hook", 184, 66, 64, 0, STEEL), ("arc", 146, 40, 60, 0, BONE)]),
    "resonance": ("night", [("bell", 132, 60, 66, 0, GOLD), ("rings", 132, 62, 120, 0, VIOLET)]),
    "riptide": ("sea", [("swirl", 116, 64, 116, 0, BLUE), ("hand", 176, 52, 46, 0, BONE)]),
    "rivet_gun": (
        "forge",
        [
            ("gun", 104, 66, 96, 0, STEEL),
            ("rivet", 180, 46, 26, 0, GOLD),
            ("rivet", 206, 58, 26, 0, GOLD),
            ("rivet", 226, 48, 22, 0, GOLD),
        ],
    ),
    "salt_scrub": ("beach", [("brush", 110, 60, 88, -18, WOOD), ("bubbles", 178, 70, 80, 0, WHITE)]),
    "salt_ward": ("night", [("rune", 132, 62, 74, 0, WHITE), ("ring", 132, 62, 108, 0, TEAL)]),
    "scuttle": (
        "deep",
        [("ship", 118, 64, 96, 38, WOOD), ("bubbles", 192, 40, 66, 0, BLUE), ("plank", 206, 96, 50, 20, WOOD)],
    ),
    "sea_change": (
        "dusk",
        [("sun", 74, 56, 56, 0, GOLD), ("swirl", 132, 64, 72, 0, TEAL), ("moon", 196, 56, 52, 0, WHITE)],
    ),
    "sea_legs": (
        "deck",
        [("boot", 100, 66, 70, -14, WOOD), ("boot", 160, 66, 70, 14, WOOD), ("wave", 132, 108, 110, 0, BLUE)],
    ),
    "shoal": (
        "deep",
        [
            ("fish", 84, 46, 46, 0, TEAL),
            ("fish", 140, 34, 40, 0, BLUE),
            ("fish", 124, 72, 56, 0, WHITE),
            ("fish", 190, 62, 46, 0, TEAL),
            ("fish", 172, 96, 38, 0, BLUE),
        ],
    ),
    "signal_flare": ("night", [("flare", 132, 50, 104, 0, RED), ("hand", 132, 104, 44, 0, BONE)]),
    "sirens_thirst": (
        "murk",
        [("heart", 100, 60, 66, 0, RED), ("tail", 172, 64, 80, 0, TEAL), ("drop", 128, 96, 26, 0, RED)],
    ),
    "spark": (
        "night",
        [("burst", 132, 62, 84, 0, GOLD), ("burst", 196, 36, 30, 0, ORANGE), ("burst", 68, 88, 26, 0, ORANGE)],
    ),
    "spyglass": ("dawn", [("telescope", 124, 64, 124, -14, GOLD), ("ship", 216, 34, 34, 0, DARK)]),
    "squall": (
        "rain",
        [("cloud", 120, 34, 104, 0, GREY), ("swirl", 170, 78, 70, 0, WHITE), ("wave", 90, 104, 70, 0, BLUE)],
    ),
    "static": (
        "storm",
        [("ring", 132, 62, 88, 0, BLUE), ("bolt", 104, 62, 50, -20, WHITE), ("bolt", 162, 62, 50, 20, WHITE)],
    ),
    "storm_surge": ("storm", [("bigwave", 110, 68, 138, 0, TEAL), ("bolt", 212, 40, 58, 0, GOLD)]),
    "strike": ("dusk", [("arc", 150, 58, 96, 20, RED), ("blade", 122, 62, 96, 0, WHITE)]),
    "trawl": (
        "deep",
        [("ship", 84, 26, 46, 0, WOOD), ("net", 146, 78, 86, -20, BONE), ("skull", 146, 86, 30, 0, WHITE)],
    ),
    "trim_ballast": (
        "deck",
        [("scales", 132, 62, 110, 0, GOLD), ("anchor", 84, 92, 34, 0, STEEL), ("stone", 182, 92, 30, 0, GREY)],
    ),
    "trophy_hunt": (
        "dusk",
        [("ring", 132, 62, 110, 0, GOLD), ("skull", 132, 60, 70, 0, BONE), ("spear", 132, 100, 84, 10, STEEL)],
    ),
    "turn_the_tide": (
        "sea",
        [("moon", 198, 34, 46, 0, WHITE), ("bigwave", 96, 70, 100, 0, BLUE), ("arc", 184, 80, 72, 120, GOLD)],
    ),
    "two_tides": ("dusk", [("bigwave", 78, 68, 92, 0, BLUE), ("flipwave", 186, 68, 92, 0, RED)]),
    "undermine": (
        "murk",
        [("wall", 132, 56, 110, 0, GREY), ("crack", 132, 60, 78, 0, DARK), ("droop", 204, 92, 44, 0, VIOLET)],
    ),
    "urchin_coat": ("deep", [("urchin", 132, 64, 110, 0, VIOLET), ("coat", 132, 66, 50, 0, BONE)]),
    "venom_glands": (
        "murk",
        [("gland", 98, 66, 72, 0, GREEN), ("gland", 168, 66, 72, 0, GREEN), ("spine", 132, 40, 46, 0, BONE)],
    ),
    "vent_steam": ("forge", [("pipe", 92, 78, 92, 0, STEEL), ("steam", 176, 46, 90, 0, WHITE)]),
    "vigil": ("night", [("window", 132, 60, 104, 0, VIOLET), ("lantern", 132, 78, 58, 0, GOLD)]),
    "weathercock": ("storm", [("vane", 132, 70, 104, 0, STEEL), ("feather", 150, 36, 58, -30, GOLD)]),
    "wellspring": (
        "dawn",
        [("well", 132, 80, 92, 0, GREY), ("splash", 132, 38, 74, 0, BLUE), ("heart", 132, 82, 28, 0, PINK)],
    ),
}


def motif(name: str, color: str) -> str:
    """The shapes of a motif, drawn in a box of 100 by 100 around the origin."""
    if name in MOTIFS:
        return MOTIFS[name].replace("@dark", DARK).replace("@", color)
    inner = re.sub(
        r"^.*?<svg[^>]*>|</svg>\s*$", "", (GLYPHS / f"{name}.svg").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    return f'<g transform="scale(1.5625) translate(-32 -32)" fill="{color}">{inner.replace("#fff", color)}</g>'


def picture(card: str) -> str:
    """The SVG of a card's picture."""
    place, motifs = CARDS[card]
    parts = [PLACES[place]]
    for name, x, y, size, turn, color in motifs:
        shape = motif(name, color)
        at = f"translate({x} {y}) rotate({turn}) scale({size / 100:g})"
        shadow = f'<g opacity="0.35" transform="translate(4 5) {at}">{motif(name, DARK)}</g>'
        parts.append(f'{shadow}<g transform="{at}">{shape}</g>')
    box = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{"".join(parts)}</svg>\n'


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    for card in CARDS:
        (FOLDER / f"{card}.svg").write_text(picture(card), encoding="utf-8")


if __name__ == "__main__":
    main()

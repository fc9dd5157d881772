"""The demo looks as recorded: fixed states, rendered on the CPU on a virtual screen, compared with tolerance.

`python tools/screenshots.py --record` takes the pictures in `screenshots/` anew; look at them before committing them.
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFilter

from tests.godot.pictures import compare, write_difference
from tools.screenshots import RECORDED, RECORDED_SIZE, RECORDED_STATES, take

MOST_BYTES = 1_500_000
"""What the recorded pictures may take of the repository."""

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual screen needs Linux")


def recorded(state: str) -> Image.Image:
    with Image.open(RECORDED / f"{state}.png") as picture:
        return picture.convert("RGB")


@pytest.fixture(scope="module")
def taken(godot_project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a picture of each state, taken now."""
    folder = tmp_path_factory.mktemp("taken")
    gcs = Path(sysconfig.get_path("scripts")) / "gcs"
    take(gcs, folder, RECORDED_SIZE, ",".join(RECORDED_STATES))
    return folder


@linux_only
@pytest.mark.parametrize("state", RECORDED_STATES)
def test_state_looks_as_recorded(state: str, taken: Path) -> None:
    with Image.open(taken / f"{state}.png") as picture:
        found = compare(picture, recorded(state))
        if found.tiles:
            shown = taken / f"{state}_difference.png"
            write_difference(picture, recorded(state), shown)
            worst = f"by {found.area:.1f} at most, a spot by {found.spot:.1f}"
            pytest.fail(f"{len(found.tiles)} tiles differ, {worst}; see {shown}", pytrace=False)


def test_recorded_pictures_are_few_and_small() -> None:
    files = sorted(RECORDED.glob("*.png"))
    assert sorted(file.stem for file in files) == sorted(RECORDED_STATES)
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


# Left, top, right and bottom of something that a change could lose, in a recorded picture.
LOST = {
    "hint panel of the lost connection": ("lost", (140, 29, 500, 70)),
    "details of an enemy": ("details", (232, 80, 386, 158)),
    "trace panel": ("trace", (8, 30, 213, 240)),
    "a card in hand": ("aim", (283, 245, 357, 350)),
    "the intent of an enemy": ("aim", (405, 50, 480, 70)),
    "the end of the turn": ("enemies", (542, 265, 628, 290)),
    "a reward": ("victory", (234, 142, 316, 252)),
    "what a card would take of an enemy": ("aim", (412, 183, 480, 196)),
    "the text of a card": ("enemies", (292, 315, 347, 327)),
    "a status": ("enemies", (282, 199, 304, 221)),
    "the name of the battle and the turn": ("enemies", (5, 5, 60, 20)),
    "the seed": ("trace", (422, 7, 448, 17)),
    "the hint": ("enemies", (167, 7, 300, 19)),
}


@pytest.mark.parametrize("what", LOST)
def test_something_lost_is_noticed(what: str) -> None:
    state, box = LOST[what]
    picture = recorded(state)
    # The colour of what surrounds it, as if it had never been drawn.
    ImageDraw.Draw(picture).rectangle(box, fill=picture.getpixel((box[0] - 4, box[1] - 4)))
    assert compare(picture, recorded(state)).tiles


# The middle of the cost of a card in hand.
COSTS = {
    "enemies": ((130, 259), (209, 254), (289, 250), (369, 250), (448, 253)),
    "aim": ((138, 237),),
    "trace": ((289, 250),),
}
COST_RADIUS = 8.0


@pytest.mark.parametrize(("state", "x", "y"), [(state, *place) for state, places in COSTS.items() for place in places])
@pytest.mark.parametrize(("radius", "beside"), [(COST_RADIUS, (11, -3)), (5.0, (-5, 1))], ids=["cost", "number alone"])
def test_cost_that_is_painted_over_is_noticed(
    state: str, x: int, y: int, radius: float, beside: tuple[int, int]
) -> None:
    picture = recorded(state)
    box = (x - radius, y - radius, x + radius, y + radius)
    ImageDraw.Draw(picture).ellipse(box, fill=picture.getpixel((x + beside[0], y + beside[1])))
    found = compare(picture, recorded(state))
    # Where it is and nowhere else: in one tile, or in those beside it when it lies on their edges.
    near = {(round(x + dx) // 40 * 20, round(y + dy) // 40 * 20) for dx in (-12, 12) for dy in (-12, 12)}
    assert found.tiles
    assert set(found.tiles) <= near


@pytest.mark.parametrize("state", RECORDED_STATES)
def test_other_letters_and_noise_are_not_noticed(state: str) -> None:
    picture = recorded(state)
    moved = Image.new("RGB", picture.size)
    moved.paste(picture, (1, 0))
    moved.paste(picture.crop((0, 0, 1, picture.height)), (0, 0))
    soft = picture.filter(ImageFilter.GaussianBlur(0.8))
    coarse = picture.resize((480, 270), Image.Resampling.BILINEAR).resize(picture.size, Image.Resampling.BILINEAR)
    bright = picture.point(lambda value: min(255, round(value * 1.02)))
    for other in (moved, soft, coarse, bright):
        assert not compare(other, picture).tiles


def test_difference_is_drawn(tmp_path: Path) -> None:
    picture = recorded("aim")
    ImageDraw.Draw(picture).rectangle((100, 100, 300, 300), fill=(255, 255, 255))
    write_difference(picture, recorded("aim"), tmp_path / "difference.png")
    with Image.open(tmp_path / "difference.png") as shown:
        assert shown.size == (320, 540)
        assert shown.getpixel((100, 460)) != (0, 0, 0)
        assert shown.getpixel((10, 520)) == (0, 0, 0)

"""Compare a picture with the one that was recorded, so that fonts and drivers may differ and panels may not.

Both are made small, blurred and cut into tiles; a tile is as different as its pixels are on average. Another rasteriser
moves the edges of letters, which hardly changes a tile; a panel, a card or a figure that is missing changes the tiles
where it was. A text that is missing changes its tiles little, too: what it takes away is contrast. So the contrast of
much smaller tiles is compared as well, by how many times less of it there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFilter

SIZE = (320, 180)
"""What pictures are made small to."""
BLUR = 2.0
"""Radius of the blur on small pictures: an edge that lies half a pixel off makes no difference."""
TILE = 20
"""Width and height of a tile in a small picture: 16 by 9 of them."""
TOLERANCE = 10.0
"""The largest mean difference of a tile's pixels, of 255, that still counts as the same."""

INK_SIZE = (640, 360)
"""What pictures are made small to where their contrast is compared."""
INK_TILE = 10
"""Width and height of a tile there: less than a status icon, a few letters of a text."""
INK_RADIUS = 4.0
"""Contrast is what a blur of this radius takes away: letters and edges, not areas."""
INK_LEAST = 8
"""The contrast of a recorded tile, of 255, from which on it counts as drawn on."""
INK_LOST = 3.0
"""How many times less contrast than recorded counts as lost. Blurred letters have half of it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How two pictures differ.

    Attributes:
        worst: The mean difference, of 255, of the tile that differs most.
        tiles: Left and top of each tile above the tolerance, in a small picture, and of each that lost what
            was drawn there.
    """

    worst: float
    tiles: tuple[tuple[int, int], ...]


def compare(taken: Image.Image, recorded: Image.Image) -> Difference:
    """Find where a picture differs from the recorded one by more than the tolerance."""
    pixels = _difference(taken, recorded)
    # A box filter down to one pixel a tile: the mean of the tile, in each colour.
    means = pixels.resize((SIZE[0] // TILE, SIZE[1] // TILE), Image.Resampling.BOX)
    found = {(x * TILE, y * TILE): max(means.getpixel((x, y))) for x in range(means.width) for y in range(means.height)}
    lost = _lost(taken, recorded)
    tiles = tuple(place for place, mean in found.items() if mean > TOLERANCE or place in lost)
    return Difference(max(found.values()), tiles)


def write_difference(taken: Image.Image, recorded: Image.Image, path: Path) -> None:
    """Write the recorded picture, the taken one and what differs, one below the other, with the tiles framed."""
    shown = Image.new("RGB", (SIZE[0], SIZE[1] * 3))
    small = [_small(recorded), _small(taken), _difference(taken, recorded)]
    for x, y in compare(taken, recorded).tiles:
        for picture in small:
            ImageDraw.Draw(picture).rectangle((x, y, x + TILE - 1, y + TILE - 1), outline=(255, 0, 255))
    for row, picture in enumerate(small):
        shown.paste(picture, (0, row * SIZE[1]))
    shown.save(path)


def _lost(taken: Image.Image, recorded: Image.Image) -> set[tuple[int, int]]:
    """Left and top, in a small picture, of the tiles where something recorded has lost its contrast."""
    across = INK_SIZE[0] // INK_TILE
    shrink = INK_SIZE[0] // SIZE[0]
    pairs = enumerate(zip(_ink(recorded), _ink(taken), strict=True))
    lost = (index for index, (wanted, found) in pairs if wanted >= INK_LEAST and wanted > INK_LOST * (found + 1))
    small = ((index % across * INK_TILE // shrink, index // across * INK_TILE // shrink) for index in lost)
    return {(x // TILE * TILE, y // TILE * TILE) for x, y in small}


def _ink(picture: Image.Image) -> bytes:
    """The contrast of each tile, row by row."""
    grey = picture.convert("L").resize(INK_SIZE, Image.Resampling.BOX)
    contrast = ImageChops.difference(grey, grey.filter(ImageFilter.GaussianBlur(INK_RADIUS)))
    spread = contrast.filter(ImageFilter.BoxBlur(INK_RADIUS))
    return spread.resize((INK_SIZE[0] // INK_TILE, INK_SIZE[1] // INK_TILE), Image.Resampling.BOX).tobytes()


def _small(picture: Image.Image) -> Image.Image:
    return picture.convert("RGB").resize(SIZE, Image.Resampling.BOX)


def _difference(taken: Image.Image, recorded: Image.Image) -> Image.Image:
    blur = ImageFilter.GaussianBlur(BLUR)
    return ImageChops.difference(_small(taken).filter(blur), _small(recorded).filter(blur))

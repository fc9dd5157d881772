"""Compare a picture with the one that was recorded, so that fonts and drivers may differ and panels may not.

Large differences and small ones are looked for apart. For large ones both are made small, blurred and cut into tiles; a
tile is as different as its pixels are on average, and may be so a little: a whole panel in another shade is found.

For small ones, such as the cost of a card or a word, every pixel is compared with all that the other picture has around
its place. Another rasteriser moves the edges of letters by a pixel, and then the same colours are near by; what is new
or missing has nothing like it there. What is left of that, on average over a spot of a few pixels, is the difference.
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

SPOT_SIZE = (640, 360)
"""What pictures are made to where spots are compared."""
SPOT_BLUR = 1.5
"""Radius of the blur there: letters may be softer or harder."""
SPOT_NEAR = 3
"""Width and height of what counts as around a pixel: it may lie off by one."""
SPOT_RADIUS = 3
"""Of a spot: seven pixels across, less than half of a card's cost or a status icon."""
SPOT_TOLERANCE = 12.0
"""The largest mean difference of a spot, of 255: one moved by a pixel and softened has 7, a digit painted over 40."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How two pictures differ.

    Attributes:
        area: The mean difference, of 255, of the tile that differs most.
        spot: That of the spot that differs most.
        tiles: Left and top of each tile above a tolerance, or with a spot above one, in a small picture.
    """

    area: float
    spot: float
    tiles: tuple[tuple[int, int], ...]


def compare(taken: Image.Image, recorded: Image.Image) -> Difference:
    """Find where a picture differs from the recorded one by more than the tolerances."""
    areas = _by_tile(_difference(taken, recorded).resize((SIZE[0] // TILE, SIZE[1] // TILE), Image.Resampling.BOX), 1)
    spots = _by_tile(_spots(taken, recorded), SPOT_SIZE[0] // SIZE[0] * TILE)
    tiles = tuple(place for place in areas if areas[place] > TOLERANCE or spots[place] > SPOT_TOLERANCE)
    return Difference(max(areas.values()), max(spots.values()), tiles)


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


def _by_tile(picture: Image.Image, width: int) -> dict[tuple[int, int], float]:
    """The largest value in each tile, in any colour, by its left and top in a small picture."""
    found = {}
    for x in range(0, picture.width, width):
        for y in range(0, picture.height, width):
            extremes = picture.crop((x, y, x + width, y + width)).getextrema()
            found[x // width * TILE, y // width * TILE] = float(max(most for _, most in extremes))
    return found


def _spots(taken: Image.Image, recorded: Image.Image) -> Image.Image:
    """The mean difference of the spot around each pixel, in each colour."""
    blur = ImageFilter.GaussianBlur(SPOT_BLUR)
    one, other = (
        picture.convert("RGB").resize(SPOT_SIZE, Image.Resampling.BOX).filter(blur) for picture in (taken, recorded)
    )
    return ImageChops.lighter(_beyond(one, other), _beyond(other, one)).filter(ImageFilter.BoxBlur(SPOT_RADIUS))


def _beyond(picture: Image.Image, other: Image.Image) -> Image.Image:
    """How far each pixel lies above or below all that the other picture has around its place."""
    above = ImageChops.subtract(picture, other.filter(ImageFilter.MaxFilter(SPOT_NEAR)))
    below = ImageChops.subtract(other.filter(ImageFilter.MinFilter(SPOT_NEAR)), picture)
    return ImageChops.lighter(above, below)


def _small(picture: Image.Image) -> Image.Image:
    return picture.convert("RGB").resize(SIZE, Image.Resampling.BOX)


def _difference(taken: Image.Image, recorded: Image.Image) -> Image.Image:
    blur = ImageFilter.GaussianBlur(BLUR)
    return ImageChops.difference(_small(taken).filter(blur), _small(recorded).filter(blur))

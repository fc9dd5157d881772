"""Shapes that `tools/card_art.py` puts together: places to fill a picture, motifs in a box of 100 by 100 around the origin.

In a motif, `@` stands for its colour and `@dark` for the ink of details.
"""

# A picture or a shape is one line, however long.
# ruff: noqa: E501

from __future__ import annotations

from typing import Final


def _sky(top: str, bottom: str, more: str) -> str:
    """A place: two bands of sky, what is in front of them, nothing outside of the picture."""
    return (
        f'<rect width="264" height="124" fill="{bottom}"/><path d="M0 0h264v44c-60 16-120-12-180 4S30 52 0 48z" fill="{top}"/>'
        f"{more}"
    )


def _water(color: str, light: str) -> str:
    return (
        f'<path d="M0 86c22-10 44-10 66 0s44 10 66 0 44-10 66 0 44 10 66 0v38H0z" fill="{color}"/>'
        f'<path d="M0 104c22-8 44-8 66 0s44 8 66 0 44-8 66 0 44 8 66 0" fill="none" stroke="{light}" stroke-width="3"/>'
    )


def _dots(color: str, places: str) -> str:
    points = (place.split(",") for place in places.split())
    return "".join(f'<circle cx="{x}" cy="{y}" r="2" fill="{color}"/>' for x, y in points)


_PLANKS = "".join(f'<path d="M0 {y}h264" stroke="#3a2618" stroke-width="3"/>' for y in (72, 90, 108))
_RAIN = "".join(
    f'<path d="M{x} {y}l-8 22" stroke="#a9c4da" stroke-width="2.5" opacity="0.7"/>'
    for x, y in ((30, 8), (64, 50), (92, 14), (150, 4), (196, 30), (226, 70), (246, 10), (40, 88), (110, 84), (176, 84))
)
_STARS = _dots("#dfe8ee", "20,18 58,36 96,12 150,22 188,40 226,14 246,50 34,60")

PLACES: Final[dict[str, str]] = {
    "sea": _sky("#24506f", "#3a7491", _water("#1d4a63", "#7fc0d8")),
    "deep": _sky(
        "#1c5a70", "#123c52", '<path d="M60 0l-36 124h54L96 0zM170 0l-10 124h48L200 0z" fill="#2b7a8f" opacity="0.35"/>'
    ),
    "deck": _sky("#8a5a3a", "#6d452b", f'<rect y="58" width="264" height="66" fill="#59371f"/>{_PLANKS}'),
    "dusk": _sky("#6b3550", "#a8524a", _water("#4a2740", "#e08a6a")),
    "dawn": _sky("#c98a5a", "#e6b872", _water("#5a7f8f", "#f2dca8")),
    "night": _sky("#141d3a", "#27305a", _STARS + _water("#131b33", "#4a5a92")),
    "storm": _sky(
        "#2a3242",
        "#46526a",
        '<path d="M0 20c40-20 80 10 130-6s90 12 134-4V0H0z" fill="#1a202c"/>' + _water("#26384a", "#8aa4ba"),
    ),
    "rain": _sky("#3a4a5c", "#566a7e", _RAIN),
    "fog": _sky("#7d8c98", "#98a6b0", '<path d="M0 84h264v40H0z" fill="#6a7986"/>'),
    "ember": _sky("#4a1f1a", "#7a3320", _dots("#ffb45a", "24,20 60,96 88,30 170,18 214,92 240,40 40,70 232,16")),
    "forge": _sky(
        "#4d4038",
        "#6b5544",
        '<path d="M0 96h264v28H0z" fill="#3a2f28"/><path d="M20 0v124M244 0v124" stroke="#3a2f28" stroke-width="10"/>',
    ),
    "murk": _sky("#2c3a33", "#43544a", _water("#26322c", "#7d9a6a")),
    "beach": _sky("#5f9bb0", "#8fc0c8", '<path d="M0 78c60-14 140 10 264-6v52H0z" fill="#d8b981"/>'),
    "bloodsea": _sky("#3a1522", "#5c1f2c", _water("#8a2430", "#e8604c")),
}

MOTIFS: Final[dict[str, str]] = {
    "bubbles": '<g fill="none" stroke="@" stroke-width="6"><circle cx="-20" cy="26" r="16"/><circle cx="22" cy="2" r="22"/><circle cx="-14" cy="-30" r="11"/></g>',
    "burst": '<path d="M0-50L11-16 40-38 22-8 50 0 22 10 40 38 11 17 0 50-11 17-40 38-22 10-50 0-22-8-40-38-11-16z" fill="@"/>',
    "crate": '<path d="M-44-40h88v80h-88z" fill="@"/><path d="M-44-40h88v80h-88zM-44-14h88M-44 14h88M-40-40l80 80" fill="none" stroke="@dark" stroke-width="7"/>',
    "plank": '<path d="M-50-14l92-4 8 10-6 8 6 12-96 4-4-14z" fill="@"/><path d="M-40 0h60M-10 8h44" stroke="@dark" stroke-width="3"/>',
    "bucket": '<path d="M-36-24h72l-12 66h-48z" fill="@"/><path d="M-34-24a34 34 0 0 1 68 0M-32-4h64M-26 22h52" fill="none" stroke="@dark" stroke-width="6"/>',
    "splash": '<path d="M-50 40c2-30 12-34 18-14 2-34 12-44 18-10 2-44 18-60 22-6 8-26 18-18 18 6 8-18 20-8 24 24z" fill="@"/>',
    "scroll": '<path d="M-34-46h60c12 0 12 18 0 18v60c0 14 8 14 8 14h-60c-10 0-12-16 0-16z" fill="@"/>',
    "bigwave": '<path d="M-50 44c0-60 36-92 72-78 22 8 28 30 18 40-4-16-22-20-30-6-10 20 10 44 40 44z" fill="@"/><path d="M-34 40c0-40 22-66 48-62" fill="none" stroke="#f1f5f8" stroke-width="6"/>',
    "flipwave": '<g transform="scale(-1 1)"><path d="M-50 44c0-60 36-92 72-78 22 8 28 30 18 40-4-16-22-20-30-6-10 20 10 44 40 44z" fill="@"/><path d="M-34 40c0-40 22-66 48-62" fill="none" stroke="#f1f5f8" stroke-width="6"/></g>',
    "wall": '<path d="M-50-20h100v60h-100z" fill="@"/><path d="M-50 0h100M-50 20h100M-20-20v20M20-20v20M-36 0v20M0 0v20M36 0v20M-20 20v20M20 20v20" stroke="@dark" stroke-width="4"/>',
    "ship": '<path d="M-48 10h96l-16 30h-64z" fill="@"/><path d="M-4 8v-54M-4-44l36 14-36 14M-4-40l-34 36h34" fill="@" stroke="@" stroke-width="5"/>',
    "hull": '<path d="M-50-30h100c-4 40-26 70-50 70s-46-30-50-70z" fill="@"/><path d="M-46-8h92M-36 14h72" stroke="@dark" stroke-width="4"/>',
    "bow": '<path d="M-50-20l74 6c20 2 26-10 26-10-2 50-40 66-70 66h-30z" fill="@"/><path d="M-46 4h70M-46 22h50" stroke="@dark" stroke-width="4"/>',
    "ball": '<circle r="48" fill="@"/><path d="M-26-16a30 30 0 0 1 22-18" fill="none" stroke="#f1f5f8" stroke-width="9" stroke-linecap="round"/>',
    "cloud": '<path d="M-46 22a18 18 0 0 1 8-34 26 26 0 0 1 48-10 20 20 0 0 1 28 14 16 16 0 0 1 4 30z" fill="@"/>',
    "swirl": '<path d="M44 0a44 44 0 1 1-44-44M30 8a30 30 0 1 1-26-36M16 8a16 16 0 1 1-12-22" fill="none" stroke="@" stroke-width="9" stroke-linecap="round"/>',
    "ice": '<path d="M0-48v96M-42-24l84 48M-42 24l84-48M-12-40L0-28l12-12M-12 40L0 28l12 12" fill="none" stroke="@" stroke-width="9" stroke-linecap="round"/>',
    "telescope": '<path d="M-50-10h34v20h-34zM-16-14h32v28h-32zM16-20h34v40H16z" fill="@"/><path d="M-16-14v28M16-20v40M42-20v40" stroke="@dark" stroke-width="5"/>',
    "fish": '<path d="M-30 0c16-30 50-30 70-2-20 30-54 32-70 2l-20-22c6 14 6 30 0 44z" fill="@"/><circle cx="22" cy="-5" r="5" fill="@dark"/>',
    "coil": '<path d="M-30 46v-92M30 46v-92" stroke="@dark" stroke-width="8"/><path d="M-38-34l76 14M-38-14L38 0M-38 6l76 14M-38 26l76 14" stroke="@" stroke-width="9" stroke-linecap="round"/>',
    "horn": '<path d="M-46 16c30 4 50-10 66-50l28 34c-20 36-56 44-94 36z" fill="@"/><path d="M20-34l28 34" stroke="@dark" stroke-width="7"/>',
    "rings": '<g fill="none" stroke="@" stroke-width="7" stroke-linecap="round"><path d="M-30-18a26 26 0 0 1 0 36M-10-32a46 46 0 0 1 0 64M12-44a62 62 0 0 1 0 88M-46-6a10 10 0 0 1 0 12"/></g>',
    "ring": '<circle r="44" fill="none" stroke="@" stroke-width="8"/><circle r="34" fill="none" stroke="@" stroke-width="3"/>',
    "stone": '<path d="M-44 12l14-40 40-14 36 30-8 36-44 16z" fill="@"/><path d="M-30-28l22 26 44-8M-8-2l-6 36" fill="none" stroke="@dark" stroke-width="4"/>',
    "barrel": '<path d="M-30-46h60c16 30 16 62 0 92h-60c-16-30-16-62 0-92z" fill="@"/><path d="M-38-22h76M-42 0h84M-38 22h76" stroke="@dark" stroke-width="6"/>',
    "float": '<circle r="44" fill="@" opacity="0.8"/><path d="M-44 0h88M0-44v88M-34-28c20 14 48 14 68 0M-34 28c20-14 48-14 68 0" fill="none" stroke="#efe3c8" stroke-width="4"/><path d="M-22-26l12-8" stroke="#fff" stroke-width="6"/>',
    "cannon": '<path d="M-46-14l82-8 10 10v20l-10 8-82-6z" fill="@"/><circle cx="-14" cy="26" r="20" fill="@dark"/><circle cx="-14" cy="26" r="8" fill="@"/>',
    "mug": '<path d="M-36-30h56v72h-56z" fill="@"/><path d="M20-14h20v38H20M-36-12h56M-36 22h56" fill="none" stroke="@dark" stroke-width="7"/><path d="M-42-28c0-18 24-16 26-8 8-12 44-10 42 8z" fill="#f1f5f8"/>',
    "sail": '<path d="M-6-48c50 20 54 60 50 82H-6z" fill="@"/><path d="M-12-44c-24 30-32 54-34 78h34z" fill="@" opacity="0.75"/><path d="M-10-50v98M-46 42h94" stroke="#59371f" stroke-width="7"/>',
    "arc": '<path d="M-44 30a54 54 0 0 1 84-44" fill="none" stroke="@" stroke-width="10" stroke-linecap="round"/><path d="M26-30l26 8-20 20z" fill="@"/>',
    "spear": '<path d="M-50 34l84-64" stroke="#a9703f" stroke-width="7"/><path d="M50-42l-10 34-8-8-8-8zM30-12l-16 2 4-18" fill="@"/>',
    "kettle": '<path d="M-36-12h62c10 24 4 50-6 52h-50c-10-2-16-28-6-52zM26 0l22-20 4 6-20 34z" fill="@"/><path d="M-28-14a24 24 0 0 1 46 0M-5-36v-6" fill="none" stroke="@" stroke-width="8"/>',
    "steam": '<path d="M-40 40c-6-20 16-24 4-44s10-30 22-40M0 44c-6-20 18-26 6-46S18-34 28-46M30 40c-2-14 12-16 6-32" fill="none" stroke="@" stroke-width="9" stroke-linecap="round"/>',
    "die": '<rect x="-40" y="-40" width="80" height="80" rx="14" fill="@"/><g fill="@dark"><circle cx="-18" cy="-18" r="8"/><circle cx="18" cy="-18" r="8"/><circle r="8"/><circle cx="-18" cy="18" r="8"/><circle cx="18" cy="18" r="8"/></g>',
    "boot": '<path d="M-24-46h34v52c16 2 36 8 36 26v10h-70z" fill="@"/><path d="M-24 42h70M-24-28h34" stroke="@dark" stroke-width="7"/>',
    "rod": '<path d="M0-48v86M-24 46h48M-12 38h24" stroke="@" stroke-width="8"/><circle cy="-40" r="9" fill="@"/>',
    "mast": '<path d="M0-50v100M-40-8h80" stroke="@" stroke-width="8"/><path d="M-22-8h44l-8 24h-28z" fill="@"/><path d="M4-48l36 10-36 10z" fill="#e8604c"/>',
    "sun": '<circle r="26" fill="@"/><path d="M0-48v12M0 36v12M-48 0h12M36 0h12M-34-34l9 9M25 25l9 9M-34 34l9-9M25-25l9-9" stroke="@" stroke-width="7"/>',
    "moon": '<path d="M16-46a46 46 0 1 0 30 62A38 38 0 0 1 16-46z" fill="@"/>',
    "battery": '<path d="M-30-36h60v82h-60zM-12-48h24v12h-24z" fill="@"/><path d="M-30-10h60M-30 20h60" stroke="@dark" stroke-width="6"/>',
    "oyster": '<path d="M-50 0c10 46 90 46 100 0zM-46-8c10-44 82-44 92 0-26-16-66-16-92 0z" fill="@"/><path d="M-20 32l4-28M0 36V6M20 32L16 4" stroke="@dark" stroke-width="3"/>',
    "pearl": '<circle r="40" fill="@"/><circle cx="-12" cy="-14" r="11" fill="#fff"/><path d="M-14 28a32 32 0 0 0 40-28" fill="none" stroke="#b3c2d0" stroke-width="7"/>',
    "reel": '<circle r="34" fill="@"/><circle r="14" fill="@dark"/><path d="M0-34v68M-34 0h68" stroke="@dark" stroke-width="5"/><path d="M30 18l18 24" stroke="@" stroke-width="9"/>',
    "gun": '<path d="M-40-22h86v22h-50l-8 16h-14l-8 30h-22l10-36z" fill="@"/><path d="M-20-22v22M10-22v22" stroke="@dark" stroke-width="5"/>',
    "rivet": '<path d="M-46-14h60v28h-60z" fill="@"/><path d="M14-34h18c14 16 14 52 0 68H14z" fill="@"/>',
    "brush": '<path d="M-46-26h92v24h-92z" fill="@"/><path d="M-40-2v32M-26-2v32M-12-2v32M2-2v32M16-2v32M30-2v32M42-2v30" stroke="#efe3c8" stroke-width="8"/>',
    "flare": '<path d="M0 50C-6 10 6-6 0-20" fill="none" stroke="#efe3c8" stroke-width="6"/><path d="M0-50l6 18 18-8-10 18 20 8-22 4 6 20L0-4l-18 14 6-20-22-4 20-8-10-18 18 8z" fill="@"/>',
    "urchin": '<path d="M0-50l8 28 24-20-8 28 26 6-24 12 16 26-28-8-14 28-10-28-28 10 14-26-26-12 28-8-10-28 24 18z" fill="@"/><circle r="22" fill="@"/>',
    "gland": '<path d="M0-46c30 40 36 50 26 72-10 20-42 20-52 0-10-22-4-32 26-72z" fill="@"/><circle cx="-6" cy="16" r="10" fill="#f1f5f8" opacity="0.7"/><path d="M0-46v-4" stroke="@" stroke-width="8"/>',
    "pipe": '<path d="M-50 20h60v-40h40V6H36v42h-86z" fill="@"/><path d="M-30 20v28M10-20h26M36-20V6" stroke="@dark" stroke-width="6"/>',
    "window": '<path d="M-30 48v-62a30 34 0 0 1 60 0v62z" fill="@"/><path d="M0-46v94M-30 4h60M-30-18h60" stroke="@dark" stroke-width="5"/>',
    "vane": '<path d="M0-20v68M-24 48h48M-46 0h92M46 0l-14-10v20zM-46-8v16" stroke="@" stroke-width="7" fill="@"/><path d="M-4-22c10-8 8-20 20-22l10 8-10 2c4 20-10 24-24 22l-16-14z" fill="@"/>',
    "well": '<path d="M-40 0h80v46h-80z" fill="@"/><path d="M-46-4h92M-40 20h80M-14 0v20M16 20v26M-20 20v26" stroke="@dark" stroke-width="6"/>',
    "scales": '<path d="M0-46v88M-22 46h44M-44-30h88" stroke="@" stroke-width="7"/><path d="M-62 12a18 14 0 0 0 36 0zM26 12a18 14 0 0 0 36 0z" fill="@"/><path d="M-44-30l-16 42M-44-30l16 42M44-30L28 12M44-30l16 42" stroke="@" stroke-width="3"/>',
}

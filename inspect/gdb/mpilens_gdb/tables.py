# SPDX-License-Identifier: BSD-3-Clause
"""Text tables. Columns that are empty in every row are left out."""


def render(columns, rows):
    """`columns`: names, with a leading > where numbers are aligned to the right. `rows`: lists of anything; None is empty."""
    cells = [["" if value is None else str(value) for value in row] for row in rows]
    kept = [place for place in range(len(columns)) if any(row[place] for row in cells)]
    names = [columns[place].lstrip(">") for place in kept]
    lines = [names, *([row[place] for place in kept] for row in cells)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(kept))]
    right = [columns[place].startswith(">") for place in kept]
    return [
        "  ".join(
            cell.rjust(width) if is_right else cell.ljust(width) for cell, width, is_right in zip(line, widths, right)
        ).rstrip()
        for line in lines
    ]


def rank(local, world):
    """ "any", "0", "0 (world 4)"."""
    if local < 0:
        return "any"
    return f"{local}" if world in (local, -1) else f"{local} (world {world})"

"""Tables and text as a notebook shows them. All that comes from a log is data: it cannot become markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_LEFT = "text-align:left"
_RIGHT = "text-align:right;font-variant-numeric:tabular-nums"


def table(header: Sequence[str], blocks: Iterable[tuple[str, Sequence[Sequence[str]]]], left: int) -> str:
    """The first `left` columns are texts, the others numbers. Blocks have a title each, "": none."""

    def row(cells: Sequence[str], tag: str) -> str:
        inner = "".join(
            f'<{tag} style="{_LEFT if at < left else _RIGHT}">{escape(cell)}</{tag}>' for at, cell in enumerate(cells)
        )
        return f"<tr>{inner}</tr>"

    body = []
    for title, rows in blocks:
        if title:
            body.append(f'<tr><th colspan="{len(header)}" style="{_LEFT}">{escape(title)}</th></tr>')
        body.append(row(header, "th"))
        body.extend(row(cells, "td") for cells in rows)
    return f"<table>{''.join(body)}</table>"


def lines(text: str, strong: bool = False) -> str:
    """A paragraph for each line that is not empty."""
    found = [escape(line) for line in text.splitlines() if line.strip()]
    return "".join(f"<p><b>{line}</b></p>" if strong else f"<p>{line}</p>" for line in found)


def preformatted(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"

"""The HTML page of a report: sections of plots and tables, with all styles and scripts inside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Final

from clew.errors import ConfigError
from clew.lab.report import costs, curves, grids, standings, tables, wording
from clew.lab.report.cases import Case, cases
from clew.lab.report.drawing import HALF, Palette, Plot

if TYPE_CHECKING:
    from clew.lab.comparison import Comparison

Draw = Callable[[Case, Palette], Plot | list[Plot] | None]
SECTIONS: Final[dict[str, Sequence[Draw]]] = {
    "Ranking": (standings.standings, standings.gaps),
    "Progress of the crawls": (curves.found, curves.harvest),
    "World by world": (curves.worlds,),
    "Topic by topic": (grids.topics,),
    "What was found": (costs.distances, grids.overlap),
    "CPU time": (costs.cpu, costs.time),
}
DATA: Final = ("trials.csv", "trials.parquet")


def write(comparison: Comparison, folder: Path, title: str = "", text: str = "") -> Path:
    """Write report.html and plots/*.png into a folder; return the path of the page."""
    if not comparison.results:
        raise ConfigError("there are no crawls to report on; the failures and notes of the run say why")
    # One palette for the whole page: a strategy has the same colour under every condition.
    palette = Palette(tuple(rank.strategy for rank in comparison.ranking()))
    conditions = cases(comparison)
    page = Template(_resource("page.html")).substitute(
        style=_resource("page.css"),
        script=_resource("page.js"),
        title=escape(title or "Comparison of crawling strategies"),
        text=f"<p>{escape(text)}</p>" if text else "",
        verdict="".join(map(_verdict, conditions)),
        setup=escape(wording.setup(comparison.results)),
        colours=escape(wording.colours(palette)),
        missing=_missing(comparison),
        sections="\n".join(_section(name, draws, conditions, palette, folder) for name, draws in SECTIONS.items()),
        strategies=tables.strategies(conditions),
        topics=tables.topics(conditions),
        data=_data(folder),
        guide="".join(f"<dt>{escape(term)}<dd>{escape(meaning)}" for term, meaning in wording.GUIDE.items()),
    )
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "report.html"
    file.write_text(page, encoding="utf-8")
    return file


def _verdict(case: Case) -> str:
    where = f"<small>{escape(case.name)}</small><br>" if case.name else ""
    return f'<p class="verdict">{where}{escape(wording.verdict(case))}</p>'


def _missing(comparison: Comparison) -> str:
    """A list of what is missing: tasks that were left out, and crawls that failed."""
    lines = list(comparison.notes)
    for failure in comparison.failures:
        trial = failure.trial
        lines.append(f"{trial.strategy} on {trial.topic} of {trial.world}: {failure.error}")
    if not lines:
        return ""
    items = "".join(f"<li>{escape(line)}" for line in lines)
    return (
        f"<details><summary>{wording.count(len(lines), 'note')} on missing results</summary><ul>{items}</ul></details>"
    )


def _section(name: str, draws: Sequence[Draw], conditions: Sequence[Case], palette: Palette, folder: Path) -> str:
    blocks = []
    for case in conditions:
        plots: list[Plot] = []
        for draw in draws:
            plots += _several(draw(case, palette))
        if plots:
            head = f"<h3>{escape(case.name)}</h3>" if case.name else ""
            figures = "".join(_figure(plot, folder) for plot in plots)
            blocks.append(f'{head}<div class="plots">{figures}</div>')
    return f"<section><h2>{escape(name)}</h2>{''.join(blocks)}</section>" if blocks else ""


def _several(drawn: Plot | list[Plot] | None) -> Iterable[Plot]:
    if drawn is None:
        return ()
    return drawn if isinstance(drawn, list) else (drawn,)


def _figure(plot: Plot, folder: Path) -> str:
    kind = ' class="full"' if plot.figure.get_figwidth() > HALF else ""
    # The SVG comes first: drawing it fixes the layout, which the PNG uses again.
    drawing = plot.svg()
    image = plot.png(folder / "plots").relative_to(folder).as_posix()
    return (
        f'<figure{kind}><h4>{escape(plot.title)}</h4><div class="plot">{drawing}</div>'
        f'<figcaption>{escape(plot.note)} <a href="{image}">PNG</a></figcaption></figure>'
    )


def _data(folder: Path) -> str:
    """The names of the tables; links if the files are beside the report."""
    written = [name for name in DATA if (folder / name).exists()]
    links = [f'<a href="{name}">{name}</a>' for name in written]
    return wording.listed(links or DATA)


def _resource(name: str) -> str:
    return (files("clew.lab.report") / name).read_text(encoding="utf-8")

"""The hosts, pages and links of a labyrinth of activities and regions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from clew.labyrinth.region_words import ACTIVITIES, PARENTS, REGIONS, leaves_below, upwards

SPECIAL_REGIONS: Final = 8  # regions that have a speciality
SPECIAL_SHARE: Final = 0.02  # of all pages, which are on one speciality
ISLAND_SHARE: Final = 0.6  # of the pages on a speciality, which lie on islands
ISLANDS: Final = 6  # for each speciality
WAYS: Final = 2  # gaps that lead to an island
GAP_PAGES: Final = (3, 6)  # the shortest and the longest gap
DOORS: Final = 4  # pages that link to the first page of a gap, and island pages that its last page links to
NOISE_SHARE: Final = 0.1  # of all pages
SECOND_TOPIC: Final = 0.2  # of the pages, which have another activity or another region as well
LOCALITY: Final = 0.5  # of the links in texts, which stay near the topics of their page
# What the other pages are about, by the kind of their host; shares of what is left.
MAINLAND: Final = {"portal": 0.3, "town": 0.3, "magazine": 0.2, "sundry": 0.2}
MIN_PAGES: Final = 2000


class Spot(NamedTuple):
    """What a page is: its place, its kind and its topics."""

    host: int
    kind: str  # home, content, gap, island, noise
    activities: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()


@dataclass(slots=True)
class Host:
    """A host: its pages follow each other."""

    name: str
    start: int
    size: int = 0
    names_topics: bool = False  # whether its URLs name the topics of its pages


class Cell(NamedTuple):
    """An activity in a region: what narrow interests ask for."""

    activity: str
    region: str

    def wider(self) -> list[Cell]:
        """All more general cells.

        >>> Cell("sailing", "Ruegen").wider()[-1]
        Cell(activity='tourism', region='Mecklenburg-Vorpommern')
        """
        cells = [Cell(activity, region) for activity in upwards(self.activity) for region in upwards(self.region)]
        return cells[1:]


class Plan:
    """All pages and links, made from a seed.

    Some regions have a speciality, an activity with many pages there. Some of these lie on the mainland, the others on
    islands: hosts that are reached only through gaps, chains of pages on a more general topic. Every generalisation of
    a speciality has as many gaps as any other; islands link only to themselves.
    """

    def __init__(self, pages: int, seed: int) -> None:
        self.pages = pages
        self.chance = Random(f"regions {seed}")
        self.spots: list[Spot] = []
        self.hosts: list[Host] = []
        self.gaps: list[tuple[range, range, Cell]] = []  # pages, island, and the topic that the pages share
        self.specialities = self._specialities()
        self._lay_out()
        self.pools = self._pools()
        self.noise = [number for number, spot in enumerate(self.spots) if spot.kind == "noise"]
        self.links = [list(self._links(number)) for number in range(len(self.spots))]
        self._connect_gaps()

    def _specialities(self) -> list[Cell]:
        """Activities of tourism in some regions; sailing belongs to Rügen."""
        activities = [activity for activity in leaves_below("tourism") if activity != "sailing"]
        others = self.chance.sample(activities, SPECIAL_REGIONS - 1)
        regions = REGIONS[:: len(REGIONS) // SPECIAL_REGIONS]
        return [Cell(*pair) for pair in zip(["sailing", *others], regions, strict=True)]

    def _lay_out(self) -> None:
        special = max(8, round(SPECIAL_SHARE * self.pages))
        for cell in self.specialities:
            self._add_host(cell.activity, [self._on(cell)] * round((1 - ISLAND_SHARE) * special))
        for cell in self.specialities:
            for _ in range(ISLANDS):
                self._add_island(cell, round(ISLAND_SHARE * special / ISLANDS))
        left = self.pages - len(self.spots)
        noise = round(NOISE_SHARE * self.pages)
        for kind, share in MAINLAND.items():
            self._add_mainland(kind, round(share * (left - noise)))
        # What rounding left over is noise, too.
        while len(self.spots) < self.pages:
            size = min(40, self.pages - len(self.spots))
            self._add_host("offer", [Spot(0, "noise")] * (size - 1))

    def _add_island(self, cell: Cell, size: int) -> None:
        island = self._add_host(cell.activity, [self._on(cell, "island")] * max(3, size))
        for _ in range(WAYS):
            generalisations = cell.wider()
            wide = generalisations[len(self.gaps) % len(generalisations)]
            spots = [self._beside(cell, wide) for _ in range(self.chance.randint(*GAP_PAGES))]
            between = self._add_host(wide.region, spots)
            self.gaps.append((self._inner(between), self._inner(island), wide))

    def _inner(self, host: Host) -> range:
        return range(host.start + 1, host.start + host.size)

    def _add_mainland(self, kind: str, pages: int) -> None:
        scopes = {
            "portal": [("tourism", PARENTS[region]) for region in REGIONS[::2]],
            "town": [("", region) for region in REGIONS],
            "magazine": [(PARENTS[activity], "") for activity in ACTIVITIES[::3]],
            "sundry": [("", "")] * 12,
        }[kind]
        for i, (activity, region) in enumerate(scopes):
            size = pages * (i + 1) // len(scopes) - pages * i // len(scopes)
            spots = [self._drawn(kind, activity, region) for _ in range(max(2, size - 1))]
            self._add_host(region or activity or "archive", spots)

    def _add_host(self, word: str, spots: list[Spot]) -> Host:
        name = f"{word.lower().replace(' ', '-')}{len(self.hosts)}.labyrinth"
        named = self.chance.random() < 0.3
        host = Host(name if named else f"site{len(self.hosts)}.labyrinth", len(self.spots), len(spots) + 1, named)
        number = len(self.hosts)
        self.hosts.append(host)
        # Only what is left for noise can be a single page.
        kind = "noise" if not spots or spots[0].kind == "noise" else "home"
        self.spots += [Spot(number, kind), *(spot._replace(host=number) for spot in spots)]
        return host

    def _on(self, cell: Cell, kind: str = "content") -> Spot:
        return Spot(0, kind, (cell.activity,), (cell.region,))

    def _beside(self, cell: Cell, wide: Cell) -> Spot:
        """A page inside the wider topic that is not on the narrow one."""
        while True:
            activity = self.chance.choice(leaves_below(wide.activity))
            region = self.chance.choice(leaves_below(wide.region))
            if (activity, region) != cell:
                return Spot(0, "gap", (activity,), (region,))

    def _drawn(self, kind: str, activity: str, region: str) -> Spot:
        """A page of a host with this scope; towns have pages without an activity, magazines without a region."""
        random = self.chance.random
        activities = [self.chance.choice(leaves_below(activity))] if kind != "town" or random() < 0.7 else []
        regions = [self.chance.choice(leaves_below(region) if region else REGIONS)]
        if kind in ("magazine", "sundry") and random() < 0.5:
            regions = []
        if random() < SECOND_TOPIC:
            if random() < 0.5:
                activities.append(self.chance.choice(leaves_below(activity)))
            elif regions:
                regions.append(self.chance.choice(leaves_below(PARENTS[regions[0]])))
        return Spot(0, "content", tuple(dict.fromkeys(activities)), tuple(dict.fromkeys(regions)))

    def _pools(self) -> dict[tuple[str, str], list[int]]:
        """The pages of the mainland by activity and region, under all more general topics as well."""
        pools: dict[tuple[str, str], list[int]] = {("", ""): []}
        for number, spot in enumerate(self.spots):
            if spot.kind == "content":
                for key in _keys(spot):
                    pools.setdefault(key, []).append(number)
        return pools

    def _draw(self, activity: str, region: str) -> int:
        """A page of the mainland on these topics, or on anything if there is none."""
        return self.chance.choice(self.pools.get((activity, region)) or self.pools["", ""])

    def _links(self, number: int) -> Iterator[int]:
        """The links of a page: to its home page and its neighbours, and those in its text."""
        spot = self.spots[number]
        host = self.hosts[spot.host]
        inside = range(host.start, host.start + host.size)
        yield from (near for near in (host.start, number - 1, number + 1) if near in inside and near != number)
        if spot.kind == "gap":
            yield from (self._near(spot) for _ in range(8))
            return
        count = 12 + int(8 * self.chance.random())
        for _ in range(count):
            yield self._target(spot, host)

    def _target(self, spot: Spot, host: Host) -> int:
        where = self.chance.random()
        if spot.kind == "noise":
            return self.chance.choice(self.noise)
        if spot.kind == "island":
            return self.chance.choice(self._inner(host))
        if spot.kind == "home":
            # The home page of an island or a gap must not lead to the mainland, nor into the middle of the gap.
            return host.start + 1 if self._is_apart(host) else self.chance.choice(self._inner(host))
        if where < LOCALITY:
            return self._near(spot)
        if where < LOCALITY + 0.2:
            return self.chance.choice(self._inner(host))
        return self._draw("", "") if where < 0.92 else self.chance.choice(self.noise)

    def _is_apart(self, host: Host) -> bool:
        return self.spots[host.start + 1].kind in ("island", "gap")

    def _near(self, spot: Spot) -> int:
        """A page near the topics of another: on the same, on a related activity, elsewhere in the region, …"""
        activity = self.chance.choice(spot.activities or ("",))
        region = self.chance.choice(spot.regions or ("",))
        where = self.chance.random()
        if where < 0.2:
            return self._draw(activity, region)
        if where < 0.4:
            return self._draw(PARENTS.get(activity, ""), region)
        if where < 0.6:
            return self._draw([*upwards(activity), ""][-2 if activity else -1], PARENTS.get(region, ""))
        return self._draw("", region) if where < 0.8 else self._draw(activity, "")

    def _connect_gaps(self) -> None:
        """Link pages on the topic of a gap to its first page, and its last page to the island."""
        for pages, island, wide in self.gaps:
            for _ in range(DOORS):
                self.links[self._draw(*wide)].append(pages[0])
            self.links[pages[-1]] += self.chance.sample(island, min(DOORS, len(island)))


def _keys(spot: Spot) -> list[tuple[str, str]]:
    """All pairs of an activity and a region that a page is on; "" stands for any."""
    activities = {above: None for activity in spot.activities for above in upwards(activity)}
    regions = {above: None for region in spot.regions for above in upwards(region)}
    return [(activity, region) for activity in (*activities, "") for region in (*regions, "")]

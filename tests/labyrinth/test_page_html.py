from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from statistics import median
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from clew.labyrinth import Labyrinth
from clew.labyrinth.wordlists import LEAVES, WORDS

Words = Callable[[int], list[str]]


def hrefs(web: Labyrinth, number: int) -> list[tuple[str, str]]:
    """The links of a document: absolute URL and anchor."""
    text = web.page(web.url(number)).body.decode(web.graph.spot(number).site.charset)
    links = LexborHTMLParser(text).css("a[href]")
    return [(urljoin(web.url(number), a.attributes["href"] or ""), a.text()) for a in links]


def arrive(web: Labyrinth, url: str) -> int | None:
    """The page at the end of the redirects."""
    for _ in range(4):
        answer = web.page(url)
        if answer.status not in (301, 302):
            return web.number(url)
        url = urljoin(url, dict(answer.headers)["Location"])
    return None


def test_sizes_and_links_are_like_the_webs(web: Labyrinth):
    some = range(0, web.pages, 4)
    sizes = sorted(len(web.page(web.url(n)).body) for n in some)
    links = [len(hrefs(web, n)) for n in some]
    assert 20_000 < median(sizes) < 45_000
    assert 1_500 < sizes[0] < 10_000
    assert 100_000 < sizes[-1] < 600_000
    assert 35 < median(links) < 70


def test_the_document_has_the_links_of_the_graph(web: Labyrinth):
    for number in range(0, web.pages, 97):
        found = {arrive(web, url) for url, _ in hrefs(web, number) if not web.forbidden(url)}
        assert found - {None, number} == set(web.links(number))


def test_words_tell_the_topic_of_content(web: Labyrinth, words_of: Words):
    topics = {leaf: set(WORDS[leaf]) for leaf in LEAVES}
    right = 0
    content = [n for n in range(0, web.pages, 5) if web.truth(n).kind == "content"]
    for number in content:
        words = words_of(number)
        counts = {leaf: sum(word in own for word in words) for leaf, own in topics.items()}
        best = max(counts, key=counts.__getitem__)
        right += best == web.truth(number).topic
        assert 0.008 < counts[web.truth(number).topic] / len(words) < 0.13
        assert web.truth(number).topic.rpartition("/")[2] in words
    assert right > 0.98 * len(content)


def test_hubs_homes_and_tunnels_are_irrelevant_by_their_words(web: Labyrinth, words_of: Words):
    vocabulary = [set(WORDS[leaf]) for leaf in LEAVES]
    shares = []
    for number in range(0, web.pages, 2):
        if web.truth(number).kind in ("hub", "home", "tunnel"):
            words = words_of(number)
            shares.append(max(sum(word in own for word in words) for own in vocabulary) / len(words))
    shares.sort()
    assert shares[int(0.95 * len(shares))] < 0.013


def test_anchors_keep_their_shares():
    web = Labyrinth(pages=600, anchors_informative=0.3, anchors_empty=0.4, anchors_misleading=0)
    content = [n for n in range(web.pages) if web.truth(n).kind == "content"][::4]
    loose = [(url, text) for n in content for url, text in hrefs(web, n)[6:-20]]
    assert abs(sum(not text for _, text in loose) / len(loose) - 0.4) < 0.05
    telling = sum(bool(set(text.lower().split()) & {w for leaf in LEAVES for w in WORDS[leaf]}) for _, text in loose)
    assert 0.15 < telling / len(loose) < 0.35


def test_misleading_anchors_name_the_topic_of_their_source():
    web = Labyrinth(pages=600, anchors_informative=0, anchors_empty=0, anchors_misleading=1, locality=0)
    number = next(n for n in web.pages_on("sailing"))
    anchors = [text.lower() for _, text in hrefs(web, number)[8:-20]]
    own = set(web.keywords("sailing"))
    assert sum(any(word in text for word in own) for text in anchors) > 0.8 * len(anchors)


def test_links_come_in_all_forms(web: Labyrinth):
    urls = [url for n in range(0, web.pages, 41) for url, _ in hrefs(web, n)]
    statuses = Counter(web.page(url).status for url in urls)
    assert {200, 301, 302, 404, 410} == set(statuses)
    assert 0.005 < (statuses[404] + statuses[410]) / len(urls) < 0.03
    assert 0.005 < (statuses[301] + statuses[302]) / len(urls) < 0.04
    assert any(map(web.forbidden, urls))


def test_charsets_are_declared_and_a_few_lie(web: Labyrinth):
    seen: Counter[tuple[str, bool]] = Counter()
    for number in range(web.pages):
        site = web.graph.spot(number).site
        if site.charset == "utf-8":
            continue
        answer = web.page(web.url(number))
        text = answer.body.decode(site.charset)
        declared = dict(answer.headers)["Content-Type"] if site.in_header else text[:200]
        assert ("charset=" in dict(answer.headers)["Content-Type"]) == site.in_header
        seen[site.charset, site.charset in declared] += 1
    honest = sum(count for (_, right), count in seen.items() if right)
    assert {name for name, _ in seen} == {"iso-8859-1", "windows-1252", "utf-16"}
    assert 0.9 < honest / seen.total() < 1

"""How many names a domain may have."""

from __future__ import annotations

from clew.filters.subdomains import MAX_SUBDOMAINS, RELEVANT_PAGES_PER_NAME, Subdomains


def admitted(names: Subdomains, start: int = 0, count: int = 2 * MAX_SUBDOMAINS) -> list[str]:
    urls = [f"http://n{number}.a.example/" for number in range(start, start + count)]
    return [url for url in urls if not names.refuse(url)]


def test_a_name_that_was_let_in_stays_so_and_other_domains_are_free():
    names = Subdomains()
    known = admitted(names)
    assert len(known) == MAX_SUBDOMAINS
    assert admitted(names) == known
    assert not names.refuse("http://n99.b.example/")


def test_only_what_follows_the_first_page_of_a_name_brings_more_of_them():
    names = Subdomains()
    for url in admitted(names):
        names.visit(url, relevant=True)
    assert not admitted(names, start=1000)
    for number in range(3 * RELEVANT_PAGES_PER_NAME):
        names.visit(f"http://n1.a.example/{number}", relevant=True)
    assert len(admitted(names, start=1000)) == 3

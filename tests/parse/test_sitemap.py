from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.parse import sitemap
from clew.parse.sitemap import listed, listing, unpacked

URL = "http://a.example/map.xml"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def urls(body):
    return [link.url for link in listed(body, URL).links]


def test_a_sitemap_with_pictures_news_and_other_languages():
    body = f"""<?xml version="1.0"?><!-- <loc>/no</loc> --><urlset xmlns="{NAMESPACE}" xmlns:image="x">
      <url><loc>/a?x=1&amp;y=2</loc><lastmod>2026-01-02</lastmod><image:image><image:loc>/p.png</image:loc></image:image>
      <news:news><news:title>Title</news:title></news:news><xhtml:link rel="alternate" href="/de"/></url>
      <url><loc><![CDATA[ http://a.example/b[]=&c ]]></loc></url><url><loc>mailto:x</loc></url>
      <url><loc>/a?x=1&amp;y=2</loc></url></urlset>""".encode()
    assert urls(body) == ["http://a.example/a?x=1&y=2", "http://a.example/b[]=&c"]
    assert listing(body).entries[0].changed == "2026-01-02"
    assert {link.kind for link in listed(body, URL).links} == {"sitemap"}


def test_a_prefix_of_its_own():
    body = b"<s:urlset xmlns:s='x'><s:url><s:loc>/a</s:loc><loc>/b</loc></s:url></s:urlset>"
    assert urls(body) == ["http://a.example/a"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_an_index_also_packed(pack):
    body = pack(b"<sitemapindex><sitemap><loc>/1.xml.gz</loc></sitemap></sitemapindex>")
    assert [(link.url, link.kind) for link in listed(body, URL).links] == [("http://a.example/1.xml.gz", "index")]


def test_plain_text_and_what_only_looks_like_it():
    assert urls(b"http://a.example/1\r\n\nhttps://b.example/2\n") == ["http://a.example/1", "https://b.example/2"]
    assert listed(b"http://a.example/1 is a page", URL) is None
    assert listed(b"<html><p>The feed of rss </p>", URL) is None
    assert listed(b"", URL) is None


def test_rss():
    body = b"""<rss version="2.0"><channel><title>Boats</title><link>http://a.example/</link><atom:link rel="self"
      href="/rss"/><item><title>A &amp; B</title><link>/1</link><description>&lt;p&gt;Caf&amp;eacute;&lt;/p&gt;
      </description></item><item><title><![CDATA[<b>Two</b>]]></title><link><![CDATA[/2]]></link></item></channel></rss>"""
    doc = listed(body, URL)
    assert (doc.title, doc.noindex) == ("Boats", True)
    assert [(link.url, link.anchor, link.around, link.kind) for link in doc.links] == [
        ("http://a.example/1", "A & B", "\tCafé", "feed"),
        ("http://a.example/2", "Two", "", "feed"),
    ]
    assert "two" in doc.text.lower()


def test_atom():
    body = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">News</title><link href="/"/>
      <entry><title>One</title><link rel="edit" href="/edit"/><link href='/1'/><summary>Short</summary>
      </entry></feed>"""
    doc = listed(body, URL)
    assert [(link.url, link.anchor, link.around) for link in doc.links] == [("http://a.example/1", "One", "\tShort")]


def test_the_sitemap_lines_of_a_robots_txt():
    doc = listed(b"User-agent: *\nDisallow: /\nSitemap: /map.xml", "http://a.example/robots.txt")
    assert [(link.url, link.kind) for link in doc.links] == [("http://a.example/map.xml", "index")]
    assert listed(b"Sitemap: /map.xml", "http://a.example/x/robots.txt") is None


def test_bombs_are_cut(monkeypatch):
    monkeypatch.setattr(sitemap, "MAX_SITEMAP_BYTES", 10_000)
    monkeypatch.setattr(sitemap, "MAX_URLS_PER_SITEMAP", 20)
    body = gzip.compress(b"<urlset>" + b"<loc>/1</loc>" * 1_000_000)
    assert len(unpacked(body)) == 10_000
    many = b"<urlset>" + b"".join(b"<loc>/%d</loc>" % n for n in range(100))
    assert len(urls(many)) == 20
    assert listed(gzip.compress(b"<urlset><loc>/1</loc>" * 99)[:-9], URL) is not None


def test_entities_do_not_unfold():
    body = b'<!DOCTYPE x [<!ENTITY a "&b;&b;"><!ENTITY b "&a;">]><urlset><url><loc>/&a;</loc></url></urlset>'
    assert listed(body, URL) is None or urls(body) == ["http://a.example/&a;"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([
    b"<urlset>", b"<rss>", b"<feed>", b"<item>", b"<entry>", b"<loc>", b"</loc>", b"<![CDATA[", b"]]>", b"<!--", b"-->",
    b"<title ", b">", b"<link href='", b"'", b"<link>", b"/x", b"&#x110000;", b"&amp;", b"\xff", b"\0", b"<?xml ",
]), max_size=40))  # fmt: skip
def test_no_list_is_too_odd(parts):
    doc = listed(b"".join(parts), URL)
    assert doc is None or all(link.url.startswith("http") for link in doc.links)


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n", b"\n ", b""])
def test_a_text_file_may_begin_with_a_byte_order_mark(mark: bytes):
    found = listing(mark + b"http://a.org/x\r\nhttp://a.org/y\r\n", "text/plain")
    assert found is not None
    assert [entry.url for entry in found.entries] == ["http://a.org/x", "http://a.org/y"]


def test_a_text_file_in_utf16():
    found = listing("\ufeffhttp://a.org/x\nhttp://a.org/y".encode("utf-16-le"), "text/plain")
    assert found is not None
    assert [entry.url for entry in found.entries] == ["http://a.org/x", "http://a.org/y"]


@pytest.mark.parametrize(
    ("item", "url"),
    [
        ("<guid>http://a.org/x?a=1&amp;b=2</guid>", "http://a.org/x?a=1&b=2"),
        ('<guid isPermaLink="true">http://a.org/x</guid>', "http://a.org/x"),
        ("<guid><![CDATA[http://a.org/x]]></guid>", "http://a.org/x"),
        ("<link></link><guid>http://a.org/x</guid>", "http://a.org/x"),
        ("<guid>http://a.org/x</guid><link>http://a.org/y</link>", "http://a.org/y"),
        ('<guid isPermaLink="false">http://a.org/x</guid>', ""),
        ("<guid ispermalink = 'False' >http://a.org/x</guid>", ""),
        ("<guid>12345</guid>", ""),
        ("<guid>tag:a.org,2026:x</guid>", ""),
    ],
)
def test_an_item_of_rss_with_a_guid(item: str, url: str):
    found = listing(f"<rss><channel><item><title>t</title>{item}</item></channel></rss>".encode())
    assert found is not None
    assert [entry.url for entry in found.entries] == ([url] if url else [])

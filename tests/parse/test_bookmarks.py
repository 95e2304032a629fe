"""Bookmarks as browsers write them."""

from __future__ import annotations

import json

import pytest

from clew.errors import ConfigError
from clew.parse.bookmarks import Bookmark, folders_of, in_folder, read_bookmarks, web_pages

# As Chromium and Firefox export it.
NETSCAPE = b"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1700000000" LAST_MODIFIED="1700000001" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><A HREF="https://www.sailing.org/?a=1&amp;b=2" ICON="data:,AA">World &amp; Sailing</A>
        <DT><H3 ADD_DATE="1700000003">Sport</H3>
        <DL><p>
            <DT><H3>Sailing</H3>
            <DL><p>
                <DT><A HREF="http://regatta.example/">R\xc3\xbcgen</A>
                <DD>A note
            </DL><p>
            <DT><A HREF="javascript:alert(1)">Bookmarklet</A>
        </DL><p>
        <HR>
    </DL><p>
    <DT><A HREF="place:sort=8">Most visited</A>
    <DT><A HREF="http://regatta.example/">Again</A>
</DL><p>
"""
CHROMIUM = {
    "checksum": "0",
    "roots": {
        "bookmark_bar": {
            "children": [
                {"id": "5", "name": "World Sailing", "type": "url", "url": "https://www.sailing.org/"},
                {
                    "children": [{"name": "Regatta", "type": "url", "url": "http://regatta.example/"}],
                    "name": "Sport",
                    "type": "folder",
                },
            ],
            "name": "Bookmarks bar",
            "type": "folder",
        },
        "other": {"children": [], "name": "Other bookmarks", "type": "folder"},
        "sync_transaction_version": "1",
    },
    "version": 1,
}
FIREFOX = {
    "guid": "root________",
    "title": "",
    "typeCode": 2,
    "type": "text/x-moz-place-container",
    "root": "placesRoot",
    "children": [
        {
            "title": "menu",
            "type": "text/x-moz-place-container",
            "root": "bookmarksMenuFolder",
            "children": [
                {"title": "Regatta", "type": "text/x-moz-place", "uri": "http://regatta.example/"},
                {"type": "text/x-moz-place-separator"},
                {"title": "Recent tags", "type": "text/x-moz-place", "uri": "place:type=6"},
            ],
        },
        {"title": "toolbar", "type": "text/x-moz-place-container", "root": "toolbarFolder"},
    ],
}


def test_the_html_of_all_browsers() -> None:
    found = read_bookmarks(NETSCAPE)
    assert found is not None
    assert found[0] == Bookmark("https://www.sailing.org/?a=1&b=2", "World & Sailing", ("Bookmarks bar",))
    assert found[1] == Bookmark("http://regatta.example/", "Rügen", ("Bookmarks bar", "Sport", "Sailing"))
    assert found[2].folders == ("Bookmarks bar", "Sport")
    assert found[4] == Bookmark("http://regatta.example/", "Again")
    assert web_pages(found) == ["https://www.sailing.org/?a=1&b=2", "http://regatta.example/"]
    assert folders_of(found) == ["Bookmarks bar", "Sport", "Sailing"]


def test_the_json_of_chromium_and_of_firefox() -> None:
    chromium = read_bookmarks(json.dumps(CHROMIUM).encode())
    firefox = read_bookmarks(json.dumps(FIREFOX).encode("utf-8-sig"))
    assert chromium == [
        Bookmark("https://www.sailing.org/", "World Sailing", ("Bookmarks bar",)),
        Bookmark("http://regatta.example/", "Regatta", ("Bookmarks bar", "Sport")),
    ]
    assert firefox is not None
    assert firefox[0] == Bookmark("http://regatta.example/", "Regatta", ("menu",))
    assert web_pages(firefox) == ["http://regatta.example/"]


def test_a_folder_with_those_inside_it() -> None:
    found = read_bookmarks(NETSCAPE) or []
    assert len(in_folder(found, "sport")) == 2
    assert [mark.title for mark in in_folder(found, "Sport/Sailing")] == ["Rügen"]
    assert in_folder(found, "Sail") == []
    assert in_folder(found, "Sailing/Sport") == []


@pytest.mark.parametrize(
    "data", [b"", b"http://a.example/\n", b"<html><a href=/>a</a>", b"[]", b'{"a": 1}', b'{"roots": 7}', b"{" * 5000]
)
def test_anything_else_is_none(data: bytes) -> None:
    assert read_bookmarks(data) is None


def test_a_compressed_backup_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match="export them to HTML or JSON"):
        read_bookmarks(b"mozLz40\0\x01\x02")

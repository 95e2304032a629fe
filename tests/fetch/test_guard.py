from __future__ import annotations

import asyncio
import ipaddress
import socket

import pytest

from clew.config import Fetch
from clew.errors import ConfigError
from clew.fetch import Guard, HttpFetcher
from clew.fetch import guard as module
from clew.fetch.guard import AddressRefused, is_global
from clew.parse.url import canonical

NOT_FOR_US = [
    "2606:4700::5efe:a00:1",
    "2606:4700::200:5efe:7f00:1",
    "0.0.0.0",
    "0.1.2.3",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::808:808",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b:1::808:808",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:a00:1::",
    "2002:c0a8:101::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
    "3fff::1",
    "4000::1",
]
FOR_US = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700::1", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", NOT_FOR_US)
def test_not_global(address):
    assert not is_global(ipaddress.ip_address(address))
    assert Guard().refusal(address)
    assert not Guard(allow_private=True).refusal(address)


@pytest.mark.parametrize("address", FOR_US)
def test_global(address):
    assert is_global(ipaddress.ip_address(address))
    assert not Guard().refusal(address)


@pytest.mark.parametrize("name", ["example.org", "1.example", "127.0.0.1.example", "localhost", "0x7f.1.example"])
def test_names_are_left_to_the_resolver(name):
    assert not Guard().refusal(name)


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0177.0.0.1", "1.2.3", "1.2.3.4.5", "::1::", "٣.1.1.1"])
def test_odd_spellings_are_refused_whatever_is_allowed(host):
    assert Guard(allow_private=True).refusal(host)


def resolved(guard, host, port=80):
    return asyncio.run(guard.resolve(host, port))


def test_names_are_checked_after_resolution():
    with pytest.raises(AddressRefused, match="localhost resolves to"):
        resolved(Guard(), "localhost")
    found = resolved(Guard(allow_private=True), "localhost", 81)
    assert {item["port"] for item in found} == {81}
    assert found[0]["host"] in ("127.0.0.1", "::1")


def test_only_the_global_ones_of_several_addresses_are_dialled():
    guard = Guard()

    async def run():
        known = asyncio.get_running_loop().create_future()
        known.set_result([("10.0.0.1", None), ("1.1.1.1", None), ("::1", None)])
        guard._known["mixed.example"] = (float("inf"), known)
        return await guard.resolve("mixed.example", 443)

    assert [(item["host"], item["port"]) for item in asyncio.run(run())] == [("1.1.1.1", 443)]


def test_a_name_is_looked_up_once():
    guard = Guard(allow_private=True)

    async def run():
        await asyncio.gather(*[guard.resolve("localhost") for _ in range(5)])
        first = guard._known["localhost"][1]
        await guard.resolve("localhost")
        assert guard._known["localhost"][1] is first

    asyncio.run(run())


def test_a_failed_look_up_is_not_kept():
    guard = Guard()
    with pytest.raises(socket.gaierror):
        resolved(guard, f"{'a' * 64}.invalid")
    assert not guard._known


@pytest.mark.parametrize(
    ("entry", "host", "found"),
    [
        ("*.labyrinth=127.0.0.1:8000", "a.b.labyrinth", ("127.0.0.1", 8000)),
        ("*.labyrinth=127.0.0.1:8000", "labyrinth", None),
        ("*.labyrinth=127.0.0.1:8000", "xlabyrinth", None),
        ("example.org=10.0.0.1", "Example.org.", ("10.0.0.1", None)),
        ("example.org=10.0.0.1", "www.example.org", None),
        ("*=[::1]:99", "anything.at.all", ("::1", 99)),
        ("*=::1", "anything", ("::1", None)),
    ],
)
def test_mapping(entry, host, found):
    assert Guard(resolve=(entry,)).mapped(host) == ([found] if found else [])


def test_the_first_entry_that_fits_counts():
    guard = Guard(resolve=("a.example=10.0.0.1", "*.example=10.0.0.2", "*=10.0.0.3"))
    assert [guard.mapped(host)[0][0] for host in ("a.example", "b.example", "c")] == [
        "10.0.0.1",
        "10.0.0.2",
        "10.0.0.3",
    ]


def test_mapping_does_not_exempt_from_the_guard():
    with pytest.raises(AddressRefused):
        resolved(Guard(resolve=("*=127.0.0.1",)), "example.org")


def test_an_address_is_not_mapped_elsewhere():
    guard = Guard(allow_private=True, resolve=("*=127.0.0.1:8000",))
    assert guard.refusal("1.1.1.1")
    assert not guard.refusal("127.0.0.1")


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "example",
        "=1.2.3.4",
        "example=",
        "example=host",
        "example=1.2.3.4:",
        "example=1.2.3.4:0",
        "example=1.2.3.4:99999",
        "example=1.2.3.4:x",
        "a*b=1.2.3.4",
        "*.*=1.2.3.4",
        "x=[::1",
        "x=[::1]8",
        "x=1.2.3",
    ],
)
def test_the_message_about_an_invalid_entry_has_an_example(entry):
    with pytest.raises(ConfigError, match=r"127\.0\.0\.1:8000"):
        Guard(resolve=(entry,))


def answers(*urls, **settings):
    async def run():
        fetcher = HttpFetcher(Fetch(timeout=5, delay=0, **settings))
        try:
            return [await fetcher.get(url) for url in urls]
        finally:
            await fetcher.close()

    return asyncio.run(run())


SPELLINGS = [
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://127.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://１２７.0.0.1/",
    "http://user:pw@127.0.0.1/",
    "http://localhost/",
]


@pytest.mark.parametrize("url", SPELLINGS)
@pytest.mark.parametrize("robots", [True, False])
def test_every_spelling_of_here_is_refused(url, robots):
    (got,) = answers(canonical(url), robots=robots)
    assert (got.error, got.status, got.transient) == ("address", 0, False)


@pytest.mark.parametrize("url", SPELLINGS[:8] + SPELLINGS[10:])
def test_also_when_nobody_made_it_canonical(url):
    assert answers(url)[0].error == "address"


def test_resolve_leads_to_the_port(serve, answer):
    site = serve({"/": answer(b"here")})

    async def run():
        async with site:
            fetcher = site.fetcher(resolve=(f"*.labyrinth=127.0.0.1:{site.port}",))
            got = [await fetcher.get(f"http://{name}.labyrinth/") for name in ("a", "b")]
            await fetcher.close()
            return got

    assert [got.body for got in asyncio.run(run())] == [b"here", b"here"]
    assert [headers["host"] for _, headers in site.requests] == ["a.labyrinth", "b.labyrinth"]


def test_a_redirect_to_a_private_address_is_an_answer_and_then_refused(serve, answer):
    site = serve({"/": answer(b"", 302, Location="http://169.254.169.254/latest/meta-data/")})

    async def run():
        async with site:
            fetcher = site.fetcher()
            first = await fetcher.get(site.url("/"))
            await fetcher.close()
            return first

    first = asyncio.run(run())
    assert first.location == "http://169.254.169.254/latest/meta-data/"
    assert answers(first.location)[0].error == "address"


@pytest.mark.parametrize("port", [22, 25, 81, 6379, 7999, 9000, 11211])
def test_only_web_ports_are_asked(port):
    (got,) = answers(f"http://one.one.one.one:{port}/")
    assert (got.error, got.detail) == ("address", f"port {port} is not among the allowed ports (ports)")


def test_which_ports():
    assert not any(Guard().refusal("example.org", port) for port in (80, 443, 8000, 8080, 8999))
    assert not Guard(allow_private=True).refusal("example.org", 6379)
    strict = Guard(allow_private=True, ports=("443", "9000-9001"))
    assert [bool(strict.refusal("example.org", port)) for port in (80, 443, 9000, 9001, 9002)] == [1, 0, 0, 0, 1]


@pytest.mark.parametrize("entry", ["", "http", "0", "65536", "9-8", "-1", "1-2-3"])
def test_the_message_about_an_invalid_port_has_an_example(entry):
    with pytest.raises(ConfigError, match="8000-8999"):
        Guard(ports=(entry,))


@pytest.fixture
def rebinding(monkeypatch):
    """A resolver that answers differently each time; the list of its answers."""
    answers = []

    def use(*addresses):
        async def look_up(host):
            answers.append(addresses[min(len(answers), len(addresses) - 1)])
            return [(answers[-1], None)]

        monkeypatch.setattr(module, "_getaddrinfo", look_up)
        return answers

    return use


def test_a_name_that_changes_its_mind_between_check_and_dialling(rebinding):
    answers = rebinding("1.1.1.1", "127.0.0.1")

    async def run():
        guard = Guard()
        validated = await guard.addresses("evil.example")
        dialled = await guard.resolve("evil.example", 80)
        monday = guard._known["evil.example"][1]
        guard._known["evil.example"] = (0.0, monday)  # long ago
        late = await guard.resolve("evil.example", 80)
        with pytest.raises(AddressRefused, match=r"resolves to 127\.0\.0\.1"):
            await guard.addresses("evil.example")
        with pytest.raises(AddressRefused, match=r"resolves to 127\.0\.0\.1"):
            await guard.resolve("evil.example", 80)
        return validated, [item["host"] for item in dialled + late]

    assert asyncio.run(run()) == (["1.1.1.1"], ["1.1.1.1", "1.1.1.1"])
    assert answers == ["1.1.1.1", "127.0.0.1"]


@pytest.mark.parametrize("robots", [True, False])
def test_a_name_that_leads_home_is_never_dialled(serve, answer, rebinding, robots):
    rebinding("127.0.0.1")

    async def run():
        async with serve({"/": answer(b"secret")}) as site:
            fetcher = site.fetcher(robots=robots, allow_private=False, ports=("1-65535",))
            got = await fetcher.get(site.url("/", "evil.example"))
            await fetcher.close()
            return got, site.requests

    got, requests = asyncio.run(run())
    assert (got.error, requests) == ("address", [])
    assert "evil.example resolves to 127.0.0.1" in got.detail


def test_the_robots_txt_of_a_global_host_may_not_lead_home(serve, answer, monkeypatch):
    there = serve({"/robots.txt": answer(b"", 302, Location="http://127.0.0.9:8000/x"), "/": answer(b"page")})
    monkeypatch.setattr(module, "is_global", lambda address: str(address) == "127.0.0.1")  # our stand-in for the web

    async def run():
        async with there as site:
            fetcher = site.fetcher(robots=True, allow_private=False, ports=("1-65535",))
            got = await fetcher.get(site.url("/"))
            await fetcher.close()
            return got, site.paths

    got, paths = asyncio.run(run())
    assert (paths, got.ok) == (["/robots.txt"], False)
    assert "127.0.0.9 is not a global address" in got.detail


def test_credentials_never_go_out(serve, answer):
    site = serve({"/": answer(b"x")})

    async def run():
        async with site:
            fetcher = site.fetcher()
            urls = [f"http://me:secret@127.0.0.1:{site.port}/", f"http://me@127.0.0.1:{site.port}/"]
            got = [await fetcher.get(url) for url in (*urls, *map(canonical, urls))]
            await fetcher.close()
            return [answer.error for answer in got]

    assert asyncio.run(run()) == ["address", "address", "", ""]
    assert not any("authorization" in headers for _, headers in site.requests)


def test_proxies_of_the_environment_are_ignored_and_the_given_one_is_used(serve, answer, monkeypatch):
    page = "http://somewhere.example/page"
    proxy, site = serve({page: answer(b"by proxy")}), serve({"/": answer(b"direct")})

    async def run():
        async with proxy, site:
            for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy.url(""))
            plain, by_proxy = site.fetcher(), site.fetcher(allow_private=False, proxy=proxy.url(""))
            got = [
                await plain.get(site.url("/")),
                await by_proxy.get(page),
                await by_proxy.get("http://127.0.0.1/"),
            ]
            await plain.close()
            await by_proxy.close()
            return got

    direct, by_proxy, home = asyncio.run(run())
    assert (direct.body, by_proxy.body, home.error) == (b"direct", b"by proxy", "address")
    assert proxy.paths == [page]


def test_a_proxy_must_be_one():
    with pytest.raises(ConfigError, match=r"proxy\.example:3128"):
        HttpFetcher(Fetch(proxy="socks5://x:1"))

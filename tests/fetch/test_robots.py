from __future__ import annotations

import asyncio
import gzip

import pytest

from clew.fetch import robots as module
from clew.fetch.robots import MAX_AGE_SECONDS, RETRY_SECONDS, SIZE, Robots
from clew.types import Fetched

RULES = b"User-agent: *\nDisallow: /no\nCrawl-delay: 7\n\nUser-agent: otherbot\nDisallow: /\n"


def get(site, *paths, **settings):
    async def run():
        async with site:
            fetcher = site.fetcher(robots=True, **settings)
            answers = [await site.get(fetcher, site.url(path)) for path in paths]
            pause = fetcher.pause(site.url("/"))
            await fetcher.close()
            return answers, pause

    return asyncio.run(run())


def test_allowed_and_denied(serve, answer):
    site = serve({"/robots.txt": answer(RULES), "/yes": answer(b"x")})
    (yes, no), pause = get(site, "/yes", "/no/page")
    assert yes.ok
    assert (no.error, no.status, no.transient) == ("robots", 0, False)
    assert no.detail == f"robots.txt of {site.url('')} disallows this URL"
    assert site.paths == ["/robots.txt", "/yes"]
    assert 6 < pause <= 7


def test_crawl_delay_has_a_cap_and_ours_counts_too(serve, answer):
    pages = {"/robots.txt": answer(RULES), "/": answer(b"x")}
    assert 4 < get(serve(pages), "/", max_delay=5.0)[1] <= 5
    assert 8 < get(serve(pages), "/", delay=9.0)[1] <= 9


def test_our_own_name_counts(serve, answer):
    rules = b"User-agent: *\nDisallow: /\n\nUser-agent: clew\nDisallow: /no\n\nUser-agent: mybot\nDisallow: /yes\n"
    pages = {"/robots.txt": answer(rules), "/yes": answer(b"x"), "/no": answer(b"x")}
    (yes, no), _ = get(serve(pages), "/yes", "/no")
    assert (yes.error, no.error) == ("", "robots")
    (yes, no), _ = get(serve(pages), "/yes", "/no", user_agent="mybot/1.0 (clew)")
    assert (yes.error, no.error) == ("robots", "")


def test_not_asked_when_it_is_switched_off(serve, answer):
    site = serve({"/robots.txt": answer(RULES), "/no": answer(b"x")})

    async def run():
        async with site:
            fetcher = site.fetcher(robots=False)
            got = await site.get(fetcher, site.url("/no"))
            await fetcher.close()
            return got

    assert asyncio.run(run()).ok
    assert site.paths == ["/no"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_no_robots_txt_allows_all(serve, answer, status):
    (got,), _ = get(serve({"/robots.txt": answer(b"Disallow: /", status), "/no": answer(b"x")}), "/no")
    assert got.ok


@pytest.mark.parametrize("status", [429, 500, 503, 599])
def test_a_robots_txt_that_fails_denies_for_now(serve, answer, status):
    site = serve({"/robots.txt": answer(b"", status), "/": answer(b"x")})
    (first, second), pause = get(site, "/", "/")
    for got in (first, second):
        assert (got.error, got.transient) == ("robots", True)
        assert got.detail == f"robots.txt of {site.url('')} cannot be read: HTTP {status}"
        assert RETRY_SECONDS - 5 < got.retry_after <= RETRY_SECONDS
    assert RETRY_SECONDS - 5 < pause <= RETRY_SECONDS
    assert site.paths == ["/robots.txt"]


def test_a_host_that_is_not_there_is_reported_as_such(serve, answer):
    async def cut(writer):
        writer.transport.abort()

    site = serve({"/robots.txt": cut, "/": answer(b"x")})
    answers, _ = get(site, *["/"] * 3, host_failures=2)
    assert [got.error for got in answers] == ["refused", "refused", "host given up"]
    assert "robots.txt" in answers[0].detail
    assert "/" not in site.paths


def test_robots_txt_has_a_deadline(serve, answer, drip):
    endless = drip(b"HTTP/1.1 200 OK\r\n\r\n", b"#")
    (got,), _ = get(serve({"/robots.txt": endless, "/": answer(b"x")}), "/", timeout=0.2)
    assert (got.error, got.transient) == ("timeout", True)


def test_one_fetch_for_all_who_wait(serve, answer):
    async def slow(writer):
        await asyncio.sleep(0.05)
        writer.write(answer(RULES))

    site = serve({"/robots.txt": slow} | {f"/{i}": answer(b"x") for i in range(20)})

    async def run():
        async with site:
            fetcher = site.fetcher(robots=True)
            answers = await asyncio.gather(*[site.get(fetcher, site.url(f"/{i}")) for i in range(20)])
            await fetcher.close()
            return answers

    assert all(got.ok for got in asyncio.run(run()))
    assert site.paths.count("/robots.txt") == 1


def test_one_who_leaves_does_not_take_the_others_along(serve, answer):
    async def slow(writer):
        await asyncio.sleep(0.05)
        writer.write(answer(RULES))

    async def run():
        async with serve({"/robots.txt": slow, "/": answer(b"x")}) as site:
            fetcher = site.fetcher(robots=True)
            tasks = [asyncio.create_task(site.get(fetcher, site.url("/"))) for _ in range(2)]
            await asyncio.sleep(0.01)
            tasks[0].cancel()
            assert (await tasks[1]).ok
            await fetcher.close()

    asyncio.run(run())


def test_close_in_the_middle(serve, answer):
    async def silence(writer):
        await asyncio.sleep(1)

    async def run():
        async with serve({"/robots.txt": silence}) as site:
            fetcher = site.fetcher(robots=True)
            task = asyncio.create_task(site.get(fetcher, site.url("/")))
            await asyncio.sleep(0.02)
            await fetcher.close()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(run())


def test_redirects_are_followed_and_the_rules_are_the_first_hosts(serve, answer):
    hops = {f"/{i}": answer(b"", 302, Location=f"/{i + 1}") for i in range(2, 5)}
    site = serve({"/robots.txt": answer(b"", 301, Location="/2"), "/5": answer(RULES), "/yes": answer(b"x")} | hops)
    (yes, no), _ = get(site, "/yes", "/no")
    assert (yes.error, no.error) == ("", "robots")
    assert site.paths == ["/robots.txt", "/2", "/3", "/4", "/5", "/yes"]


def test_too_many_redirects_are_no_robots_txt(serve, answer):
    site = serve({"/robots.txt": answer(b"", 302, Location="/robots.txt"), "/": answer(b"x")})
    (got,), _ = get(site, "/")
    assert got.ok
    assert site.paths.count("/robots.txt") == 6


def test_a_robots_txt_may_not_lead_to_private_addresses(serve, answer):
    async def ask(url):
        return {
            "http://a.example/robots.txt": Fetched(url, 302, location="http://10.0.0.1/robots.txt"),
            "http://10.0.0.1/robots.txt": Fetched(url, error="address", detail="10.0.0.1 is not global"),
        }[url]

    rules = asyncio.run(Robots(ask, "clew").rules("http://a.example"))
    denial = rules.denial("http://a.example/", 0)
    assert (denial.error, "10.0.0.1" in denial.detail) == ("robots", True)
    assert denial.retry_after >= RETRY_SECONDS


def test_a_robots_txt_that_cannot_be_read_denies_for_now(serve, answer):
    site = serve({"/robots.txt": answer(b"no gzip", Content_Encoding="gzip"), "/": answer(b"x")})
    (first, second), pause = get(site, "/", "/")
    assert (first.error, second.error, first.transient) == ("robots", "robots", True)
    assert site.paths == ["/robots.txt"]
    assert pause > RETRY_SECONDS - 5


def test_a_robots_txt_that_leads_nowhere_allows_all(serve, answer):
    site = serve({"/robots.txt": answer(b"", 302, Location="ftp://x/"), "/": answer(b"x")})
    assert get(site, "/")[0][0].ok


@pytest.mark.parametrize("coded", [False, True])
def test_a_huge_robots_txt_is_cut(serve, answer, coded):
    text = RULES + b"#" * SIZE + b"\nUser-agent: *\nDisallow: /yes\n"
    sent = answer(gzip.compress(text), Content_Encoding="gzip") if coded else answer(text)
    (yes, no), _ = get(serve({"/robots.txt": sent, "/yes": answer(b"x")}), "/yes", "/no")
    assert (yes.error, no.error) == ("", "robots")


def test_any_type_and_any_bytes_will_do(serve, answer):
    sent = answer(b"\xef\xbb\xbf\xff\n" + RULES, Content_Type="application/octet-stream")
    (no,), _ = get(serve({"/robots.txt": sent}), "/no")
    assert no.error == "robots"


class Web:
    """Counts how often each robots.txt is asked for; the time is ours."""

    def __init__(self, **answer):
        self.now, self.asked, self.answer = 1000.0, [], answer
        self.robots = Robots(self.ask, "clew", clock=lambda: self.now)

    async def ask(self, url):
        self.asked.append(url)
        return Fetched(url, **self.answer)

    def rules(self, origin="http://a.example"):
        return asyncio.run(self.robots.rules(origin))


def test_a_day_at_most():
    web = Web(status=200, body=RULES)
    web.rules()
    web.now += MAX_AGE_SECONDS - 1
    web.rules()
    assert len(web.asked) == 1
    web.now += 2
    web.rules()
    assert len(web.asked) == 2


def test_asked_again_after_some_minutes():
    web = Web(status=503)
    web.rules()
    web.now += RETRY_SECONDS - 1
    web.rules()
    assert len(web.asked) == 1
    web.now += 2
    web.answer = {"status": 404}
    assert web.rules().denial("http://a.example/", web.now) is None
    assert len(web.asked) == 2


def test_retry_after_of_robots_txt_counts():
    assert Web(status=503, retry_after=5000.0).rules().until == 6000


def test_each_origin_has_its_own():
    web = Web(status=200, body=RULES)
    for origin in ("http://a.example", "https://a.example", "http://a.example:81"):
        web.rules(origin)
    assert len(web.asked) == 3


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 10 * (1000 + 2 * len(RULES)))
    web = Web(status=200, body=RULES)
    for i in range(50):
        web.rules(f"http://{i}.example")
    assert len(web.robots._rules) == 10
    assert web.robots.known("http://49.example")
    assert not web.robots.known("http://1.example")


def test_an_old_copy_counts_while_there_is_no_new_one():
    web = Web(status=200, body=RULES)
    web.rules()
    for trouble in ({"status": 503}, {"status": 429}, {"error": "refused", "transient": True}, {"error": "timeout"}):
        web.now += 2 * MAX_AGE_SECONDS
        web.answer = trouble
        rules = web.rules()
        assert rules.denial("http://a.example/no", web.now).detail.endswith("disallows this URL")
        assert rules.denial("http://a.example/yes", web.now) is None
        assert rules.crawl_delay == 7
    asked = len(web.asked)
    web.now += RETRY_SECONDS - 1
    web.rules()
    assert len(web.asked) == asked
    web.now += 2
    web.answer = {"status": 404}
    assert web.rules().denial("http://a.example/no", web.now) is None


def test_robots_txt_itself_may_always_be_fetched():
    rules = Web(status=200, body=b"User-agent: *\nDisallow: /").rules()
    assert rules.denial("http://a.example/robots.txt", 0) is None
    assert rules.denial("http://a.example/robots.txt?x", 0).error == "robots"

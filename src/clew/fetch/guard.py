"""Which addresses may be dialled: only global ones, and the checked address is the one that is dialled."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Sequence
from typing import Final

from aiohttp.abc import AbstractResolver, ResolveResult

from clew.errors import ConfigError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Answers = list[tuple[str, int | None]]  # addresses, each with a port where `resolve` names one

SECONDS: Final = 300.0  # a looked-up name is believed for so long
NAMES: Final = 10_000  # names kept at most
NUMERIC: Final = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
EXAMPLE: Final = "write it like '*.example=127.0.0.1:8000' or 'example.org=[::1]'"

ENTRY: Final = re.compile(r"(\*|(?:\*\.)?[^*=\s]+)=(?:\[([^]]+)\]|([^][:]+|[^][:]*:[^][]*:[^][]*))(?::([1-9]\d{0,5}))?")

GLOBAL6: Final = ipaddress.IPv6Network("2000::/3")
NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
ASSIGNED4: Final = ipaddress.IPv4Network("192.0.0.0/24")  # Python's own lists differ between versions
BOOKS6: Final = ipaddress.IPv6Network("3fff::/20")


class AddressRefused(OSError):
    """The name leads only to addresses that are not for us; an OSError, as a resolver's failures are."""


class Guard(AbstractResolver):
    """Resolves names for aiohttp and lets only global addresses through, unless `allow_private`.

    `resolve` maps names to addresses of the user's choice, with a port if wanted; it does not exempt from
    the check.

    >>> Guard().refusal("169.254.169.254")
    '169.254.169.254 is not a global address'
    >>> Guard(allow_private=True, resolve=("*.example=127.0.0.1:8000",)).mapped("www.example")
    [('127.0.0.1', 8000)]
    """

    def __init__(self, allow_private: bool = False, resolve: Sequence[str] = ()) -> None:
        self.allow_private = allow_private
        self._map = [_entry(text) for text in resolve]
        self._known: dict[str, tuple[float, asyncio.Future[Answers]]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a name that may be dialled; none is an AddressRefused."""
        found = self.mapped(host) or await self._look_up(host)
        allowed = [item for item in found if self.allow_private or is_global(ipaddress.ip_address(item[0]))]
        if not allowed:
            raise AddressRefused(f"{host} leads to {found[0][0]}, which is not a global address")
        return [_result(host, address, own or port) for address, own in allowed]

    def refusal(self, host: str) -> str:
        """Why a host that is spelt as an address may not be dialled, or "": aiohttp resolves names only."""
        if ":" not in host and not host.replace(".", "").isdigit():
            return ""
        try:
            address = ipaddress.ip_address(host)
        except ValueError:  # the socket library would still read 127.1 or 0177.0.0.1
            return f"{host} is not a plain address"
        if (to := self.mapped(host)) and to[0][0] != str(address):
            return f"{host} is an address, and `resolve` can lead only names elsewhere"
        return "" if self.allow_private or is_global(address) else f"{host} is not a global address"

    def mapped(self, host: str) -> Answers:
        """What `resolve` says about a name: the first entry that fits."""
        host = host.lower().rstrip(".")
        for name, address, port in self._map:
            if name in ("*", host) or (name.startswith("*.") and host.endswith(name[1:])):
                return [(address, port)]
        return []

    async def close(self) -> None:
        """Forget the names."""
        self._known.clear()

    async def _look_up(self, host: str) -> Answers:
        """One look-up for all who ask at the same time; a failed one is forgotten at once."""
        loop = asyncio.get_running_loop()
        until, asked = self._known.get(host, (0.0, None))
        if asked is None or until < loop.time():
            asked = asyncio.ensure_future(_getaddrinfo(host))
            asked.add_done_callback(lambda done: self._forget_failure(host, done))
            self._remember(host, loop.time() + SECONDS, asked)
        return await asyncio.shield(asked)

    def _remember(self, host: str, until: float, asked: asyncio.Future[Answers]) -> None:
        self._known.pop(host, None)
        self._known[host] = (until, asked)
        if len(self._known) > NAMES:
            del self._known[next(iter(self._known))]

    def _forget_failure(self, host: str, done: asyncio.Future[Answers]) -> None:
        if (done.cancelled() or done.exception()) and self._known.get(host, (0, None))[1] is done:
            del self._known[host]


def is_global(address: Address) -> bool:
    """Whether an address is one of the open web's, also where IPv6 wraps an IPv4 address.

    >>> [is_global(ipaddress.ip_address(a)) for a in ("1.1.1.1", "10.0.0.1", "::ffff:10.0.0.1")]
    [True, False, False]
    """
    if isinstance(address, ipaddress.IPv4Address):
        odd = address.is_multicast or address.is_reserved or address in ASSIGNED4
        return address.is_global and not odd
    if address.ipv4_mapped:
        return is_global(address.ipv4_mapped)
    if address.sixtofour:
        return is_global(address.sixtofour)
    if address in NAT64:
        return is_global(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address in GLOBAL6 and address.is_global and not (address.teredo or address in BOOKS6)


async def _getaddrinfo(host: str) -> Answers:
    loop = asyncio.get_running_loop()
    try:
        infos = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    except UnicodeError as error:  # labels that are too long or empty
        raise socket.gaierror(socket.EAI_NONAME, str(error)) from None
    found: Answers = [(str(address[0]), None) for *_, address in infos]
    if not found:
        raise socket.gaierror(socket.EAI_NONAME, "no address")
    return found


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=NUMERIC)


def _entry(text: str) -> tuple[str, str, int | None]:
    """One entry of `resolve`: a name or *.name or *, the address, and perhaps a port."""
    found = ENTRY.fullmatch(text.strip().lower())
    try:
        if found is None:
            raise ValueError
        name, boxed, plain, port = found.groups()
        address = ipaddress.IPv6Address(boxed) if boxed else ipaddress.ip_address(plain)
        number = range(65536)[int(port)] if port else None
    except (ValueError, IndexError):
        raise ConfigError(f"resolve has a bad entry {text!r}; {EXAMPLE}") from None
    return name.rstrip("."), str(address), number

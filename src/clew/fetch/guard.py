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

PORTS: Final = ("80", "443", "8000-8999")  # asked by default: web servers live there, mail and databases do not
DIALLED: Final = 4  # addresses of one name at most
SECONDS: Final = 300.0  # a looked-up name is believed for so long
NAMES: Final = 10_000  # names kept at most
NUMERIC: Final = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
EXAMPLE: Final = "write it like '*.example=127.0.0.1:8000' or 'example.org=[::1]'"

ENTRY: Final = re.compile(r"(\*|(?:\*\.)?[^*=\s]+)=(?:\[([^]]+)\]|([^][:]+|[^][:]*:[^][]*:[^][]*))(?::([1-9]\d{0,5}))?")

GLOBAL6: Final = ipaddress.IPv6Network("2000::/3")
NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
ASSIGNED4: Final = ipaddress.IPv4Network("192.0.0.0/24")  # Python's own lists differ between versions
BOOKS6: Final = ipaddress.IPv6Network("3fff::/20")
ISATAP: Final = 0x5EFE  # before an IPv4 address within any network (RFC 5214)


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

    def __init__(
        self, allow_private: bool = False, resolve: Sequence[str] = (), ports: Sequence[str] = (), trusted: str = ""
    ) -> None:
        self.allow_private, self.trusted = allow_private, trusted  # a proxy may well be next door
        self._ports = [_range(text) for text in ports or (("1-65535",) if allow_private else PORTS)]
        self._map = [_entry(text) for text in resolve]
        self._known: dict[str, tuple[float, asyncio.Future[Answers]]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a name that may be dialled; none is an AddressRefused."""
        found = self._allowed(host, self.mapped(host) or await self._look_up(host))
        return [_result(host, address, own or port) for address, own in found]

    async def addresses(self, host: str) -> list[str]:
        """Where a host is now; the dialling sticks to it. None where `resolve` leads: there, one server plays many."""
        if ":" in host or host.replace(".", "").isdigit():
            return [host]
        if mapped := self.mapped(host):
            self._allowed(host, mapped)
            return []
        return [address for address, _ in self._allowed(host, await self._look_up(host, renew=True))]

    def _allowed(self, host: str, found: Answers) -> Answers:
        free = self.allow_private or host == self.trusted
        allowed = [item for item in found if free or is_global(ipaddress.ip_address(item[0]))]
        if not allowed:
            raise AddressRefused(f"{host} leads to {found[0][0]}, which is not a global address")
        return allowed[:DIALLED]

    def refusal(self, host: str, port: int | None = None) -> str:
        """Why a host may not be dialled, as far as port and spelling tell, or "": aiohttp resolves names only."""
        if port is not None and not any(port in ports for ports in self._ports):
            return f"port {port} is not among those that may be asked (ports)"
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

    async def _look_up(self, host: str, renew: bool = False) -> Answers:
        """One look-up for all who ask at the same time; a failed one is forgotten at once.

        Only `renew` looks at the age of an answer: between that and the dialling, the name leads to the same place.
        """
        loop = asyncio.get_running_loop()
        until, asked = self._known.get(host, (0.0, None))
        if asked is None or (renew and until < loop.time()):
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
    if (int(address) >> 32) & 0xFDFFFFFF == ISATAP and not is_global(_tail(address)):
        return False
    if address.ipv4_mapped:
        return is_global(address.ipv4_mapped)
    if address.sixtofour:
        return is_global(address.sixtofour)
    if address in NAT64:
        return is_global(_tail(address))
    return address in GLOBAL6 and address.is_global and not (address.teredo or address in BOOKS6)


def _tail(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


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


def _range(text: str) -> range:
    """One entry of `ports`: a number, or two with a dash."""
    first, _, last = text.strip().partition("-")
    try:
        found = range(int(first), int(last or first) + 1)
        if not found or not 0 < found[0] <= found[-1] < 65536:
            raise ValueError
    except ValueError:
        raise ConfigError(f"ports has a bad entry {text!r}; write it like '443' or '8000-8999'") from None
    return found


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

"""Decides which addresses may be dialled: only global ones, and the checked address is the one that is dialled."""

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

DEFAULT_PORTS: Final = ("80", "443", "8000-8999")  # web servers live there, mail and databases do not
MAX_ADDRESSES_PER_NAME: Final = 4
NAME_SECONDS: Final = 300.0  # until a name is looked up again
MAX_NAMES: Final = 10_000  # remembered
NUMERIC: Final = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
EXAMPLE: Final = "write it like '*.example=127.0.0.1:8000' or 'example.org=[::1]'"
NOT_GLOBAL: Final = "not a global address; for servers of your own set allow_private (--allow-private)"

# NAME=ADDRESS or NAME=ADDRESS:PORT; an IPv6 address with a port stands in brackets.
ENTRY: Final = re.compile(r"(\*|(?:\*\.)?[^*=\s]+)=(?:\[([^]]+)\]|([^][:]+|[^][:]*:[^][]*:[^][]*))(?::([1-9]\d{0,5}))?")

GLOBAL6: Final = ipaddress.IPv6Network("2000::/3")
NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
# Python's own lists of special networks differ between versions, so these two are checked here.
ASSIGNED4: Final = ipaddress.IPv4Network("192.0.0.0/24")
DOCUMENTATION6: Final = ipaddress.IPv6Network("3fff::/20")
ISATAP: Final = 0x5EFE  # stands before an IPv4 address within any network (RFC 5214)


class AddressRefused(OSError):
    """The name leads only to addresses that must not be dialled; an OSError, like other failures of resolvers."""


class Guard(AbstractResolver):
    """Resolves names for aiohttp and lets only global addresses through, unless `allow_private`.

    `resolve` maps names to addresses, optionally with a port. Mapped addresses are checked like all others.

    >>> Guard().refusal("169.254.169.254")
    '169.254.169.254 is not a global address; for servers of your own set allow_private (--allow-private)'
    >>> Guard(allow_private=True, resolve=("*.example=127.0.0.1:8000",)).mapped("www.example")
    [('127.0.0.1', 8000)]
    """

    def __init__(
        self, allow_private: bool = False, resolve: Sequence[str] = (), ports: Sequence[str] = (), trusted: str = ""
    ) -> None:
        self.allow_private = allow_private
        # The user's own proxy is often in the private network.
        self.trusted = trusted
        default_ports = ("1-65535",) if allow_private else DEFAULT_PORTS
        self._ports = [_range(text) for text in ports or default_ports]
        self._map = [_entry(text) for text in resolve]
        self._known: dict[str, tuple[float, asyncio.Future[Answers]]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a name that may be dialled; raises AddressRefused if there are none."""
        found = self._allowed(host, self.mapped(host) or await self._look_up(host))
        return [_result(host, address, own or port) for address, own in found]

    async def addresses(self, host: str) -> list[str]:
        """The addresses that a host has now, and that will be dialled; none for a name mapped by `resolve`."""
        if ":" in host or host.replace(".", "").isdigit():
            return [host]
        if mapped := self.mapped(host):
            self._allowed(host, mapped)
            # One test server may play many hosts, so its address must not limit them all together.
            return []
        return [address for address, _ in self._allowed(host, await self._look_up(host, renew=True))]

    def _allowed(self, host: str, found: Answers) -> Answers:
        unchecked = self.allow_private or host == self.trusted
        allowed = [item for item in found if unchecked or is_global(ipaddress.ip_address(item[0]))]
        if not allowed:
            raise AddressRefused(f"{host} resolves to {found[0][0]}, which is {NOT_GLOBAL}")
        return allowed[:MAX_ADDRESSES_PER_NAME]

    def refusal(self, host: str, port: int | None = None) -> str:
        """Why a host may not be dialled, judged by port and spelling, or "".

        Addresses must be checked here, because aiohttp hands only names to its resolver.
        """
        if port is not None and not any(port in ports for ports in self._ports):
            return f"port {port} is not among the allowed ports (ports)"
        if ":" not in host and not host.replace(".", "").isdigit():
            return ""
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            # The socket library would still take 127.1 or 0177.0.0.1 for an address.
            return f"{host} is not a valid IP address"
        mapped = self.mapped(host)
        if mapped and mapped[0][0] != str(address):
            return f"{host} is an address; `resolve` can map only names"
        return "" if self.allow_private or is_global(address) else f"{host} is {NOT_GLOBAL}"

    def mapped(self, host: str) -> Answers:
        """The address that `resolve` maps a name to, by the first matching entry; [] if none matches."""
        host = host.lower().rstrip(".")
        for name, address, port in self._map:
            if name in ("*", host) or (name.startswith("*.") and host.endswith(name[1:])):
                return [(address, port)]
        return []

    async def close(self) -> None:
        """Forget all names."""
        self._known.clear()

    async def _look_up(self, host: str, renew: bool = False) -> Answers:
        """The addresses of a name; concurrent callers share one look-up, and a failed one is forgotten at once.

        Only `renew` replaces an old answer. The dialling does not renew, so it uses the addresses that were checked.
        """
        loop = asyncio.get_running_loop()
        until, look_up = self._known.get(host, (0.0, None))
        if look_up is None or (renew and until < loop.time()):
            look_up = asyncio.ensure_future(_getaddrinfo(host))
            look_up.add_done_callback(lambda done: self._forget_failure(host, done))
            self._remember(host, loop.time() + NAME_SECONDS, look_up)
        # One caller that is cancelled must not take the look-up away from the others.
        return await asyncio.shield(look_up)

    def _remember(self, host: str, until: float, look_up: asyncio.Future[Answers]) -> None:
        self._known.pop(host, None)
        self._known[host] = (until, look_up)
        if len(self._known) > MAX_NAMES:
            del self._known[next(iter(self._known))]

    def _forget_failure(self, host: str, done: asyncio.Future[Answers]) -> None:
        # A newer look-up of the same name may have taken its place.
        if (done.cancelled() or done.exception()) and self._known.get(host, (0, None))[1] is done:
            del self._known[host]


def is_global(address: Address) -> bool:
    """Whether an address belongs to the public internet; an IPv4 address inside an IPv6 one is checked, too.

    >>> [is_global(ipaddress.ip_address(a)) for a in ("1.1.1.1", "10.0.0.1", "::ffff:10.0.0.1")]
    [True, False, False]
    """
    if isinstance(address, ipaddress.IPv4Address):
        special = address.is_multicast or address.is_reserved or address in ASSIGNED4
        return address.is_global and not special
    # The mask leaves out the "universal" bit, which ISATAP sets for globally unique IPv4 addresses.
    if (int(address) >> 32) & 0xFDFFFFFF == ISATAP and not is_global(_tail(address)):
        return False
    if address.ipv4_mapped:
        return is_global(address.ipv4_mapped)
    if address.sixtofour:
        return is_global(address.sixtofour)
    if address in NAT64:
        return is_global(_tail(address))
    return address in GLOBAL6 and address.is_global and not (address.teredo or address in DOCUMENTATION6)


def _tail(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address:
    """The IPv4 address in the last 32 bits."""
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


async def _getaddrinfo(host: str) -> Answers:
    loop = asyncio.get_running_loop()
    try:
        infos = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    except UnicodeError as error:
        # Python's IDNA codec raises this for labels that are too long or empty.
        raise socket.gaierror(socket.EAI_NONAME, str(error)) from None
    found: Answers = [(str(address[0]), None) for *_, address in infos]
    if not found:
        raise socket.gaierror(socket.EAI_NONAME, "no address")
    return found


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=NUMERIC)


def _range(text: str) -> range:
    """Parse one entry of `ports`: a number, or two joined by a dash."""
    first, _, last = text.strip().partition("-")
    try:
        found = range(int(first), int(last or first) + 1)
        if not found or not 0 < found[0] <= found[-1] < 65536:
            raise ValueError
    except ValueError:
        raise ConfigError(f"ports has an invalid entry {text!r}; write it like '443' or '8000-8999'") from None
    return found


def _entry(text: str) -> tuple[str, str, int | None]:
    """Parse one entry of `resolve`: a name, *.name or *, the address, and optionally a port."""
    found = ENTRY.fullmatch(text.strip().lower())
    try:
        if found is None:
            raise ValueError
        name, bracketed, plain, port = found.groups()
        address = ipaddress.IPv6Address(bracketed) if bracketed else ipaddress.ip_address(plain)
        number = range(65536)[int(port)] if port else None
    except (ValueError, IndexError):
        raise ConfigError(f"resolve has an invalid entry {text!r}; {EXAMPLE}") from None
    return name.rstrip("."), str(address), number

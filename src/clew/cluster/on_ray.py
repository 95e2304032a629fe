"""Shards as Ray actors: on this machine, where clew starts and ends Ray itself, or on a cluster that the user runs.

Ray places the shards, restarts them when they are killed, and carries calls. Nothing that matters lives in Ray: a shard
that is restarted goes on from its folder. This is the only file that imports ray, and only when it is used.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from clew.base.extras import require
from clew.cluster.places import NETWORK_DISKS, disk_of, shards_here
from clew.cluster.plan import Plan
from clew.cluster.report import Report, Word
from clew.cluster.shard import Shard
from clew.core.mail import Items, Numbers
from clew.core.runner import interruptible_at_once
from clew.core.start import Beginning
from clew.errors import ClewError, ConfigError

LOOK_SECONDS: Final = 2.0  # between two looks for the machine of a shard that is lost
CALL_SECONDS: Final = 60.0  # until a peer that does not answer is tried again
OBJECT_BYTES: Final = 100_000_000  # of Ray's object store, in which nothing is put
LOCAL: Final = {
    # A token of this run is the only door: Ray's ports listen on all interfaces, whatever is asked.
    "RAY_AUTH_MODE": "token",
    # Workers would run at niceness 15 and starve on a busy machine.
    "RAY_worker_niceness": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
"""The environment in which clew starts Ray."""


class ShardActor:
    """A shard as a Ray actor. It starts itself with the first call: so it does after a kill, too."""

    def __init__(self, plan: Plan, number: int, names: str) -> None:
        self.shard = Shard(plan, number, self._post)
        self.names = names
        self.task: asyncio.Task[None] | None = None
        self.peers: dict[int, Any] = {}

    async def report(self, word: Word) -> Report:
        """Keep to what the lead says; where the shard stands."""
        self._run()
        return self.shard.report(word)

    async def agree(self, begun: Beginning) -> None:
        """What all start pages say."""
        self.shard.agree(begun)

    async def accept(self, peer: int, items: Items) -> Numbers | None:
        """Mail of a peer."""
        self._run()
        return self.shard.accept(peer, items)

    async def stop(self, reason: str) -> None:
        """Ask for a clean end."""
        self.shard.stop(reason)

    async def process(self) -> int:
        """The id of the process, for tests that kill it."""
        return os.getpid()

    def _run(self) -> None:
        if self.task is None:
            self.task = asyncio.create_task(self.shard.run())

    async def _post(self, to: int, sender: int, items: Items) -> Numbers | None:
        ray = _ray()
        try:
            if to not in self.peers:
                self.peers[to] = ray.get_actor(f"{self.names}-{to}")
            call = self.peers[to].accept.remote(sender, items)
            numbers: Numbers | None = await asyncio.wait_for(call, CALL_SECONDS)
        except (ray.exceptions.RayError, ValueError, TimeoutError):
            # The peer is being restarted, or cannot be reached: its mail waits.
            self.peers.pop(to, None)
            return None
        return numbers


@dataclass
class RayTeam:
    """The shards of a crawl as actors."""

    plan: Plan
    names: str
    actors: list[Any] = field(default_factory=list)
    _look_at: dict[int, float] = field(default_factory=dict, init=False)  # for the machine of a shard that is lost

    async def report(self, shard: int, word: Word) -> Report | None:
        """Tell a shard what holds; where it stands."""
        report: Report | None = await self._call(shard, "report", word)
        return report

    async def agree(self, shard: int, begun: Beginning) -> None:
        """Tell a shard what all start pages say."""
        await self._call(shard, "agree", begun)

    async def stop(self, shard: int, reason: str) -> None:
        """Ask a shard for a clean end."""
        await self._call(shard, "stop", reason)

    async def process(self, shard: int) -> int:
        """The id of the process of a shard; 0 if it does not answer."""
        return await self._call(shard, "process") or 0

    async def _call(self, shard: int, name: str, *arguments: Any) -> Any:
        errors = _ray().exceptions
        try:
            # Not cut off: what is told in a call must not arrive after the next one.
            return await getattr(self.actors[shard], name).remote(*arguments)
        except (errors.ActorUnschedulableError, errors.ActorDiedError):
            await self._bring_back(shard)
        except errors.RayError:
            # Ray restarts it.
            pass
        return None

    async def _bring_back(self, shard: int) -> None:
        """The machine of a shard is gone, which Ray knows by a number: when it comes back, it has another one."""
        now = time.monotonic()
        if now < self._look_at.get(shard, 0.0):
            return
        self._look_at[shard] = now + LOOK_SECONDS
        ray = _ray()
        with suppress(ray.exceptions.RayError):
            places = await asyncio.to_thread(_places, ray, self.plan)
            if shard in places.found:
                self.actors[shard] = _actor(ray, self.plan, self.names, shard, places.found[shard])


@contextmanager
def ray_team(plan: Plan, is_new: bool = True) -> Iterator[RayTeam]:
    """Start Ray, or join a cluster, with one actor for each shard; they end with this process."""
    with _connected(plan.config.fetch.cluster, plan.shards) as ray:
        names = f"clew-{secrets.token_hex(6)}"
        try:
            nodes = _nodes(ray, plan, is_new)
            yield RayTeam(plan, names, [_actor(ray, plan, names, shard, node) for shard, node in enumerate(nodes)])
        finally:
            for shard in range(plan.shards):
                with suppress(Exception):
                    ray.kill(ray.get_actor(f"{names}-{shard}"))


@contextmanager
def _connected(address: str, shards: int) -> Iterator[Any]:
    """Ray, running; what clew has started ends with the crawl."""
    settings = {} if address else LOCAL | {"RAY_AUTH_TOKEN": _token()}
    before = {name: os.environ.get(name) for name in settings}
    # Before the import: Ray reads some of them only then.
    os.environ.update(settings)
    ray = _ray()
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "namespace": "clew"}
    own = {"include_dashboard": False, "object_store_memory": OBJECT_BYTES, "num_cpus": shards}
    try:
        if address:
            ray.init(address=address, **quiet)
        else:
            _start(ray, **own, **quiet)
        yield ray
    except ConnectionError as error:
        raise ConfigError(
            f"no Ray cluster answers at {address}: start one with 'ray start --head' ({error})"
        ) from error
    finally:
        ray.shutdown()
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def _start(ray: Any, **settings: Any) -> None:
    """Start Ray on this machine; it gives up after half a minute, which can be too short on a busy one."""
    for is_last in (False, True):
        try:
            with interruptible_at_once():
                ray.init(address="local", **settings)
            return
        # Ray raises no class of its own.
        except Exception as error:
            if "timed out" not in str(error):
                raise
            ray.shutdown()
            if is_last:
                raise ClewError("Ray has not started in a minute: is this machine very busy?") from error


@cache
def _token() -> str:
    """One for all crawls of this process: Ray reads it once."""
    if "ray" in sys.modules and os.environ.get("RAY_AUTH_MODE") != "token":
        raise ConfigError(
            "Ray was imported before the crawl, with its token off: import it later, or start Python with "
            "RAY_AUTH_MODE=token"
        )
    return os.environ.get("RAY_AUTH_TOKEN") or secrets.token_hex(32)


def _actor(ray: Any, plan: Plan, names: str, shard: int, node: str) -> Any:
    # No CPU is reserved: a shard waits for the network most of the time.
    usual = {"num_cpus": 0, "max_restarts": -1, "max_task_retries": 0, "max_concurrency": 1000}
    # Where its folder is, there a shard stays.
    place = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node_id=node, soft=False)
    named = ray.remote(ShardActor).options(name=f"{names}-{shard}", scheduling_strategy=place, **usual)
    return named.remote(plan, shard, names)


class _Places(NamedTuple):
    """The machines of a cluster."""

    nodes: list[str]  # that are there
    found: dict[int, str]  # by shard: the one that has its folder


def _nodes(ray: Any, plan: Plan, is_new: bool) -> list[str]:
    """The node of each shard: the one that has its folder, or the next in turn."""
    nodes, found = _places(ray, plan)
    missing = [shard for shard in range(plan.shards) if shard not in found]
    if missing and found and not is_new:
        # Each shard has a folder since the crawl began: a new one would visit all of its pages again.
        raise ConfigError(
            f"none of the machines that are there has the folder of shard {', '.join(map(str, missing))}; start Ray on "
            "theirs, then try again"
        )
    return [found.get(shard, nodes[shard % len(nodes)]) for shard in range(plan.shards)]


def _places(ray: Any, plan: Plan) -> _Places:
    """Look on all machines."""
    alive = [node for node in ray.nodes() if node["Alive"]]
    # A head that was started without processors is not meant to work.
    nodes = [node["NodeID"] for node in alive if node["Resources"].get("CPU")] or [node["NodeID"] for node in alive]
    look = ray.remote(_look)
    affinity = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
    folders = [str(plan.folder.absolute()), *plan.config.fetch.cache]
    calls = [look.options(num_cpus=0, scheduling_strategy=affinity(node, soft=False)).remote(folders) for node in nodes]
    looks: list[tuple[list[int], list[str]]] = ray.get(calls)
    for _, disks in looks:
        _refuse_network_disks(folders, disks)
    return _Places(nodes, {shard: node for node, (shards, _) in zip(nodes, looks, strict=True) for shard in shards})


def _refuse_network_disks(folders: Sequence[str], disks: Sequence[str]) -> None:
    for folder, disk in zip(folders, disks, strict=True):
        if disk in NETWORK_DISKS:
            raise ConfigError(
                f"{folder} is on a network disk ({disk}), where databases that several processes write are not safe: "
                "choose a folder on a local disk of each machine"
            )


def _look(folders: Sequence[str]) -> tuple[list[int], list[str]]:
    """On a node: the shards whose folders are in the first of these, and the kind of disk of each."""
    return shards_here(Path(folders[0])), [disk_of(Path(folder)) for folder in folders]


def _ray() -> Any:
    require("ray", "several shards", "leave out --shards: a laptop needs none")
    import ray
    import ray.util.scheduling_strategies

    return ray

"""What lies where: the shards on this machine, and the kind of disk on which a folder is."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from clew.store.database import SHARDS
from clew.store.whole import shard_folders

NETWORK_DISKS: Final = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "lustre", "glusterfs", "afs", "fuse.sshfs", "fuse.glusterfs"}
)
"""Kinds of file systems on which the locks of a database cannot be trusted."""


def shards_here(folder: Path) -> list[int]:
    """The numbers of the shards whose folders are on this machine."""
    return [int(path.name) for path in shard_folders(folder)] if (folder / SHARDS).is_dir() else []


def disk_of(folder: Path, mounts: str = "/proc/mounts") -> str:
    """The kind of file system on which a folder is, or will be; "" if it is not known."""
    try:
        lines = Path(mounts).read_text().splitlines()
    except OSError:
        return ""
    folder = folder.absolute()
    kinds = {line.split()[1]: line.split()[2] for line in lines}
    return next((kinds[str(path)] for path in (folder, *folder.parents) if str(path) in kinds), "")

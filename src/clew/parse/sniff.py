"""Content sniffing: files that are not text have magic numbers, or bytes that do not occur in text."""

from __future__ import annotations

import re
from typing import Final

SNIFF: Final = 1024  # bytes in which a file shows that it is not text
BYTES_PER_CONTROL: Final = 10  # text with stray control characters has fewer than one in so many bytes

# Each requires more than letters, because a text may begin with any word: "BMW", "ID3", "MZ".
MAGIC: Final[dict[str, bytes]] = {
    "application/pdf": rb"%PDF-",
    "application/postscript": rb"%!PS-Adobe-",
    "application/rtf": rb"\{\\rtf",
    "application/gzip": rb"\x1f\x8b\x08",
    "application/zip": rb"PK(?:\x03\x04|\x05\x06|\x07\x08)",
    "application/x-rar": rb"Rar!\x1a\x07",
    "application/x-7z": rb"7z\xbc\xaf\x27\x1c",
    "application/x-xz": rb"\xfd7zXZ\x00",
    "application/x-bzip2": rb"BZh[1-9]1AY&SY",
    "application/zstd": rb"\x28\xb5\x2f\xfd",
    "application/x-executable": rb"\x7fELF|MZ[\x00-\xff]{2}[\x00-\x20]\x00|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe",
    "application/wasm": rb"\x00asm",
    "application/x-sqlite": rb"SQLite format 3\x00",
    "application/x-ole": rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "image/png": rb"\x89PNG\r\n\x1a\n",
    "image/jpeg": rb"\xff\xd8\xff",
    "image/gif": rb"GIF8[79]a",
    "image/webp": rb"RIFF[\x00-\xff]{4}WEBPVP",
    "image/bmp": rb"BM[\x00-\xff]{4}\x00\x00\x00\x00",
    "image/tiff": rb"II\*\x00|MM\x00\*",
    "image/x-icon": rb"\x00\x00[\x01\x02]\x00",
    "image/avif": rb"\x00\x00[\x00-\xff]{2}ftyp(?:avif|heic|mif1)",
    "image/vnd.djvu": rb"AT&TFORM",
    "audio/mpeg": rb"ID3[\x02-\x04]\x00",
    "audio/flac": rb"fLaC\x00",
    "audio/wave": rb"RIFF[\x00-\xff]{4}WAVE",
    "audio/midi": rb"MThd\x00\x00\x00\x06",
    "application/ogg": rb"OggS\x00",
    "video/mp4": rb"\x00\x00[\x00-\xff]{2}ftyp",
    "video/avi": rb"RIFF[\x00-\xff]{4}AVI ",
    "video/webm": rb"\x1a\x45\xdf\xa3",
    "application/x-flash": rb"[CFZ]WS[\x01-\x20][\x00-\xff]{4}[\x00-\x1fx]",
    "font/woff": rb"wOF[F2](?:\x00\x01\x00\x00|OTTO|true)",
    "font/sfnt": rb"\x00\x01\x00\x00\x00|OTTO\x00|ttcf\x00",
}
KINDS: Final = tuple(MAGIC)
# One pattern with a group per type: all are tried in a single call.
_magic: Final = re.compile(b"|".join(b"(%b)" % pattern for pattern in MAGIC.values())).match
_CONTROLS: Final = bytes([*range(1, 8), 11, *range(14, 27), 28, 29, 30, 31, 127])


def magic(body: bytes) -> str:
    """The type of a file by its first bytes, or "" if it may be text.

    >>> magic(b"GIF89a..."), magic(b"GIFs are pictures")
    ('image/gif', '')
    """
    found = _magic(body)
    return KINDS[(found.lastindex or 1) - 1] if found else ""


def noise(text: bytes) -> bool:
    """Whether bytes are not text: a NUL near the beginning, or many control characters.

    The bytes must be in UTF-8 or a single-byte charset.

    >>> noise(b"a stray \\x07 does no harm"), noise(b"\\x01\\x02\\x03"), noise(b"a\\0")
    (False, True, True)
    """
    head = text[:SNIFF]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return b"\0" in head or controls * BYTES_PER_CONTROL > len(head)

"""Optional libraries: the crawl itself works without them, and what needs one says which extra brings it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from clew.errors import ConfigError

DISTRIBUTION: Final = "clew-crawler"

EXTRAS: Final = {
    "matplotlib": "plots",
    "mcp": "mcp",
    "pandas": "pandas",
    "playwright": "browser",
    "pyarrow": "parquet",
    "pypdf": "pdf",
    "ray": "cluster",
    "rdflib": "ontology",
    "starlette": "serve",
    "trafilatura": "text",
    "uvicorn": "serve",
}  # the library, by the name it is imported under, and the extra that installs it
NAMES: Final = {"playwright": "Playwright", "ray": "Ray"}  # where people know it by another name


def installed(library: str) -> bool:
    """Whether a library can be imported; it is not imported to find out.

    >>> installed("numpy"), installed("no_such_library")
    (True, False)
    """
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):
        # An import hook refuses it, or a module under that name was made by hand and has no spec.
        return False


def require(library: str, purpose: str, otherwise: str = "") -> None:
    """Raise a ConfigError that names the extra if the library is missing; `purpose` is the subject, in the plural.

    >>> require("no_such_library", "miracles")
    Traceback (most recent call last):
    clew.errors.ConfigError: miracles need no_such_library: pip install no_such_library
    """
    if not installed(library):
        raise ConfigError(missing(library, purpose, otherwise))


def missing(library: str, purpose: str, otherwise: str = "") -> str:
    """The message: what needs which library, how to install it, and what to do otherwise.

    >>> missing("matplotlib", "plots")
    "plots need matplotlib: pip install 'clew-crawler[plots]'"
    """
    extra = EXTRAS.get(library)
    target = f"'{DISTRIBUTION}[{extra}]'" if extra else library
    message = f"{purpose} need {NAMES.get(library, library)}: pip install {target}"
    return f"{message}, or {otherwise}" if otherwise else message

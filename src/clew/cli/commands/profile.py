"""Show the profiles of users, and the pages that users of like taste recommend to each other.

A profile is what a user has labelled, in all crawls: 'clew label FOLDER URL yes --user NAME'. It is kept
in ~/.local/share/clew/profiles (XDG_DATA_HOME moves it), or in a file that you name with --profile.

A profile can be an interest (clew crawl profile:anna), an example of a topic (profile://anna), and what
the strategy fab starts with (--strategy fab --users anna,bob).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from clew.cli.flags import add_output_flags
from clew.cli.terminal import clean, counted, dump, err, number, out, say, words

if TYPE_CHECKING:
    from clew.core.users import Recommendation
    from clew.store.profiles import UserProfile

EXAMPLES = """
  clew profile list
  clew profile show anna
  clew profile recommend anna
  clew profile recommend anna crawls/baltic crawls/harbours
  clew profile learn anna crawls/baltic
"""
LIST = "List the users who have a profile, with the users of like taste: those whose profiles have a cosine above 0.5."
SHOW = "Show the strongest terms of a profile, and the pages that it is made of."
RECOMMEND = """Recommend pages that a user has not rated yet: pages that users of like taste want or, if crawl
folders are named, pages of these crawls that match the profile."""
LEARN = """Bring a profile up to date with the labels that the user gave in a crawl. 'clew label --user' does
this by itself, except for pages that were not visited yet when they were labelled."""
MAX_TERMS = 12

Action = Callable[[argparse.Namespace], int]


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    subcommands = parser.add_subparsers(title="commands", metavar="list|show|recommend|learn", required=True)

    def add(name: str, action: Action, help: str, text: str, example: str) -> argparse.ArgumentParser:
        each = subcommands.add_parser(name, help=help, description=text, epilog=f"examples:\n  clew profile {example}")
        add_output_flags(each)
        each.set_defaults(parser=each, action=action)
        return each

    add("list", show_all, "list all users", LIST, "list")
    one = add("show", show, "show the profile of a user", SHOW, "show anna")
    one.add_argument("user", metavar="NAME", help="user, or the file of a profile")
    some = add("recommend", recommend, "recommend pages to a user", RECOMMEND, "recommend anna crawls/baltic")
    some.add_argument("user", metavar="NAME", help="user, or the file of a profile")
    some.add_argument("folders", metavar="FOLDER", nargs="*", default=[], help="crawl folders to search for pages")
    some.add_argument("--most", type=int, default=20, metavar="N", help="most pages to show (default: %(default)s)")
    learn_flags = add("learn", learn, "take over the labels of a crawl", LEARN, "learn anna crawls/baltic")
    learn_flags.add_argument("user", metavar="NAME", help="user whose labels they are")
    learn_flags.add_argument("folders", metavar="FOLDER", nargs="+", help="crawl folders with labels of the user")
    learn_flags.add_argument("--profile", default="", metavar="FILE", help="keep the profile in this file")


def run(args: argparse.Namespace) -> int:
    """Run the subcommand."""
    return int(args.action(args))


def show_all(args: argparse.Namespace) -> int:
    """List all users, with the users of like taste."""
    from clew.core.users import similar_users
    from clew.store.profiles import profile_names, read_profile

    profiles = [read_profile(name) for name in profile_names()]
    if args.quiet and not args.json:
        say("\n".join(profile.user for profile in profiles))
        return 0
    if args.json:
        dump([_plain(profile) for profile in profiles])
        return 0
    if not profiles:
        err().print("There are no profiles. To begin one: clew label FOLDER URL yes --user NAME", markup=False)
        return 0
    table = Table(box=None, header_style="dim")
    for column in ("user", "wanted", "unwanted", "strongest terms", "like taste"):
        table.add_column(column, overflow="fold", justify="right" if column.endswith("wanted") else "left")
    for profile in profiles:
        alike = [f"{other.user} ({likeness:.2f})" for other, likeness in similar_users(profile, profiles)]
        counts = [str(len(profile.rated(relevant))) for relevant in (True, False)]
        table.add_row(words(profile.user), *counts, words(", ".join(_terms(profile)[:5])), words(", ".join(alike)))
    out().print(table)
    return 0


def show(args: argparse.Namespace) -> int:
    """Show one profile."""
    from clew.store.profiles import read_profile

    profile = read_profile(args.user)
    if args.json:
        dump(_plain(profile))
        return 0
    say(f"{clean(profile.user)}: {counted(len(profile.pages), 'rated page')}")
    vector = profile.vector()
    out().print(Text(clean(", ".join(f"{term} {vector[term]:+.2f}" for term in _terms(profile)[:MAX_TERMS]))))
    table = Table(box=None, header_style="dim")
    table.add_column("wanted")
    table.add_column("page", style="cyan", overflow="fold")
    table.add_column("title", overflow="fold")
    for page in profile.pages:
        table.add_row("yes" if page.relevant else "no", words(page.url), words(page.title))
    out().print(table)
    return 0


def recommend(args: argparse.Namespace) -> int:
    """Recommend pages to a user, from other users or from crawls."""
    from clew.core.users import recommend, recommend_from_crawls
    from clew.store.profiles import profile_names, read_profile

    profile = read_profile(args.user)
    if args.folders:
        found = recommend_from_crawls(profile, args.folders, args.most)
    else:
        found = recommend(profile, [read_profile(name) for name in profile_names()], args.most)
    if args.json:
        dump([each._asdict() for each in found])
    elif args.quiet:
        say("\n".join(each.url for each in found))
    elif found:
        out().print(_recommendations(found))
    else:
        whose = "no page of these crawls matches the profile" if args.folders else "no user of like taste wants a page"
        err().print(f"Nothing to recommend: {whose} that {clean(profile.user)} has not rated.", markup=False)
    return 0


def learn(args: argparse.Namespace) -> int:
    """Bring a profile up to date."""
    from clew.core.users import learn_ratings

    for folder in args.folders:
        profile = learn_ratings(folder, args.user, args.profile)
    if args.json:
        dump(_plain(profile))
    elif not args.quiet:
        say(f"{clean(profile.user)}: {counted(len(profile.pages), 'rated page')}")
    return 0


def _recommendations(found: list[Recommendation]) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column("score", justify="right")
    table.add_column("recommended by")
    table.add_column("page", style="cyan", overflow="fold")
    table.add_column("title", overflow="fold")
    for each in found:
        by = ", ".join(each.by) or "the profile"
        table.add_row(number(each.score), words(by), words(each.url), words(each.title))
    return table


def _terms(profile: UserProfile) -> list[str]:
    """Return the terms of a profile, the most wanted first."""
    vector = profile.vector()
    return sorted(vector, key=lambda term: (-vector[term], term))


def _plain(profile: UserProfile) -> dict[str, object]:
    pages = [{"url": page.url, "relevant": page.relevant, "title": page.title, "at": page.at} for page in profile.pages]
    return {"user": profile.user, "terms": profile.vector(), "pages": pages}

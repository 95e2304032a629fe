"""Orders after which all pages are judged again: another interest, another threshold."""

from __future__ import annotations

from clew.config import Config, configure
from clew.core import feedback
from clew.core.build import build_parts
from clew.core.order_kind import EndsCrawl, ListedOrder, ToldCrawl, order_value
from clew.errors import ClewError, ConfigError, StartError
from clew.interests import BUILT_IN_JUDGES
from clew.interests.parser import parse


class _Judging(ListedOrder):
    """An order after which all pages are judged again."""

    judges_again = True

    def waits_for_quiet(self, crawl: ToldCrawl) -> bool:
        """Only where all is done at once."""
        return not self._is_gradual(crawl)

    def check(self) -> None:
        """One argument, as a formula with spaces must be quoted."""
        super().check()
        if len(self.words) != 1:
            raise ConfigError(f"{self.name} takes one argument: put it in quotes")

    def apply(self, crawl: ToldCrawl) -> str:
        """Judge all pages again, by what the settings say then."""
        engine = crawl.engine
        if not isinstance(crawl.own.interest, str) or not isinstance(crawl.own.judge, str | None):
            raise ConfigError("the interest of this crawl is an object of the program that started it")
        config = self.changed(crawl.config)
        # Mistakes in the formula show here, before anything has changed.
        build_parts(config, crawl.own._replace(strategy=engine.state.strategy), crawl.folder.examples())
        before = engine.config
        engine.change_settings(config)
        try:
            feedback.catch_up(engine, crawl.folder, config, crawl.own, gradually=self._is_gradual(crawl))
        except StartError:
            # No start page is about the new interest: nothing has changed yet.
            engine.change_settings(before)
            raise
        except ClewError as error:
            raise EndsCrawl(str(error)) from error
        return "all pages are judged again"

    def _is_gradual(self, crawl: ToldCrawl) -> bool:
        """Whether the crawl goes on meanwhile; a judge of the user's own may fail, and then nothing must be changed."""
        return crawl.is_running and crawl.config.what.judge in BUILT_IN_JUDGES


class Interest(_Judging):
    """Look for something else; all pages are judged again."""

    name = "interest"
    usage = "interest FORMULA"

    def check(self) -> None:
        """The formula must be one."""
        super().check()
        parse(self.words[0])

    def changed(self, config: Config) -> Config:
        """Another interest."""
        return configure(config, interest=self.words[0])


class Threshold(_Judging):
    """Change the relevance from which pages count; all pages are judged again."""

    name = "threshold"
    usage = "threshold X"

    def changed(self, config: Config) -> Config:
        """Another threshold."""
        return configure(config, threshold=order_value(self.words[0]))

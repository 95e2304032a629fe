import gc

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from clew.base.single_thread import one_thread, shared


def threads() -> set[int]:
    assert np.linalg.solve(np.eye(2), np.ones(2)).sum() == 2  # so that the library is loaded
    return {library["num_threads"] for library in threadpool_info()}


def test_it_calculates_in_one_thread() -> None:
    with threadpool_limits(2):
        before = threads()
        with one_thread():
            assert threads() == {1}
        assert threads() == before


def test_it_lasts_until_the_last_one_has_left_whatever_their_order() -> None:
    with threadpool_limits(2):
        before = threads()
        first, second = one_thread(), one_thread()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert threads() == {1}
        second.__exit__(None, None, None)
        assert threads() == before


def test_any_change_of_the_process_can_be_shared() -> None:
    held = shared(lambda: _Frozen())
    was = gc.isenabled()
    with held(), held():
        assert not gc.isenabled()
    assert gc.isenabled() == was


class _Frozen:
    def __enter__(self) -> None:
        self.was = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self.was:
            gc.enable()

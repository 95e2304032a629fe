from __future__ import annotations

import base64
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.base.codec import dumps, loads

KEYS = st.text() | st.integers() | st.tuples(st.integers(), st.text())
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner) | st.sets(st.text()),
    max_leaves=20,
)


@given(VALUES)
def test_what_is_written_is_read_back(value: object):
    assert loads(dumps(value)) == value


@pytest.mark.parametrize("key", ["~a", "~t", "~s", "~d", "~"])
def test_keys_that_look_like_our_own_signs(key: str):
    assert loads(dumps({key: [1]})) == {key: [1]}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint64", "bool", "<U5"])
@pytest.mark.parametrize("shape", [(0,), (), (3,), (2, 3)])
def test_arrays_keep_type_and_shape(dtype: str, shape: tuple[int, ...]):
    array = np.ones(shape, dtype=dtype)
    back = loads(dumps({"w": [array]}))["w"][0]
    assert back.dtype == array.dtype
    assert back.shape == shape
    assert np.array_equal(back, array)


def test_numpy_numbers_become_plain_ones():
    assert loads(dumps({"n": np.int64(3), "x": np.float32(0.5)})) == {"n": 3, "x": 0.5}


def test_infinities_survive():
    assert loads(dumps([float("inf"), -float("inf")])) == [float("inf"), -float("inf")]


@pytest.mark.parametrize("value", [object(), {"f": len}, b"bytes", np.array([object()])])
def test_what_cannot_be_saved_is_refused(value: object):
    with pytest.raises((TypeError, ValueError)):
        dumps(value)


def test_bytes_do_not_depend_on_the_hash_seed(under_hash_seeds):
    program = "from clew.base.codec import dumps; print(dumps({'s': {'a', 'b', 'c', 'd'}, 'f': frozenset('xyz')}))"
    assert len(under_hash_seeds(program)) == 1


def test_the_format_is_json():
    assert json.loads(dumps({"a": (1,)})) == {"a": {"~t": [1]}}


def test_arrays_of_older_folders_are_read():
    # As versions before 0.2 wrote them: base85 of an .npy file.
    out = io.BytesIO()
    np.save(out, np.array([[1.5, 2.0]], np.float32))
    written = json.dumps({"x": {"~a": base64.b85encode(out.getvalue()).decode()}})
    found = loads(written.encode())["x"]
    assert found.dtype == np.float32
    assert found.tolist() == [[1.5, 2.0]]

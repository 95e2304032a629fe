from __future__ import annotations

import base64
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.base import bulk
from clew.base.codec import MAGIC, PIECE, dumps, dumps_text, loads

KEYS = st.text() | st.integers() | st.tuples(st.integers(), st.text())
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner) | st.sets(st.text()),
    max_leaves=20,
)


def many(values: st.SearchStrategy[object]) -> st.SearchStrategy[list[object]]:
    return st.lists(values, min_size=bulk.MIN_VALUES)


LONG = st.one_of(
    many(st.integers(-(2**70), 2**70)),
    many(st.integers(0, 2**64 - 1)),
    many(st.floats(allow_nan=False) | st.integers()),
    many(st.booleans()),
    many(st.text()),
    many(st.lists(st.integers(0, 2**63 - 1), max_size=3)),
    many(st.tuples(st.integers(0, 9), st.text(), st.booleans())),
    many(st.tuples(st.integers()) | st.tuples()),
    many(st.fixed_dictionaries({"a": st.floats(allow_nan=False), "b": st.text()})),
    st.dictionaries(st.integers(), st.tuples(st.integers(0, 2**64 - 1), st.integers()), min_size=bulk.MIN_VALUES),
    st.dictionaries(st.integers(), st.lists(st.integers(0, 9)), min_size=bulk.MIN_VALUES),
)


def kinds(value: object) -> object:
    """True equals 1, and 1 equals 1.0; their types tell them apart."""
    if isinstance(value, dict):
        return [(kinds(key), kinds(item)) for key, item in value.items()]
    return (type(value), [*map(kinds, value)] if isinstance(value, list | tuple) else value)


@given(VALUES)
def test_what_is_written_is_read_back(value: object):
    assert loads(dumps(value)) == loads(dumps_text(value)) == value


@given(LONG)
def test_long_lists_and_dictionaries_keep_values_types_and_order(value: object):
    assert kinds(loads(dumps({"x": value}))["x"]) == kinds(value)
    assert kinds(loads(dumps_text(value))) == kinds(value)


def test_long_lists_of_numbers_are_no_text():
    assert dumps([*range(1000)]).startswith(MAGIC)
    assert len(dumps({number: (number, [1, 2]) for number in range(1000)})) < 50_000


def test_a_long_array_begins_where_a_piece_begins():
    numbers = np.arange(50_000)
    short, long = (dumps({"n": [1.5] * size, "x": numbers, "y": np.ones(9)}) for size in (100, 20_000))
    assert loads(long)["x"].tolist() == numbers.tolist()
    assert short.index(numbers.tobytes()) % PIECE == long.index(numbers.tobytes()) % PIECE == 0


def test_arrays_can_be_changed_after_they_are_read():
    back = loads(dumps(np.zeros(3)))
    back[1] = 5
    assert back.tolist() == [0, 5, 0]


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


def test_arrays_with_fields_and_in_other_orders_survive():
    rows = np.array([(1, 2.5), (3, 4.5)], dtype=[("n", "i4"), ("x", "f8")])
    columns = np.asfortranarray(np.arange(6).reshape(2, 3))
    back = loads(dumps({"rows": rows, "columns": columns, "turned": columns.T}))
    assert back["rows"].tolist() == rows.tolist()
    assert back["rows"].dtype == rows.dtype
    assert back["columns"].tolist() == columns.tolist()
    assert back["turned"].tolist() == columns.T.tolist()


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

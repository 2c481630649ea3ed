"""Tables as data frames of pandas, polars and pyarrow, which are imported when they are asked for."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, List, Sequence

from . import _native
from ._extras import needed


def columns_to_arrow(columns: Sequence[_native.ColumnBuffers]) -> Any:
    """A pyarrow.Table over the buffers of the columns, which are not copied."""
    pyarrow = needed("pyarrow", "to_arrow()", "data")
    types = {"number": pyarrow.int64(), "flag": pyarrow.bool_(), "text": pyarrow.large_string()}

    def array(column: _native.ColumnBuffers) -> Any:
        buffers = [column.validity(), column.values()]
        if column.kind == "text":
            buffers.insert(1, column.offsets())
        return pyarrow.Array.from_buffers(types[column.kind], len(column), [pyarrow.py_buffer(buffer) for buffer in buffers])

    return pyarrow.Table.from_arrays([array(column) for column in columns], names=[column.name for column in columns])


def columns_to_pandas(columns: Sequence[_native.ColumnBuffers]) -> Any:
    """A pandas.DataFrame with the types Int64, boolean and string, in which every cell may be missing."""
    pandas = needed("pandas", "to_pandas()", "data")
    import numpy

    def bits(buffer: bytes, count: int) -> Any:
        return numpy.unpackbits(numpy.frombuffer(buffer, "u1"), count=count, bitorder="little").astype(bool)

    def array(column: _native.ColumnBuffers) -> Any:
        missing = ~bits(column.validity(), len(column))
        if column.kind == "number":
            return pandas.arrays.IntegerArray(numpy.frombuffer(column.values(), "<i8").astype("int64"), missing)
        if column.kind == "flag":
            return pandas.arrays.BooleanArray(bits(column.values(), len(column)), missing)
        text, ends = column.values(), numpy.frombuffer(column.offsets(), "<i8")
        texts = [
            None if is_missing else text[begin:end].decode()
            for begin, end, is_missing in zip(ends[:-1], ends[1:], missing)
        ]
        return pandas.array(texts, dtype="string")

    return pandas.DataFrame({column.name: array(column) for column in columns})


def arrow_to_polars(table: Callable[[], Any]) -> Any:
    """A polars.DataFrame of the pyarrow.Table that `table` returns."""
    polars = needed("polars", "to_polars()", "polars")
    needed("pyarrow", "to_polars()", "polars")
    return polars.from_arrow(table())


def rows_to_arrow(rows: Iterable[Dict[str, Any]]) -> Any:
    """A pyarrow.Table of rows of a document: the keys of nested objects are joined by points."""
    pyarrow = needed("pyarrow", "to_arrow()", "data")
    flat = [_flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    return pyarrow.table({name: [row.get(name) for row in flat] for name in names})


def rows_to_pandas(rows: List[Dict[str, Any]]) -> Any:
    """The same as a pandas.DataFrame."""
    return needed("pandas", "to_pandas()", "data").json_normalize(rows)


def _flat(row: Dict[str, Any], prefix: str = "") -> Dict[str, Any]:
    flat: Dict[str, Any] = {}
    for key, value in row.items():
        name = prefix + key
        flat.update(_flat(value, name + ".") if isinstance(value, dict) else {name: value})
    return flat

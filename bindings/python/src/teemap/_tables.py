# SPDX-License-Identifier: Zlib
"""Classes that are made from the library's tables when the package is imported: an attribute for each field, a numpy type for
each struct that lies in arrays, a method for each operation. New fields and operations need no line here."""
from functools import lru_cache

from . import _words
from ._core import UnreadError, call, encode, ffi, lib
from ._numpy import np
from ._words import text

FORMATS = {"INT32": "i4", "UINT32": "u4", "INT16": "i2", "UINT8": "u1", "BOOL": "?", "COLOR": ("i4", (4,)), "POINT": ("i4", (2,))}
STORED = {value: FORMATS.get(name[len("TM_STORED_"):]) for value, name in ffi.typeof("tm_field_storage").elements.items()}
KINDS = {lib.TM_KIND_IMAGE: "image", lib.TM_KIND_SOUND: "sound", lib.TM_KIND_ENVELOPE: "envelope", lib.TM_KIND_GROUP: "group"}


@lru_cache(maxsize=None)
def fields(owner):
    return _words.fields(ffi, lib, owner)


@lru_cache(maxsize=None)
def element_type(owner):
    """The numpy type of a struct: a field for each row of its table, in stored units (fixed point as value * 1024)."""
    names, formats, offsets = [], [], []
    for field in fields(owner):
        stored = STORED[field.row.storage]
        if stored is None or field.row.flags & lib.TM_FIELD_ALIAS:
            continue
        if field.row.num_values > 1:
            kind, shape = stored if isinstance(stored, tuple) else (stored, ())
            stored = (kind, (field.row.num_values, *shape))
        names.append(field.name)
        formats.append(stored)
        offsets.append(field.row.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": lib.tm_kind_size(owner)})


def get_value(map, object, field):
    """A field's value as a Python object. `map`: the map of its references."""
    value = lib.tm_field_get(field.row, object, 0)
    if value.unread:
        raise UnreadError(f"{field.c_name} could not be read", "unsupported", "input", reason="it could not be read")
    kind, number = field.type, getattr(value, "as").number
    if kind in ("INT", "FLAGS", "COUNT"):
        return number
    if kind == "BOOL":
        return bool(number)
    if kind == "CHOICE":
        return text(ffi, field.row.choice(number)) or number
    if kind == "FIXED":
        return number / 1024
    if kind == "INDEX":
        return None if number < 0 else number
    if kind == "REFERENCE":
        return None if number < 0 else map._reference(KINDS[field.row.refers], number)
    if kind == "COLOR":
        color = getattr(value, "as").color
        return color.r, color.g, color.b, color.a
    if kind == "POINT":
        point = getattr(value, "as").point
        return point.x / 1024, point.y / 1024
    return text(ffi, getattr(value, "as").text)


def unread_fields(owner, object):
    """The fields of an object whose values could not be read."""
    return [field for field in fields(owner) if field.type != "COUNT" and lib.tm_field_unread(field.row, object)]


def drop_unread(map, owner, object):
    for field in unread_fields(owner, object):
        call(lib.tm_field_drop_unread, map._p, object, field.row)


def set_value(map, object, field, value):
    """Sets it; strings are read as the command line reads them, so that errors name what is allowed."""
    if field.type in ("TEXT", "NAME"):
        c = ffi.new("tm_value *", {"type": field.row.type})
        keep = ffi.new("char[]", encode(value))
        getattr(c, "as").text = keep
        return call(lib.tm_field_set, map._p, object, field.row, 0, c)
    if isinstance(value, str) and field.type == "REFERENCE":
        index = map._index_of_name(value, KINDS[field.row.refers])
        value = value if index is None else index
    if isinstance(value, str):
        return call(lib.tm_field_set_text, map._p, object, field.row, 0, encode(value))
    c = ffi.new("tm_value *", {"type": field.row.type})
    union = getattr(c, "as")
    if field.type == "COLOR":
        union.color = [whole(field, one) for one in several(field, value, 4)]
    elif field.type == "POINT":
        union.point = [round(one * 1024) for one in several(field, value, 2)]
    elif field.type == "FIXED":
        union.number = round(value * 1024)
    elif field.type == "REFERENCE":
        union.number = -1 if value is None else map._index_of(value, KINDS[field.row.refers])
    elif field.type == "INDEX" and value is None:
        union.number = -1
    else:
        union.number = whole(field, value)
    return call(lib.tm_field_set, map._p, object, field.row, 0, c)


def several(field, value, num):
    values = list(value)
    if len(values) != num:
        raise ValueError(f"{field.c_name} is made of {num} numbers, not {len(values)}")
    return values


def whole(field, value):
    try:
        number = value.__index__()
    except AttributeError:
        raise TypeError(f"{field.c_name} takes {field.write_type}, not {type(value).__name__}") from None
    if not -2**63 <= number < 2**63:
        raise ValueError(f"{field.c_name} is {number}, which no field can hold")
    return number


class Owner:
    """Something with fields; _get and _set find the struct."""

    __slots__ = ()

    def _get(self, field):
        raise NotImplementedError

    def _set(self, field, value):
        raise NotImplementedError


def attribute(field):
    def read(self):
        return self._get(field)

    def write(self, value):
        self._set(field, value)

    return property(read, write if field.writable else None, doc=field.doc)


def make_class(name, owner):
    return type(name, (Owner,), {"__slots__": (), **{field.name: attribute(field) for field in fields(owner) if field.plain}})


for _name, _owner in _words.OWNERS.items():
    globals()[_name] = make_class(_name, getattr(lib, "TM_KIND_" + _owner))


def method(operation):
    names = [one.name for one in operation.arguments]
    needed = [one.name for one in operation.arguments if not one.optional]

    def run(self, *args, **kwargs):
        if len(args) > len(names):
            raise TypeError(f"{operation.name}() takes {len(names)} arguments, not {len(args)}")
        given = dict(zip(names, args))
        for name, value in kwargs.items():
            if name not in names or name in given:
                raise TypeError(f"{operation.name}() has no argument '{name}'" if name not in names else
                                f"{operation.name}() got '{name}' twice")
            given[name] = value
        for name in needed:
            if given.get(name) is None:
                raise TypeError(f"{operation.name}() needs '{name}'")
        return self._run(operation, given)

    run.__name__ = run.__qualname__ = operation.name
    run.__doc__ = operation.doc
    return run


def __getattr__(name):
    """Makes OPERATIONS and Operations on first use, not when the package is imported."""
    if name not in ("OPERATIONS", "Operations"):
        raise AttributeError(f"module {__name__} has no attribute '{name}'")
    made = globals()["OPERATIONS"] = _words.operations(ffi, lib)
    globals()["Operations"] = type("Operations", (), {"__slots__": (), **{one.name: method(one) for one in made}})
    return globals()[name]

"""Reads an index that the compiler wrote, with the toolchain's libIndexStore."""

import ctypes

from modules import toolchain

REFERENCE = 1 << 2


class Text(ctypes.Structure):
    """`indexstore_string_ref_t`, which isn't terminated by a zero."""

    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.start, self.length).decode()


VISIT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)


def library():
    library = ctypes.CDLL(str(toolchain() / "lib/libIndexStore.so"))
    handle = ctypes.c_void_p
    for name, result, arguments in [
        ("store_create", handle, [ctypes.c_char_p, handle]),
        ("store_dispose", None, [handle]),
        ("record_reader_create", handle, [handle, ctypes.c_char_p, handle]),
        ("record_reader_dispose", None, [handle]),
        ("record_reader_symbols_apply_f", ctypes.c_bool, [handle, ctypes.c_bool, handle, VISIT]),
        ("symbol_get_usr", Text, [handle]),
        ("symbol_get_roles", ctypes.c_uint64, [handle]),
    ]:
        function = getattr(library, f"indexstore_{name}")
        function.restype, function.argtypes = result, arguments
    return library


def referenced(folder):
    """The identifiers (USRs) of the declarations that Swift files refer to."""
    index, found = library(), set()
    store = index.indexstore_store_create(str(folder).encode(), None)
    assert store, f"there is no index in {folder}"

    @VISIT
    def visit(_, symbol):
        if index.indexstore_symbol_get_roles(symbol) & REFERENCE:
            found.add(str(index.indexstore_symbol_get_usr(symbol)))
        return True

    # The other records are about headers and modules.
    for record in folder.glob("v*/records/*/*.swift-*"):
        reader = index.indexstore_record_reader_create(store, record.name.encode(), None)
        assert reader, f"{record} can't be read"
        index.indexstore_record_reader_symbols_apply_f(reader, True, None, visit)
        index.indexstore_record_reader_dispose(reader)
    index.indexstore_store_dispose(store)
    return found

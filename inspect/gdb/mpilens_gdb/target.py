# SPDX-License-Identifier: BSD-3-Clause
"""Symbols, types and places of the selected inferior, as gdb knows them."""
import contextlib
import os
import re

import gdb

from . import escaped

_FORTRAN = re.compile(r"\.f(\d\d|or|pp|tn)?$", re.IGNORECASE)  # names of files


class Selection:
    """The inferior that the user has selected, while others are looked at. gdb looks at the selected one only."""

    def __init__(self):
        self.before = None  # (inferior, thread, level of its frame)

    def move(self, inferior):
        """gdb.error: it has no thread."""
        if inferior.num == gdb.selected_inferior().num:
            return
        threads = inferior.threads()
        if not threads:
            raise gdb.error("There is no process.")
        if self.before is None:
            try:
                level = gdb.selected_frame().level()
            except gdb.error:
                level = 0
            self.before = gdb.selected_inferior(), gdb.selected_thread(), level
        threads[0].switch()

    def restore(self):
        if self.before is None:
            return
        (inferior, thread, level), self.before = self.before, None
        if thread is None:
            gdb.execute(f"inferior {inferior.num}", to_string=True)
            return
        thread.switch()
        if level > 0:
            gdb.execute(f"frame level {level}", to_string=True)


@contextlib.contextmanager
def selected(inferior):
    """While another inferior is looked at."""
    selection = Selection()
    try:
        selection.move(inferior)
        yield
    finally:
        selection.restore()


def _evaluate_address(name):
    with gdb.with_parameter("language", "c"):
        return int(gdb.parse_and_eval(f"(unsigned long) &'{name}'"))


def find_symbol(name):
    """Address of a global variable or function, None: there is none. Debug information is not needed."""
    for lookup in (gdb.lookup_global_symbol, gdb.lookup_static_symbol):
        try:
            symbol = lookup(name)
            if symbol is not None:
                return int(symbol.value().address)
        except (gdb.error, TypeError):
            pass
    try:
        return _evaluate_address(name)
    except gdb.error:
        return None


def find_type(name):
    """gdb.Type, None: there is none."""
    with gdb.with_parameter("language", "c"):
        for prefix in ("", "struct ", "union ", "enum "):
            try:
                return gdb.lookup_type(prefix + name)
            except gdb.error:
                pass
    return None


def field_offset(kind, name):
    """Bytes, -1: there is no such field."""
    for field in kind.strip_typedefs().fields():
        if field.name == name and hasattr(field, "bitpos"):
            return field.bitpos // 8
    return -1


def type_sizes():
    """Bytes of short, int, long, long long and a pointer."""
    with gdb.with_parameter("language", "c"):
        return [gdb.lookup_type(name).sizeof for name in ("short", "int", "long", "long long")] + [
            gdb.lookup_type("char").pointer().sizeof
        ]


def is_big_endian():
    return "big endian" in gdb.execute("show endian", to_string=True)


def read_memory(address, size):
    """Raises gdb.MemoryError."""
    return bytes(gdb.selected_inferior().read_memory(address, size))


def read_pointer(address):
    size = type_sizes()[-1]
    return int.from_bytes(read_memory(address, size), "big" if is_big_endian() else "little")


def read_string(address, limit=4096):
    """Bytes up to the first NUL; b'' where nothing can be read."""
    result = b""
    while len(result) < limit:
        step = 64 - (address + len(result)) % 64  # never into a page that is not needed
        try:
            part = read_memory(address + len(result), step)
        except gdb.MemoryError:
            return b""
        result += part.split(b"\0")[0]
        if b"\0" in part:
            break
    return result


def _is_first_line(line, block):
    """Whether no call of Fortran can be there: gfortran gives some the line where their procedure begins."""
    if block is None or not _FORTRAN.search(line.symtab.filename):
        return False
    procedure = block.function
    is_main = procedure.name == "main" and procedure.type.target().code != gdb.TYPE_CODE_VOID  # which calls the program
    return not is_main and (procedure.symtab.filename, procedure.line) == (line.symtab.filename, line.line)


def describe_site(address, with_function=True):
    """ "ring.c:41 main" of a return address; "" where there is none."""
    if address == 0:
        return ""
    line = gdb.find_pc_line(address - 1)
    function = None
    try:
        block = gdb.block_for_pc(address - 1)
    except gdb.error:
        block = None
    while block is not None and block.function is None:
        block = block.superblock
    if block is not None:
        function = escaped.string(block.function.print_name)
    if line.symtab is not None and line.line > 0:
        if _is_first_line(line, block):
            return function
        place = escaped.string(f"{os.path.basename(line.symtab.filename)}:{line.line}")
        return f"{place} {function}" if function and with_function else place
    symbol = escaped.string(gdb.execute(f"info symbol {address - 1}", to_string=True).strip())
    return (
        f"{address:#x}" if symbol.startswith("No symbol") else symbol.split(" of ")[0].replace(" in section .text", "")
    )


def describe_function(address):
    """Name of the function at an address, "?" where it is not known."""
    try:
        block = gdb.block_for_pc(address)
        if block is not None and block.function is not None:
            return escaped.string(block.function.print_name)
    except gdb.error:
        pass
    symbol = escaped.string(gdb.execute(f"info symbol {address}", to_string=True).strip())
    return "?" if symbol.startswith("No symbol") else symbol.split(" in section")[0].split(" + ")[0]

# SPDX-License-Identifier: BSD-3-Clause
"""Pretty printers of the runtime's own records (layout.h), for `p mpilens_process` and `p *(struct mpilens_operation *) ADDRESS`.

Fields that are zero, empty or the runtime's own are left out. The debug information of these types is in the runtime library.
"""
import gdb
import gdb.printing

from . import contract, escaped, handles, target, vocabulary
from .errors import MpiError
from .vocabulary import flags, word

_PREFIX = "mpilens_"
_STATES = {
    "operation": vocabulary.OPERATION_STATES,
    "thread": vocabulary.THREAD_STATES,
    "process": vocabulary.PROCESS_STATES,
    "channel": {1: "in use"},
}
_FLAGS = {
    "operation": vocabulary.OPERATION_FLAGS,
    "communicator": vocabulary.COMMUNICATOR_FLAGS,
    "datatype": vocabulary.DATATYPE_FLAGS,
    "keyval": vocabulary.KEYVAL_FLAGS,
}
# Numbers of enums by (struct, field).
_WORDS = {
    ("window", "flavor"): vocabulary.WINDOW_FLAVORS,
    ("window", "access_epoch"): vocabulary.EPOCHS,
    ("window", "exposure_epoch"): vocabulary.EPOCHS,
    ("window_lock", "type"): vocabulary.LOCK_TYPES,
    ("topology", "kind"): vocabulary.TOPOLOGIES,
    ("errhandler", "object_kind"): vocabulary.ATTACHABLES,
    ("keyval", "object_kind"): vocabulary.ATTACHABLES,
    ("attribute", "object_kind"): vocabulary.ATTACHABLES,
    ("process", "thread_level"): vocabulary.THREAD_LEVELS,
    ("session", "thread_level"): vocabulary.THREAD_LEVELS,
}
_FUNCTIONS = ("function", "freed_function", "poll_function", "synchronization", "split_collective")
_SITES = ("site", "freed_site", "poll_site", "synchronization_site", "split_site")
# Addresses of records, and of which kind those are.
_REFERENCES = {
    "communicator": "communicator",
    "poll_communicator": "communicator",
    "datatype": "datatype",
    "view_etype": "datatype",
    "view_filetype": "datatype",
    "errhandler": "errhandler",
    "keyval": "keyval",
}
_LEFT_OUT = {
    "reserved",
    "posted_check",
    "next",
    "struct_descriptors",
    "field_descriptors",
    "magic",
    "byte_order",
    "layout_major",
    "layout_minor",
    "process_size",
    "structs_offset",
    "struct_count",
    "fields_offset",
    "field_count",
    "null_handles",
    "fortran_null_handles",
    "known_nulls",
    "functions",
    "function_count",
    "tables",
    "word_size",
    "short_ranges",
    "short_values",
    "status_layout",
    "recent_collectives",
    "clock",
    "request_bytes",
    "request_null",
    "any_source",
    "any_tag",
    "proc_null",
    "root",
    "undefined",
    "handle_bytes",
    "fortran_is_c",
    "status_ignore",
    "statuses_ignore",
    "fortran_requests",
    "fortran_request_count",
    "recorder_capacity",
    # Ticks.
    "created",
    "posted_time",
    "entered",
    "locked",
    "matched_time",
    "synchronization_time",
    "poll_since",
    "poll_last",
}
# Numbers that are read as addresses or bits.
_HEXADECIMAL = {
    "handle",
    "request",
    "buffer",
    "base",
    "value",
    "unique_id",
    "parent_id",
    "communicator_id",
    "group",
    "remote_group",
    "session",
    "partner",
    "access_group",
    "exposure_group",
    "locks",
    "ranges",
    "arguments",
    "address",
    "values",
    "hash",
    "operation",
    "operation_2",
    "requests",
    "frame",
    "poll_operation",
    "object",
    "poll_object",
    "marks",
    "user_function",
    "copy_function",
    "delete_function",
    "extra_state",
    "records",
    "directory",
}
_MOST_RECORDS = 10000


def _record_type(name):
    return gdb.lookup_type(f"struct {_PREFIX}{name}")


def _root():
    """The value of mpilens_process."""
    return _record_type("process").pointer(), target.find_symbol("mpilens_process")


def _process():
    kind, address = _root()
    return gdb.Value(address).cast(kind).dereference()


def _at(name, address):
    return gdb.Value(int(address)).cast(_record_type(name).pointer()).dereference()


def _string(array):
    return array.string("utf-8", "surrogateescape")


def _text(array):
    return escaped.string(_string(array))


def _function_name(number):
    process = _process()
    if not 0 < number < int(process["function_count"]):
        return str(number)
    size = _record_type("function").sizeof
    return _text(_at("function", int(process["functions"]) + number * size)["name"])


def _reference(name, address):
    """ "MPI_COMM_WORLD (0x7f...)" of the record at an address."""
    record = _at(name, address)
    text = _text(record["name"]) or f'{int(record["handle"]):#x}'
    return f"{text} ({address:#x})"


def _is_empty(value):
    """Whether all of it is zero."""
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_INT:
        return int(value) == 0
    return not any(target.read_memory(int(value.address), kind.sizeof)) if value.address is not None else False


def _decoded(name, field, value):
    """The text of a field that is not empty."""
    kind = field.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        return escaped.string(_string(value).split("\n")[0]) if kind.target().sizeof == 1 else value
    if kind.code != gdb.TYPE_CODE_INT:
        return value
    number = int(value)
    if field.name == "state":
        return word(_STATES.get(name, vocabulary.OBJECT_STATES), number)
    if field.name == "flags":
        return " | ".join(flags(_FLAGS.get(name, vocabulary.OBJECT_FLAGS), number)) or f"{number:#x}"
    if (name, field.name) in _WORDS:
        return word(_WORDS[name, field.name], number)
    if (name, field.name) == ("file", "mode"):
        return " | ".join(flags(vocabulary.FILE_MODES, number))
    if field.name in _FUNCTIONS:
        return _function_name(number)
    if field.name in _SITES:
        return target.describe_site(number)
    if field.name in _REFERENCES:
        return _reference(_REFERENCES[field.name], number)
    is_hexadecimal = field.name in _HEXADECIMAL or field.name == "parent_handle"
    return f"{number:#x}" if is_hexadecimal else value


class RecordPrinter:
    def __init__(self, processes, name, value):
        self.processes = processes
        self.name = name
        self.value = value

    def _sentence(self):
        """The text for the handle of a record with a serial."""
        if self.name not in vocabulary.KINDS or self.name in ("message", "attribute", "request", "status"):
            return None
        try:
            process = self.processes.selected()
            found = process.find_by_serial(vocabulary.KINDS[self.name], int(self.value["serial"]))
            return handles.summarize_current(process, found) if found is not None else None
        except (MpiError, gdb.error):
            return None

    def to_string(self):
        if self.name == "process":
            if int(self.value["world_rank"]) < 0:
                return "mpilens_process"
            return f'rank {int(self.value["world_rank"])} of {int(self.value["world_size"])}'
        if self.name == "operation":
            return self._operation()
        if self._is_unused():
            return "unused"
        return self._sentence() or f"struct {_PREFIX}{self.name}"

    def _is_unused(self):
        fields = self.value.type.strip_typedefs().fields()
        return fields[0].name == "state" and int(self.value["state"]) == 0

    def _operation(self):
        """ "pending MPI_Recv, 16 elements, peer 1, tag 8"."""
        if self._is_unused():
            return "unused"
        value = self.value
        text = f'{word(vocabulary.OPERATION_STATES, int(value["state"]))} {_function_name(int(value["function"]))}'
        if int(value["flags"]) & contract.MPILENS_OPERATION_MESSAGE_CLASSES:
            text += f', {int(value["count"])} elements, peer {int(value["peer"])}, tag {int(value["tag"])}'
        return text

    def children(self):
        if self._is_unused():
            return
        for field in self.value.type.strip_typedefs().fields():
            if field.name in _LEFT_OUT or field.name.startswith("clock_"):
                continue
            is_zero_handle = (
                field.name == "fortran_handle" and int(self.value["flags"]) & contract.MPILENS_OBJECT_HAS_FORTRAN_HANDLE
            )
            if _is_empty(self.value[field]) and not is_zero_handle:
                continue
            try:
                yield field.name, _decoded(self.name, field, self.value[field])
            except gdb.MemoryError:
                yield field.name, self.value[field]
        if self.name == "process":
            for number, name in vocabulary.TABLES.items():
                count = _count(self.value["tables"][number])
                if count:
                    yield f"tables[{number}]", f"{count} {name} record" + ("s" if count > 1 else "")


def _chunks(table):
    size = _record_type("chunk").sizeof
    for number in range(int(table["chunk_count"])):
        yield _at("chunk", int(table["directory"]) + number * size)


def _count(table):
    """Published records. The first word of each says whether it is one."""
    count = 0
    distance = int(table["record_bytes"])
    for chunk in _chunks(table):
        if int(chunk["in_use"]) == 0:
            continue
        records = target.read_memory(int(chunk["records"]), int(chunk["high_water"]) * distance)
        count += sum(any(records[at : at + 4]) for at in range(0, len(records), distance))
    return count


class TablePrinter:
    """A table of mpilens_process: its records."""

    def __init__(self, value):
        self.value = value
        _kind, root = _root()
        first = root + next(field.bitpos // 8 for field in _record_type("process").fields() if field.name == "tables")
        number = (int(value.address) - first) // value.type.sizeof if value.address is not None else -1
        self.name = vocabulary.TABLES.get(number)

    def to_string(self):
        return f'table of {self.name or "?"} records'

    def children(self):
        number = 0
        distance = int(self.value["record_bytes"])
        for chunk in _chunks(self.value) if self.name is not None else ():
            for place in range(min(int(chunk["high_water"]), _MOST_RECORDS)):
                record = _at(self.name, int(chunk["records"]) + place * distance)
                if int(record["state"]) != 0:
                    yield f"[{number}]", record
                number += 1


class RecordPrinters(gdb.printing.PrettyPrinter):
    def __init__(self, processes):
        super().__init__("mpilens-records")
        self.processes = processes

    def __call__(self, value):
        kind = value.type.strip_typedefs()
        name = kind.name or ""
        if kind.code != gdb.TYPE_CODE_STRUCT or not name.startswith(_PREFIX):
            return None
        if name == "mpilens_table":
            return TablePrinter(value)
        return RecordPrinter(self.processes, name[len(_PREFIX) :], value)

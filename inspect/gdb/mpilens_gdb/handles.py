# SPDX-License-Identifier: BSD-3-Clause
"""Values of a program that are handles: which kind they are of, and what they name, in one sentence."""
import ctypes

import gdb

from . import contract, escaped, structures, target, vocabulary
from .errors import MpiError

# Types behind handles that are pointers, for values that are not declared by the names of mpi.h.
_POINTED_TO = {
    "ompi_communicator_t": vocabulary.COMMUNICATOR,
    "ompi_group_t": vocabulary.GROUP,
    "ompi_datatype_t": vocabulary.DATATYPE,
    "ompi_op_t": vocabulary.OP,
    "ompi_errhandler_t": vocabulary.ERRHANDLER,
    "ompi_info_t": vocabulary.INFO,
    "ompi_win_t": vocabulary.WINDOW,
    "ompi_file_t": vocabulary.FILE,
    "ADIOI_FileD": vocabulary.FILE,
    "ompi_message_t": vocabulary.MESSAGE,
    "ompi_request_t": vocabulary.REQUEST,
}
_FORTRAN_TYPES = {name.lower(): kind for name, kind in vocabulary.HANDLE_TYPES.items()}
_SENTENCE_BYTES = 512
# Kinds in the order in which a bare number is tried.
_SEARCHED = (
    vocabulary.COMMUNICATOR,
    vocabulary.DATATYPE,
    vocabulary.WINDOW,
    vocabulary.FILE,
    vocabulary.GROUP,
    vocabulary.OP,
    vocabulary.ERRHANDLER,
    vocabulary.INFO,
    vocabulary.SESSION,
    vocabulary.MESSAGE,
    vocabulary.KEYVAL,
    vocabulary.REQUEST,
)


class Handle:
    """A kind, the language whose handle it is, and its value: of a status, its address."""

    def __init__(self, kind, language, value):
        self.kind = kind
        self.language = language
        self.value = value

    def bytes(self, size):
        """As a variable of this many bytes has it."""
        mask = (1 << 8 * size) - 1
        return (self.value & mask).to_bytes(size, "big" if target.is_big_endian() else "little")

    def __str__(self):
        return f"{self.value}" if self.language == vocabulary.FORTRAN else f"{self.value:#x}"


def without_reference(value):
    """The value behind a reference."""
    if value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        return value.referenced_value()
    return value


def _type_names(kind):
    """Names of a type and of what it is a typedef of."""
    while True:
        if kind.name:
            yield kind.unqualified().name
        if kind.code != gdb.TYPE_CODE_TYPEDEF:
            return
        kind = kind.target()


def _integer(value, language):
    """The value of an integer or pointer: sign-extended for Fortran, the bits for C."""
    plain = int(value.cast(value.type.strip_typedefs()))
    return plain if language == vocabulary.FORTRAN else plain & ((1 << 8 * value.type.sizeof) - 1)


def kind_of_type(kind):
    """(kind, language) of values of a type; None: they are no handles."""
    for name in _type_names(kind):
        if name in vocabulary.HANDLE_TYPES:
            return vocabulary.HANDLE_TYPES[name], vocabulary.C
        if name in _FORTRAN_TYPES:
            return _FORTRAN_TYPES[name], vocabulary.FORTRAN
        if name in ("MPI_Status", "mpi_status"):
            return vocabulary.STATUS, vocabulary.C
    plain = kind.strip_typedefs().unqualified()
    if plain.code == gdb.TYPE_CODE_PTR:
        for name in _type_names(plain.target()):
            if name in _POINTED_TO:
                return _POINTED_TO[name], vocabulary.C
    return None


def is_handle_type(kind):
    """Whether values of a type, or what they refer to, may be handles."""
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        kind = kind.target()
    return kind_of_type(kind) is not None


def from_value(value):
    """The Handle that a value is by its type; None: it is none."""
    value = without_reference(value)
    found = kind_of_type(value.type)
    if found is None or value.is_optimized_out:
        return None
    kind, language = found
    if kind == vocabulary.STATUS:
        return Handle(kind, language, int(value.address)) if value.address is not None else None
    plain = value.type.strip_typedefs()
    if plain.code == gdb.TYPE_CODE_STRUCT:
        # type(MPI_Comm) has one component, MPI_VAL. The forward declaration of a C struct is something else.
        fields = plain.fields()
        if language != vocabulary.FORTRAN or not fields:
            return None
        return Handle(kind, language, _integer(value[fields[0]], language))
    if plain.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR):
        return None
    return Handle(kind, language, _integer(value, language))


def is_fortran_integer(value):
    return value.type.strip_typedefs().code == gdb.TYPE_CODE_INT and (value.type.name or "").startswith("integer")


def of_kind(value, kind, language=None):
    """The Handle that a value is if it is of this kind, whatever its type. `language` None: by the type."""
    value = without_reference(value)
    known = from_value(value)
    if known is not None and known.kind == kind and language is None:
        return known
    code = value.type.strip_typedefs().code
    if kind == vocabulary.STATUS:
        if code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_INT):
            return Handle(kind, vocabulary.C, _integer(value, vocabulary.C))
        if value.address is None:
            raise MpiError("A status is named by its address.")
        return Handle(kind, vocabulary.C, int(value.address))
    if language is None:
        language = vocabulary.FORTRAN if is_fortran_integer(value) else vocabulary.C
    if code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR):
        raise MpiError(f"A value of type {value.type} cannot be a handle.")
    return Handle(kind, language, _integer(value, language))


class Named:
    """The thing that a handle names: its sentence, and the DLL's answer about it. An object becomes the current one."""

    def __init__(self, handle, sentence, answer=None):
        self.handle = handle
        self.sentence = sentence
        self.answer = answer

    @property
    def brief(self):
        """Its name, without its kind."""
        if self.handle.kind == vocabulary.REQUEST:
            number = f"{self.answer.request:#x}"
            return number if self.answer.serial else f"{escaped.text(self.answer.function)} ({number})"
        name = escaped.text(self.answer.name)
        return f"{name} ({self.handle})" if name else f"{self.handle}"

    @property
    def is_object(self):
        return self.handle.kind <= vocabulary.ATTRIBUTE and not self.answer.flags & contract.MPILENS_OBJECT_NULL


def _with_place(sentence, site):
    """The sentence ends with the call that made it."""
    place = target.describe_site(site, with_function=False)
    return f"{sentence} at {place}" if place else sentence


def _summarize(process, name, answer, *before):
    text = ctypes.create_string_buffer(_SENTENCE_BYTES)
    function = getattr(process.dll.library, name)
    function.argtypes = [ctypes.c_void_p] * (len(before) + 2) + [ctypes.c_size_t]
    process.check(function(*before, ctypes.byref(answer), text, _SENTENCE_BYTES))
    return escaped.text(text.value)


def summarize_request(process, request):
    """Summarizes a struct mpilens_operation_information."""
    sentence = _summarize(process, "mpilens_summarize_request", request, process.number)
    return _with_place(sentence, request.site)


def summarize_current(process, answer):
    """Summarizes the current object. The DLL knows functions by address only, and says where it does."""
    summary = process.detail("summary")
    sentence = summary.text
    if summary.function_bytes:
        name = target.describe_function(summary.user_function)
        end = summary.function_offset + summary.function_bytes
        if name != "?":
            sentence = sentence[: summary.function_offset] + name.encode("utf-8", "surrogateescape") + sentence[end:]
    return _with_place(escaped.text(sentence), 0 if answer.predefined else answer.site)


def find(process, handle):
    """Named; None: it names nothing that is known."""
    if handle.kind == vocabulary.STATUS:
        status = process.status(handle.value)
        if status is None:
            return None
        return Named(handle, f'{_summarize(process, "mpilens_summarize_status", status)}, at {handle}', status)
    if handle.kind == vocabulary.REQUEST:
        request = process.find_request(handle.language, handle.value)
        return Named(handle, summarize_request(process, request), request) if request is not None else None
    found = process.find_object(handle.kind, handle.language, handle.value)
    if found is None:
        return None
    kind_name = vocabulary.KIND_NAMES[handle.kind]
    if found.flags & contract.MPILENS_OBJECT_NULL:
        return Named(handle, f"{kind_name} {escaped.text(found.name)} ({handle}): the null handle", found)
    return Named(handle, summarize_current(process, found), found)


def not_found(handle):
    kind_name = vocabulary.KIND_NAMES[handle.kind]
    return f"{handle}: no {kind_name} of this process, as far as mpilens knows"


def find_all(process, value, language):
    """Named of every kind in which a bare number names something, without null handles."""
    found = []
    for kind in _SEARCHED:
        one = find(process, of_kind(value, kind, language))
        if one is not None and not getattr(one.answer, "flags", 0) & contract.MPILENS_OBJECT_NULL:
            found.append(one)
    return found


def find_by_name(process, name):
    """Named of the objects that are called so, as Named."""
    found = []
    for kind in range(vocabulary.COMMUNICATOR, vocabulary.MESSAGE):
        serials = [(one.serial, one.handle) for one in process.objects(kind) if escaped.text(one.name) == name]
        for serial, value in serials:
            answer = process.find_by_serial(kind, serial)
            if answer is not None:
                found.append(Named(Handle(kind, vocabulary.C, value), summarize_current(process, answer), answer))
    return found


def make_current(process, named):
    """Makes an object that was found the current one again. False: it is not there any more."""
    if named.answer.serial:
        return process.find_by_serial(named.handle.kind, named.answer.serial) is not None
    return process.find_object(named.handle.kind, named.handle.language, named.handle.value) is not None

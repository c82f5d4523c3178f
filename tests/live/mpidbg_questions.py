# SPDX-License-Identifier: BSD-3-Clause
"""A debugger that asks mpidbg_* about the ranks of a real job, which says what every handle is."""
import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char, c_char_p, c_int, c_int8, c_size_t, c_ulong, c_void_p

from lib.debugged_process import DebuggerBase, libc

SUCCESS, NOT_FOUND = 0, 1
PREDEFINED, CARTESIAN, GRAPH, INTERCOMM = 0x01, 0x02, 0x04, 0x10

# For each kind as `mpilens handle` names it: the functions of mpidbg.h that answer with the common part first, and the rest.
COMMON = {
    "comm": "comm_query_details",
    "errhandler": "errhandler_query_details",
    "request": "request_query_details",
    "datatype": "datatype_query",
    "file": "file_query",
    "group": "group_query",
    "info": "info_query",
    "op": "op_query",
    "win": "window_query",
    "session": "session_query",
    "message": "message_query",
    "keyval": "keyval_query",
}
CONVERTED = {"win": "window"}


class CommInfo(Structure):
    _fields_ = [
        ("comm_name", c_char * 64),
        ("comm_bitflags", c_int),
        ("comm_rank", c_int),
        ("comm_size", c_int),
        ("comm_num_local_procs", c_int),
        ("comm_local_procs", POINTER(c_int)),
        ("comm_num_remote_procs", c_int),
        ("comm_remote_procs", POINTER(c_int)),
        ("comm_cart_num_dims", c_int),
        ("comm_cart_dims", POINTER(c_int)),
        ("comm_cart_periods", POINTER(c_int8)),
        ("comm_graph_num_nodes", c_int),
        ("comm_graph_index", POINTER(c_int)),
        ("comm_graph_edges", POINTER(c_int)),
        ("comm_c_handle", c_ulong),
        ("comm_fortran_handle", c_int),
        ("comm_num_attrs", c_int),
        ("comm_attrs", c_void_p),
        ("comm_num_pending_requests", c_int),
        ("comm_pending_requests", POINTER(c_ulong)),
        ("comm_num_derived_windows", c_int),
        ("comm_derived_windows", POINTER(c_ulong)),
        ("comm_num_derived_files", c_int),
        ("comm_derived_files", POINTER(c_ulong)),
    ]


class ObjectInfo(Structure):
    _fields_ = [
        ("kind", c_int),
        ("bitflags", c_int),
        ("c_handle", c_ulong),
        ("fortran_handle", c_int),
        ("has_fortran_handle", c_int),
        ("serial", c_int),
        ("name", c_char_p),
        ("function", c_char_p),
        ("site", c_ulong),
        ("freed_by", c_char_p),
        ("freed_site", c_ulong),
        ("num_users", c_int),
        ("users", c_void_p),
    ]


NULL, FREED_BY_APPLICATION = 0x02, 0x04


class Debugger(DebuggerBase):
    """The interface's callbacks on one process."""

    def __init__(self, pid, runtime, dll):
        super().__init__(pid, runtime, dll)
        self.infos = {"image": None, "process": None}
        self.kept = []
        basic = self.table(
            (CFUNCTYPE(c_void_p, c_size_t), self.malloc),
            (CFUNCTYPE(None, c_void_p), self.free),
            None,
            None,
            (CFUNCTYPE(None, c_void_p, c_void_p), lambda image, info: self.put("image", info)),
            (CFUNCTYPE(c_void_p, c_void_p), lambda image: self.infos["image"]),
            (CFUNCTYPE(None, c_void_p, c_void_p), lambda process, info: self.put("process", info)),
            (CFUNCTYPE(c_void_p, c_void_p), lambda process: self.infos["process"]),
        )
        image = self.table(
            None, None, (CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(c_ulong)), self.find_symbol), None, None, None
        )
        process = self.table(
            None,
            (CFUNCTYPE(c_void_p, c_void_p), lambda process: 1),
            (CFUNCTYPE(c_int, c_void_p, c_ulong, c_int, c_void_p), self.fetch),
            None,
        )
        self.results = [
            self.dll.mpidbg_init_once(basic),
            self.dll.mpidbg_init_per_image(c_void_p(1), image, None),
            self.dll.mpidbg_init_per_process(c_void_p(2), process, None),
        ]

    def table(self, *functions):
        """A table of pointers to functions, NULL for None."""
        pointers = [function[0](function[1]) if function else None for function in functions]
        table = (c_void_p * len(pointers))(*[ctypes.cast(p, c_void_p).value if p else None for p in pointers])
        self.kept += [pointers, table]
        return table

    def malloc(self, size):
        block = libc.malloc(size)
        self.blocks.add(block)
        return block

    def free(self, block):
        self.blocks.remove(block)
        libc.free(block)

    def put(self, what, info):
        self.infos[what] = info

    def find_symbol(self, image, name, ret_address):
        if name.decode() not in self.symbols:
            return 1
        ret_address[0] = self.symbols[name.decode()]
        return 0

    def fetch(self, process, address, size, ret_data):
        try:
            data = self.memory.read(address, size)
        except (OSError, OverflowError):
            return 1
        if len(data) != size:
            return 1
        ctypes.memmove(ret_data, data, size)
        return 0

    def context(self):
        return c_void_p(1), c_void_p(self.infos["image"]), c_void_p(2), c_void_p(self.infos["process"])

    def call(self, name, value, result):
        return getattr(self.dll, "mpidbg_" + name)(*self.context(), c_ulong(value), byref(result))

    def close(self):
        self.dll.mpidbg_finalize_per_process(c_void_p(2), c_void_p(self.infos["process"]))
        self.dll.mpidbg_finalize_per_image(c_void_p(1), c_void_p(self.infos["image"]))
        return len(self.blocks)


def number(text):
    return int(text, 0) % (1 << 64)


def list_of(count, array):
    return [array[i] for i in range(count)]


class Rank:
    """Questions to one rank; `wrong` has what was not answered as the program says."""

    def __init__(self, debugger):
        self.debugger = debugger
        self.wrong = []
        self.asked = 0

    def check(self, where, expected, actual):
        if expected != actual:
            self.wrong.append(f"{where}: expected {expected!r}, got {actual!r}")

    def ask_common(self, kind, value, answer):
        pointer = POINTER(ObjectInfo)()
        result = self.debugger.call(COMMON[kind], value, pointer)
        self.check(f"{kind} {value:#x}", SUCCESS, result)
        if result != SUCCESS:
            return
        info = pointer.contents
        expected = {"handle": number(answer["handle"])} if "handle" in answer else {}
        actual = {"handle": info.c_handle}
        if answer.get("name") not in (None, "*"):
            expected["name"], actual["name"] = answer["name"], info.name.decode()
        for name, bit in ("predefined", PREDEFINED), ("freed_by_application", FREED_BY_APPLICATION), ("null", NULL):
            if name in answer:
                expected[name], actual[name] = answer[name], bool(info.bitflags & bit)
        if isinstance(answer.get("fortran"), int):
            expected["fortran"], actual["fortran"] = answer["fortran"], info.fortran_handle
            if not info.has_fortran_handle and (kind == "request" or answer.get("null")):
                del expected["fortran"], actual["fortran"]  # not to be found from the C handle
        created = answer.get("created")
        if isinstance(created, dict) and isinstance(created.get("function"), str):
            expected["function"], actual["function"] = created["function"], info.function.decode()
        self.check(f"{kind} {value:#x}", expected, {name: actual[name] for name in expected})
        free = {
            "comm": "comm_details_free",
            "errhandler": "errhandler_details_free",
            "request": "request_details_free",
        }.get(kind, CONVERTED.get(kind, kind) + "_handle_free")
        self.check(f"{kind} {value:#x} freed", SUCCESS, getattr(self.debugger.dll, "mpidbg_" + free)(pointer))

    def ask_comm(self, value, answer):
        """The struct of 2007."""
        pointer = POINTER(CommInfo)()
        if self.debugger.call("comm_query", value, pointer) != SUCCESS:
            return
        info, detail = pointer.contents, answer.get("detail") or {}
        where = f"struct of comm {value:#x}"
        for name in "rank", "size":
            if isinstance(detail.get(name), int) and not answer.get("null"):
                self.check(f"{where}: {name}", detail[name], getattr(info, "comm_" + name))
        if isinstance(detail.get("intercommunicator"), bool):
            self.check(where, detail["intercommunicator"], bool(info.comm_bitflags & INTERCOMM))
        topology = detail.get("topology") or {}
        if topology.get("kind") == "cartesian":
            self.check(where, CARTESIAN, info.comm_bitflags & (CARTESIAN | GRAPH))
            self.check(where, topology["dims"], list_of(info.comm_cart_num_dims, info.comm_cart_dims))
            self.check(
                where,
                [int(period) for period in topology["periods"]],
                list_of(info.comm_cart_num_dims, info.comm_cart_periods),
            )
        for name, count, array in (
            ("requests", info.comm_num_pending_requests, info.comm_pending_requests),
            ("windows", info.comm_num_derived_windows, info.comm_derived_windows),
            ("files", info.comm_num_derived_files, info.comm_derived_files),
        ):
            told = detail.get(name)
            if isinstance(told, list) and all(isinstance(one, str) for one in told):
                self.check(f"{where}: {name}", [number(one) for one in told], list_of(count, array))
        arrays = [
            getattr(info, name) for name, kind in CommInfo._fields_ if kind is c_void_p or hasattr(kind, "contents")
        ]
        for array in [*arrays, pointer]:
            if array:
                self.debugger.free(ctypes.cast(array, c_void_p).value if not isinstance(array, int) else array)

    def ask_in_vain(self, kind, value):
        pointer = c_void_p()
        self.check(f"{kind} {value:#x}", NOT_FOUND, self.debugger.call(COMMON[kind], value, pointer))

    def ask_of_fortran(self, kind, value, answer):
        handle = c_ulong()
        name = CONVERTED.get(kind, kind) + "_f2c"
        self.check(f"{name} {value}", SUCCESS, self.debugger.call(name, value % (1 << 32), handle))
        if "handle" in answer:
            self.check(f"{name} {value}", number(answer["handle"]), handle.value)
        self.ask_common(kind, handle.value, {**answer, "fortran": value})

    def ask(self, question):
        words = question["ask"].split()
        fortran = words[0] == "--fortran"
        words = words[1:] if fortran else words
        if len(words) != 2 or words[0] not in COMMON or not words[1].lstrip("-")[:1].isdigit():
            return
        kind, value, answer = words[0], int(words[1], 0), question.get("answer")
        if fortran and answer and kind != "keyval":
            self.ask_of_fortran(kind, value, answer)
        elif not fortran and answer:
            self.ask_common(kind, number(words[1]), answer)
            if kind == "comm":
                self.ask_comm(number(words[1]), answer)
        elif not fortran:
            self.ask_in_vain(kind, number(words[1]))
        else:
            return
        self.asked += 1


def look(told, runtime, dll):
    debugger = Debugger(told["pid"], runtime, dll)
    rank = Rank(debugger)
    rank.check("set up", [SUCCESS] * 3, debugger.results)
    for question in told["questions"]:
        rank.ask(question)
    rank.check("blocks not freed", 0, debugger.close())
    for text in rank.wrong:
        print(f'rank {told["rank"]}: {text}')
    print(f'rank {told["rank"]}: {rank.asked} questions, {len(rank.wrong)} wrong answers')
    return len(rank.wrong) + (rank.asked < 5)

# SPDX-License-Identifier: BSD-3-Clause
"""A debugger of the MPI Forum's draft that asks mpid_* about stopped ranks of a real job. Alone: of one whose ranks keep
calling MPI, what a question costs after they have run. handle_test.py asks with it what every handle is."""
import argparse
import os
import platform
import signal
import sys
import time
from ctypes import byref, c_char_p, c_int, c_int64, c_uint64, c_void_p

from lib.job import Job, JobFailed
from lib.mpid_debugger import BAD_INPUT, OK, UNAVAILABLE, Debugger
from lib.patience import at_most
from mpidbg_questions import number

IN_C, IN_FORTRAN = 0x100, 0x200
PREDEFINED, CARTESIAN, INTERCOMM, FREED_HANDLE, NULL = 0x01, 0x02, 0x10, 0x20, 0x80
SECONDS = at_most(30)
TICKS = at_most(1)
# Where the processor does not keep loads in order, each is repeated three times (dll/target/target.h, dll/process/process_refresh.c).
READS = 3 if platform.machine() in ("x86_64", "i686", "s390x") else 12

# For each kind as `mpilens handle` names it: its name in mpid.h, its number (object_kind.h) and the results of X_query_basic.
KINDS = {
    "comm": (
        "comm",
        1,
        ("name", c_char_p),
        ("flags", c_int),
        ("rank", c_int),
        ("size", c_int),
        ("fortran", c_int),
        ("cxx", c_uint64),
        ("extra", None),
    ),
    "group": ("group", 2, ("name", c_char_p), ("flags", c_int), ("rank", c_int), ("size", c_int), ("fortran", c_int)),
    "datatype": (
        "type",
        3,
        ("name", c_char_p),
        ("flags", c_int),
        ("size", c_int64),
        ("extent", c_int64),
        ("true_extent", c_int64),
        ("fortran", c_int64),
    ),
    "op": (
        "op",
        4,
        ("name", c_char_p),
        ("flags", c_int),
        ("function", c_uint64),
        ("commutative", c_int),
        ("fortran", c_int),
    ),
    "errhandler": ("errhandler", 5, ("name", c_char_p), ("flags", c_int), ("function", c_uint64), ("fortran", c_int)),
    "info": ("info", 6, ("name", c_char_p), ("flags", c_int), ("fortran", c_int)),
    "keyval": (
        "keyval",
        7,
        ("name", c_char_p),
        ("flags", c_int),
        ("copy", c_uint64),
        ("delete", c_uint64),
        ("extra_state", c_uint64),
        ("fortran", c_int),
    ),
    "session": ("session", 8),
    "win": (
        "win",
        9,
        ("name", c_char_p),
        ("flags", c_int),
        ("base", c_uint64),
        ("size", c_uint64),
        ("unit", c_int),
        ("fortran", c_int),
    ),
    "file": ("file", 10, ("name", c_char_p), ("flags", c_int), ("mode", c_int), ("fortran", c_int)),
    "message": ("message", 11, ("function", c_char_p), ("flags", c_int), ("fortran", c_int)),
    "request": ("request", 13, ("function", c_char_p), ("flags", c_int), ("class", c_int)),
}


class Rank:
    """Questions to one rank; `wrong` has what was not answered as the program says."""

    def __init__(self, debugger):
        self.debugger = debugger
        self.wrong = []
        self.asked = {}

    def check(self, where, expected, actual):
        if expected != actual:
            self.wrong.append(f"{where}: expected {expected!r}, got {actual!r}")

    def basic(self, kind, handle, where):
        name, _, *outputs = KINDS[kind]
        if not outputs:
            return {}
        result, values = self.debugger.call(name + "_query_basic", handle, *[type_ for _, type_ in outputs])
        self.check(where + ": basic", OK, result)
        if result != OK:
            return {}
        answer = dict(zip([output for output, _ in outputs], values))
        answer[outputs[0][0]] = self.debugger.take_text(answer[outputs[0][0]])
        if kind == "comm":
            answer["extra"] = self.debugger.take_pairs(answer["extra"])
        return answer

    def check_basic(self, kind, handle, told, where):
        got = self.basic(kind, handle, where)
        detail = told.get("detail") or {}
        if told.get("name") not in (None, "*") and "name" in got:
            self.check(where + ": name", told["name"], got["name"])
        if "flags" in got:
            for key, bit in ("predefined", PREDEFINED), ("freed_by_application", FREED_HANDLE), ("null", NULL):
                if key in told:
                    self.check(f"{where}: {key}", told[key], bool(got["flags"] & bit))
        for key in "rank", "size", "extent", "true_extent", "commutative":
            if key in got and isinstance(detail.get(key), int) and not told.get("null"):
                self.check(f"{where}: {key}", int(detail[key]), got[key])

    def check_value(self, kind, handle, told, where):
        result, (number_, value, has_fortran, fortran) = self.debugger.call(
            "handle_query_value", handle, c_int, c_uint64, c_int, c_int
        )
        self.check(where + ": value", (OK, KINDS[kind][1]), (result, number_))
        if "handle" in told:
            self.check(where + ": value", number(told["handle"]), value)
        if isinstance(told.get("fortran"), int) and has_fortran:
            self.check(where + ": integer of Fortran", told["fortran"], fortran)

    def check_origin(self, handle, told, where):
        result, (function, _, freed_by, _) = self.debugger.call(
            "handle_query_origin", handle, c_char_p, c_uint64, c_char_p, c_uint64
        )
        if told.get("null"):
            self.check(where + ": origin", UNAVAILABLE, result)
            return
        self.check(where + ": origin", OK, result)
        function, freed_by = self.debugger.take_text(function), self.debugger.take_text(freed_by)
        created = told.get("created")
        if isinstance(created, dict) and isinstance(created.get("function"), str):
            self.check(where + ": made by", created["function"], function)
        if told.get("predefined"):
            self.check(where + ": freed by", None, freed_by)

    def check_comm(self, handle, told, where):
        """The answers of the other queries of communicators."""
        detail, debugger = told.get("detail") or {}, self.debugger
        if told.get("null"):
            return
        result, (count, local, remote_count, remote) = debugger.call(
            "comm_query_procs", handle, c_int, c_void_p, c_int, c_void_p
        )
        self.check(where + ": procs", OK, result)
        processes = debugger.take_list(count, local, c_int)
        debugger.take_list(remote_count, remote, c_int)
        if isinstance(detail.get("size"), int):
            self.check(where + ": processes", detail["size"], len(processes))
        if isinstance(detail.get("group"), list) and all(isinstance(one, int) for one in detail["group"]):
            self.check(where + ": processes", detail["group"], processes)
        result, values = debugger.call("comm_query_topo", handle, *[c_int, c_void_p] * 3)
        self.check(where + ": topology", OK, result)
        lists = [debugger.take_list(values[i], values[i + 1], c_int) for i in (0, 2, 4)]
        topology, flags = detail.get("topology") or {}, self.basic("comm", handle, where).get("flags", 0)
        if isinstance(detail.get("intercommunicator"), bool):
            self.check(where + ": intercommunicator", detail["intercommunicator"], bool(flags & INTERCOMM))
        if topology.get("kind") == "cartesian":
            self.check(where + ": cartesian", CARTESIAN, flags & CARTESIAN)
            self.check(where + ": dims", topology["dims"], lists[0])
            self.check(where + ": periods", [int(period) for period in topology["periods"]], lists[1])
        result, (count, requests) = debugger.call("comm_query_requests", handle, c_int, c_void_p)
        result_2, (file_count, files, window_count, windows) = debugger.call(
            "comm_query_derived", handle, c_int, c_void_p, c_int, c_void_p
        )
        self.check(where + ": users", (OK, OK), (result, result_2))
        for name, n, array in (
            ("requests", count, requests),
            ("files", file_count, files),
            ("windows", window_count, windows),
        ):
            values = debugger.take_list(n, array, c_uint64)
            if isinstance(detail.get(name), list) and all(isinstance(one, str) and one != "*" for one in detail[name]):
                self.check(f"{where}: {name}", [number(one) for one in detail[name]], values)

    def ask_value(self, kind, value, language, told):
        where = f"{kind} {value:#x}" + (" of Fortran" if language == IN_FORTRAN else "")
        handle = c_void_p()
        result = self.debugger.query(KINDS[kind][0], value, language, handle)
        self.check(where, OK if told else UNAVAILABLE, result)
        if result != OK or not told:
            return
        self.check_value(kind, handle, told, where)
        self.check_origin(handle, told, where)
        self.check_basic(kind, handle, told, where)
        if kind == "comm":
            self.check_comm(handle, told, where)
        other = "type" if kind != "datatype" else "op"
        self.check(
            where + ": as another kind",
            BAD_INPUT,
            getattr(self.debugger.dll, f"mpid_{other}_query_basic")(handle, *[None] * 6),
        )
        self.check(where, OK, getattr(self.debugger.dll, f"mpid_{KINDS[kind][0]}_handle_free")(handle))

    def ask(self, question):
        words = question["ask"].split()
        language = IN_FORTRAN if words[0] == "--fortran" else IN_C
        words = words[1:] if words[0] == "--fortran" else words
        if len(words) != 2 or words[0] not in KINDS or not words[1].lstrip("-")[:1].isdigit():
            return
        self.ask_value(words[0], int(words[1], 0), language, question.get("answer"))
        self.asked[words[0]] = self.asked.get(words[0], 0) + 1

    def ask_without_question(self):
        """Questions about any process."""
        handle, again = c_void_p(), c_void_p()
        self.check(
            "by name",
            OK,
            self.debugger.dll.mpid_comm_query_by_name(self.debugger.process, b"MPI_COMM_SELF", byref(handle)),
        )
        self.check("MPI_COMM_SELF", 1, self.basic("comm", handle, "MPI_COMM_SELF").get("size"))
        self.check(
            "by name",
            UNAVAILABLE,
            self.debugger.dll.mpid_comm_query_by_name(self.debugger.process, b"no such name", byref(again)),
        )
        self.debugger.dll.mpid_comm_handle_free(handle)
        count = c_int(-1)
        self.check("sessions", OK, self.debugger.dll.mpid_get_num_sessions(self.debugger.process, byref(count)))
        for n in range(count.value):
            self.ask_session(n)

    def ask_session(self, n):
        dll, session, group = self.debugger.dll, c_void_p(), c_void_p()
        self.check("session", OK, dll.mpid_get_nth_session(self.debugger.process, n, byref(session)))
        result, (count,) = self.debugger.call("session_query_num_psets", session, c_int)
        names = set()
        for i in range(count if result == OK else 0):
            name = c_void_p()
            self.check("process set", OK, dll.mpid_session_query_nth_pset(session, i, byref(name)))
            names.add(self.debugger.take_text(name.value))
        if result == OK:
            self.check("process sets", {"mpi://WORLD", "mpi://SELF"}, names & {"mpi://WORLD", "mpi://SELF"})
        self.check(
            "no such set", UNAVAILABLE, dll.mpid_session_query_group_for_pset(session, b"no such set", byref(group))
        )
        for pset, size in ("mpi://WORLD", 2), ("mpi://SELF", 1):
            result = dll.mpid_session_query_group_for_pset(session, pset.encode(), byref(group))
            if result == OK:
                self.check(pset, size, self.basic("group", group, pset).get("size"))
                dll.mpid_group_handle_free(group)
            else:
                self.check(pset + " of which no group was made", UNAVAILABLE, result)
        dll.mpid_session_handle_free(session)


def state(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        words = file.read().rpartition(")")[2].split()
    return words[0], int(words[11]) + int(words[12])  # letter, ticks of processor time


def wait_until(condition):
    deadline = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise JobFailed("a rank was neither stopped nor running in time")
        time.sleep(0.002)


def stop(pid):
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: state(pid)[0] == "T")


def run_for_a_while(pid):
    """For more than a tick: the first that is counted may have nearly been over. An emulated machine counts time in which it stood still."""
    before = state(pid)[1]
    os.kill(pid, signal.SIGCONT)
    wait_until(lambda: state(pid)[1] > before + TICKS)


def report(told, rank, enough):
    rank.check("blocks not freed", 0, rank.debugger.close())
    for text in rank.wrong:
        print(f'rank {told["rank"]}: {text}')
    print(f'rank {told["rank"]}: {rank.asked}, {len(rank.wrong)} wrong answers')
    return len(rank.wrong) + (not enough)


def look(told, runtime, dll):
    stop(told["pid"])
    rank = Rank(Debugger(told["pid"], runtime, dll))
    rank.check("set up", [OK, OK, 1], rank.debugger.results)
    for question in told["questions"]:
        rank.ask(question)
    rank.ask_without_question()
    return report(told, rank, sum(rank.asked.values()) >= 5)


def look_at_polling(told, runtime, dll):
    """A question after the process has run reads three pieces of it, and it is seen that it has run."""
    stop(told["pid"])
    rank = Rank(Debugger(told["pid"], runtime, dll))
    for turn in range(4):
        handle, before = c_void_p(), rank.debugger.reads
        result = rank.debugger.dll.mpid_comm_query_by_name(rank.debugger.process, b"MPI_COMM_WORLD", byref(handle))
        rank.check("MPI_COMM_WORLD", OK, result)
        if turn > 0:
            rank.check("reads", READS, rank.debugger.reads - before)
        rank.check("size", 2, rank.basic("comm", handle, "MPI_COMM_WORLD").get("size"))
        result, (count, requests) = rank.debugger.call("comm_query_requests", handle, c_int, c_void_p)
        rank.check("requests", 2, len(rank.debugger.take_list(count, requests, c_uint64)))
        rank.debugger.dll.mpid_comm_handle_free(handle)
        run_for_a_while(told["pid"])
        stop(told["pid"])
    return report(told, rank, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("mpilens", "mpiexec", "runtime", "dll"):
        parser.add_argument("--" + name, required=True, type=os.path.abspath)
    parser.add_argument("program", type=os.path.abspath)
    arguments = parser.parse_args()
    runtime, dll = os.path.realpath(arguments.runtime), os.path.realpath(arguments.dll)
    try:
        with Job(arguments.mpiexec, 2, [arguments.mpilens, "run", arguments.program]) as job:
            job.wait_ready()
            return 1 if sum(look_at_polling(told, runtime, dll) for told in job.expectations()) else 0
    except JobFailed as failure:
        print(failure)
        return 1


if __name__ == "__main__":
    sys.exit(main())

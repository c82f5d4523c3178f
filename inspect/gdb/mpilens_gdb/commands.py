# SPDX-License-Identifier: BSD-3-Clause
"""`info mpi ...` and `mpi ...`. Their documentation strings are what `help` prints."""
import gdb

from . import frames, handles, page, target, views, vocabulary
from .errors import MpiError


class _Command(gdb.Command):
    """With access to the processes."""

    name = ""
    is_prefix = False

    def __init__(self, processes, command_class=gdb.COMMAND_STATUS, completer=gdb.COMPLETE_NONE):
        super().__init__(self.name, command_class, completer, self.is_prefix)
        self.processes = processes


def _print(lines):
    gdb.write("\n".join(lines) + "\n")


class _View(_Command):
    """A sub-command of `info mpi` without arguments."""

    def lines(self, process):
        raise NotImplementedError

    def invoke(self, argument, from_tty):
        if argument.strip() and self.is_prefix:
            raise MpiError(f"`{self.name}` has no sub-command {argument.strip()}. See: help {self.name}")
        if argument.strip():
            raise MpiError(f"`{self.name}` takes no argument.")
        self.dont_repeat()
        _print(self.lines(self.processes.selected()))


class InfoMpi(_View):
    """The state of MPI in this process, by the mpilens runtime.

    Without sub-command: the rank, the MPI library, and how many objects there are."""

    name = "info mpi"
    is_prefix = True

    def lines(self, process):
        return views.overview(process)


class InfoMpiQueues(_View):
    """Sends and receives that were started and not collected, in matching order.

    Peers are ranks in the communicator; world ranks follow where they are others. Messages that a matched probe has taken out are in the queue
    `matched`. Messages that nobody has asked for are in the queue `unexpected`, as far as the ranks that have sent them are inferiors of this
    gdb, too (add-inferior), or the job was started with `mpilens run --unexpected=exact`; `mpilens show` puts all ranks of a job together.
    With a vendor's library (mpi load-dll), what that says."""

    name = "info mpi queues"

    def invoke(self, argument, from_tty):
        if argument.strip():
            raise MpiError("`info mpi queues` takes no argument.")
        self.dont_repeat()
        process = self.processes.selected_in_job()

        def describe_site(rank, address):
            inferior = self.processes.inferior_of(process, rank)
            if inferior is None:
                return hex(address)
            with target.selected(inferior):
                return target.describe_site(address)

        _print(views.queues(process, describe_site))


class InfoMpiRequests(_View):
    """Every request: of sends and receives, nonblocking collectives, one-sided and file operations, and inactive persistent ones.

    Several may have one handle: MPI gives it to all that were complete at once. Those to and from MPI_PROC_NULL are not listed.
    """

    name = "info mpi requests"

    def lines(self, process):
        return views.requests(process)


class InfoMpiComms(_View):
    """Communicators: handle, rank, size, creating call, collective calls."""

    name = "info mpi comms"

    def lines(self, process):
        return views.communicators(process)


class InfoMpiCalls(_View):
    """The MPI call that each thread is in, and what it waits for."""

    name = "info mpi calls"

    def lines(self, process):
        return views.calls(process)


class InfoMpiTypes(_View):
    """Datatypes that the application has made."""

    name = "info mpi types"

    def lines(self, process):
        return views.objects(process, vocabulary.DATATYPE, "The application has made no datatype.")


class InfoMpiWindows(_View):
    """Windows, with their epochs and locks."""

    name = "info mpi windows"

    def lines(self, process):
        return views.objects(process, vocabulary.WINDOW, "There is no window.")


class InfoMpiFiles(_View):
    """Open files."""

    name = "info mpi files"

    def lines(self, process):
        return views.objects(process, vocabulary.FILE, "There is no open file.")


class Mpi(_Command):
    """Commands about MPI. See also: info mpi."""

    name = "mpi"
    is_prefix = True

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        if argument.strip():
            raise MpiError(f"`mpi` has no sub-command {argument.strip()}. See: help mpi")
        gdb.execute("help mpi")


_HANDLE_USAGE = "Usage: mpi handle [-c | -fortran] [KIND] EXPRESSION"


def _kind(word):
    """The number of a kind, None: it is none."""
    kind = vocabulary.KINDS.get(vocabulary.KIND_ABBREVIATIONS.get(word, word))
    return kind if kind != vocabulary.ATTRIBUTE else None


def _is_expression(text):
    try:
        gdb.parse_and_eval(text)
        return True
    except gdb.error:
        return False


class MpiHandle(_Command):
    """Everything that is known of what a handle names.
    Usage: mpi handle [-c | -fortran] [KIND] EXPRESSION

    EXPRESSION: a variable or value of a handle type (MPI_Comm, type(MPI_Win), ...), an MPI_Status, a number, or the name that an object has
    (MPI_COMM_WORLD, or given by the application).
    KIND: communicator (comm), group, datatype (type), op, errhandler, info, keyval, session, window (win), file, message, request,
    status. It is needed where the type does not tell: integers of Fortran, numbers. Without it, a number is tried as a handle of every kind.
    It may stand behind EXPRESSION too.
    A number is a handle of C, an integer variable of Fortran one of Fortran; -c and -fortran say otherwise."""

    name = "mpi handle"

    def __init__(self, processes):
        super().__init__(processes, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    @staticmethod
    def _split(argument):
        """(language or None, expression, kind or None)"""
        words = argument.split()
        language = None
        if words and words[0] in ("-c", "-fortran"):
            language = vocabulary.C if words.pop(0) == "-c" else vocabulary.FORTRAN
        if not words:
            raise MpiError(_HANDLE_USAGE)
        readings = [
            (" ".join(rest), kind)
            for kind, rest in ((_kind(words[0]), words[1:]), (_kind(words[-1]), words[:-1]))
            if kind is not None and rest
        ]
        # A variable may be called as a kind is.
        expression, kind = next(
            (one for one in readings if _is_expression(one[0])), readings[0] if readings else (" ".join(words), None)
        )
        return language, expression, kind

    @staticmethod
    def _find(process, language, expression, kind):
        """[Named]: one, or several where a bare number is a handle of several kinds."""
        try:
            value = gdb.parse_and_eval(expression)
        except gdb.error as error:
            named = [one for one in handles.find_by_name(process, expression) if kind in (None, one.handle.kind)]
            if not named:
                raise MpiError(f"{error}\nno object is named {expression}") from None
            return named
        handle = handles.of_kind(value, kind, language) if kind is not None else handles.from_value(value)
        if handle is None:
            named = handles.find_all(process, value, language)
            if not named:
                raise MpiError(
                    f"{value.format_string(raw=True)}: no handle of any kind in this process, as far as mpilens knows."
                )
            return named
        found = handles.find(process, handle)
        if found is None:
            raise MpiError(handles.not_found(handle) + ".")
        return [found]

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        language, expression, kind = self._split(argument)
        process = self.processes.selected()
        found = self._find(process, language, expression, kind)
        if len(found) == 1:
            if found[0].is_object and not handles.make_current(process, found[0]):
                raise MpiError("It is gone.")
            _print(page.lines_of(process, found[0]))
        else:
            _print([one.sentence for one in found] + ["Several; say which with: mpi handle KIND EXPRESSION"])


class MpiLoadDll(_Command):
    """Load a debugger library (DLL) of the message-queue interface beside mpilens's own.
    Usage: mpi load-dll [FILE]

    FILE may be a vendor's, such as Open MPI's libompi_dbg_msgq.so: then `info mpi queues` shows what that says. Such libraries need debug
    information of the MPI library, and no mpilens runtime. Without a file: say which libraries are loaded."""

    name = "mpi load-dll"

    def __init__(self, processes):
        super().__init__(processes, gdb.COMMAND_FILES, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        words = gdb.string_to_argv(argument)
        if len(words) > 1:
            raise MpiError("Usage: mpi load-dll FILE")
        dlls = [self.processes.choose(words[0])] if words else [self.processes.own, self.processes.chosen]
        lines = [line for dll in dict.fromkeys(dlls) if dll is not None for line in views.loaded_dll(dll)]
        _print(lines or ["No debugger library is loaded yet."])


class MpiFrame(_Command):
    """Select the frame in which the program has called MPI.

    That of the selected thread, else of the first thread that is in MPI."""

    name = "mpi frame"

    def __init__(self, processes):
        super().__init__(processes, gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if argument.strip():
            raise MpiError("`mpi frame` takes no argument.")
        self.dont_repeat()
        if not frames.select_call():
            raise MpiError("No thread of this process is in MPI.")
        gdb.execute("frame")


_COMMANDS = (
    InfoMpi,
    InfoMpiQueues,
    InfoMpiRequests,
    InfoMpiComms,
    InfoMpiCalls,
    InfoMpiTypes,
    InfoMpiWindows,
    InfoMpiFiles,
    Mpi,
    MpiHandle,
    MpiLoadDll,
    MpiFrame,
)


def register(processes):
    for command in _COMMANDS:
        command(processes)

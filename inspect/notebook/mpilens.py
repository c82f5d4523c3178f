# SPDX-License-Identifier: BSD-3-Clause
"""An MPI job as rows of dictionaries, for notebooks and scripts: its findings, ranks and message queues.

    import mpilens
    job = mpilens.read()                    # the only job of this host; or a PID, "hang.mpilens", core files
    job.findings[0]["message"]
    [row["rank"] for row in job.ranks if row["function"] is None]      # outside MPI
    pandas.DataFrame(job.queues)            # pandas is not needed, but takes the rows

Needs nothing but Python's own library and the command mpilens. Values that are not known are None. Texts are as the
program has given them; notebooks get them escaped.
"""
import html
import json
import os
import shutil
import subprocess

SCHEMA = "mpilens/1"
QUEUES = ("sends", "receives", "unexpected")
MOST_SHOWN = 100  # rows of a table in a notebook


class Error(Exception):
    """The job could not be read; the text says why."""


class Rows(list):
    """Dictionaries with the same keys. A notebook shows them as a table."""

    def _repr_html_(self):
        if not self:
            return "<i>no rows</i>"
        head = "".join(f"<th>{html.escape(str(key))}</th>" for key in self[0])
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in self[:MOST_SHOWN])
        more = f"<p>{len(self) - MOST_SHOWN} more rows</p>" if len(self) > MOST_SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cells(row):
    return "".join(f"<td>{'' if value is None else html.escape(str(value))}</td>" for value in row.values())


def _printable(text):
    """A terminal obeys some characters, and names are the program's."""
    return "".join(one if one.isprintable() else "?" for one in text)


def _place(site):
    """The members of a row that tell a place in the source."""
    site = site or {}
    return {name: site.get(key) for name, key in (("path", "path"), ("line", "line"), ("in_function", "function"))}


def _call(process):
    """The call that the process is in, of the first thread that is in one; None: it is in none, or that is not known."""
    for thread in process.get("threads", []):
        if thread["call"]:
            return thread["call"]
    return None


def _seen(process):
    """The main thread of a process without the runtime; None: it has it."""
    threads = process.get("seen_threads") or []
    return threads[0] if threads else None


def _rank(process):
    call, seen = _call(process) or {}, _seen(process) or {}
    return {
        "rank": process["rank"],
        "pid": process["pid"],
        "host": process["host"],
        "state": process["state"],
        "function": call.get("function") or seen.get("function"),
        "age_s": call.get("age_s"),
        "polling": call.get("polling"),
        **_place(call.get("site") or seen.get("site")),
    }


def _operation(process, communicator, queue, operation):
    peer, sender = operation["peer"] or {}, operation.get("sender") or {}
    return {
        "rank": process["rank"],
        "queue": queue,
        "communicator": communicator["name"] or communicator["origin"],
        "function": operation["function"],
        "peer": peer.get("world"),
        "tag": operation["tag"],
        "bytes": operation["bytes"],
        "count": operation["count"],
        "datatype": operation["datatype"],
        "status": operation["status"],
        "age_s": operation["age_s"],
        **_place(operation["site"] or sender.get("site")),
    }


class Job:
    """A job as it was when it was read. `document` is all of it, as doc/json.md describes."""

    def __init__(self, document):
        if document.get("schema") != SCHEMA:
            raise Error(f"this module reads {SCHEMA}, not {document.get('schema')}")
        self.document = document

    @property
    def findings(self):
        """A row for each fault, the cause first: kind, message, remedy, ranks, culprits, and the place of the first evidence."""
        return Rows(self._finding(finding) for finding in self.document.get("findings", []))

    @staticmethod
    def _finding(finding):
        there = next((one for one in finding["evidence"] if one["path"]), None) or {}
        row = {key: finding[key] for key in ("kind", "message", "remedy", "ranks", "culprits", "confirmed")}
        return {**row, **_place(there)}

    @property
    def evidence(self):
        """The facts behind the findings: a row for each."""
        return Rows(
            {"finding": number, "kind": finding["kind"], **one}
            for number, finding in enumerate(self.document.get("findings", []))
            for one in finding["evidence"]
        )

    @property
    def ranks(self):
        """A row for each rank: where it is, in which call, and for how long."""
        return Rows(_rank(process) for process in self.document["processes"])

    @property
    def queues(self):
        """A row for each send, receive and unexpected message; `peer` is a rank of MPI_COMM_WORLD, None: any source."""
        return Rows(
            _operation(process, communicator, queue, operation)
            for process in self.document["processes"]
            for communicator in process.get("communicators", [])
            for queue in QUEUES
            for operation in communicator[queue]
        )

    @property
    def verdict(self):
        """One line: the first finding, else that there is none."""
        for finding in self.document.get("findings", []):
            return f'{finding["kind"]}: {finding["message"]}'
        remark = self.document.get("remark")
        return f"nothing wrong found: {remark}" if remark else "nothing wrong found"

    def __repr__(self):
        job = self.document.get("job") or {}
        return _printable(f'<mpilens.Job {job.get("id")}, {job.get("size")} ranks: {self.verdict}>')

    def _repr_html_(self):
        return f"<p><b>{html.escape(self.verdict)}</b></p>" + self.ranks._repr_html_()


def command():
    """The command: $MPILENS, or the one installed with this module, or in PATH."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3, "bin", "mpilens")
    found = os.environ.get("MPILENS") or (own if os.access(own, os.X_OK) else shutil.which("mpilens"))
    if not found:
        raise Error("mpilens is not in PATH")
    return found


def read(*targets, options=()):
    """Reads and judges the job that the targets name, as `mpilens why` does: PIDs, names of programs, snapshots, core
    files; none: the only job of this user on this host. `options` are further words of the command line, such as
    ["--slurm", "4711"]."""
    words = [command(), "why", "--json", "--queues", "all", *options, "--", *map(str, targets)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if not done.stdout.strip():
        raise Error(done.stderr.decode(errors="replace").strip() or f"mpilens: status {done.returncode}")
    return Job(json.loads(done.stdout))


def load(path):
    """A job out of a file with the output of `mpilens why --json`, `show --json`, or a guard's report."""
    with open(path, encoding="utf-8") as file:
        return Job(json.load(file))

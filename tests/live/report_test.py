# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens report` of a job that hangs: the parts of its file, and with --redact no name in them; `mpilens why --html FILE --watch`,
which writes the page again and again until the job has ended."""
import base64
import getpass
import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

from lib import schema
from lib.job import Job, TextTest, run_text_test, wait_until
from lib.patience import at_most

SECONDS = at_most(60)
RANKS = 3
PARTS = {"README.txt", "verdict.txt", "verdict.json", "page.html", "stacks.txt", "history.txt", "doctor.txt"}
ARGUMENTS = ("--input=harbour.nc", "salamander")
PROGRAM = """
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, value;
    MPI_Comm heat;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &heat);
    MPI_Comm_set_name(heat, "3 km/h of heat.c"); // is no path
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 7, heat, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""


def read_parts(path):
    """{name: bytes} of the one directory in the archive."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        names = [name.split("/") for name in archive.namelist()]
        assert {name[0] for name in names} == {os.path.basename(path)[: -len(".zip")]}, names
        return {name[1]: archive.read("/".join(name)) for name in names}


class ReportTest(TextTest):
    def report(self, *words):
        path = os.path.join(self.directory, "hang.zip")
        result = self.command.run("report", "-o", path, *words)
        self.check(result.status == 0 and f"saved to {path} (" in result.output, f"{result}")
        return read_parts(path)

    def check_documents(self, parts):
        document = json.loads(parts["verdict.json"])
        schema.check(document)
        self.check([finding["kind"] for finding in document["findings"]] == ["deadlock"], f"{document}")
        for part, text in (
            ("verdict.txt", "deadlock: ranks [0-2] wait for each other"),
            ("page.html", "<title>mpilens: deadlock</title>"),
            ("stacks.txt", "MPI_Recv (MPI library)"),
            ("history.txt", f", {RANKS} ranks"),
            ("doctor.txt", "ptrace: "),
            ("README.txt", "page.html"),
        ):
            self.check(text in parts[part].decode(), f"{part}: {parts[part].decode()}")

    def check_whole(self, parts):
        self.check(parts.keys() == PARTS | {"job.mpilens"}, f"{parts.keys()}")
        self.check_documents(parts)
        self.snapshot = os.path.join(self.directory, "job.mpilens")
        with open(self.snapshot, "wb") as file:
            file.write(parts["job.mpilens"])
        result = self.command.run("why", "--json", self.snapshot)
        self.check(result.status == 1 and result.document()["findings"][0]["kind"] == "deadlock", f"{result}")

    def check_redacted(self, parts):
        self.check(parts.keys() == PARTS, f"{parts.keys()}")
        self.check_documents(parts)
        secrets = [self.directory, socket.gethostname(), "harbour", "salamander", os.path.expanduser("~")]
        secrets += ["Jürgen", "strudel", "pretzel", "waffle"]
        if getpass.getuser() != "root":
            secrets.append(getpass.getuser())
        for name, content in parts.items():
            text = content.decode()
            for secret in secrets:
                self.check(not re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", text), f"{name} has {secret}: {text}")
        self.check("3 km/h of heat.c" in parts["verdict.txt"].decode(), parts["verdict.txt"].decode())
        page = parts["page.html"].decode()
        self.check("path-1/program arg-1 arg-2" in page and "host-1" in page, page)
        for element in "style", "script":
            content = re.search(rf"<{element}>(.*?)</{element}>", page, re.DOTALL).group(1)
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            self.check(f"'sha256-{digest}'" in page, f"the {element} of the page is not the one that is allowed")

    def check_text(self, text):
        self.check(self.directory not in text and socket.gethostname() not in text, text)
        self.check("rgen" not in text and "waffle" not in text, text)

    def check_formats(self, job):
        """The verdict in one format more; the name of the file is not told inside of it where it has the host."""
        own = os.path.join(self.directory, f"{socket.gethostname()}.zip")
        result = self.command.run("report", "--redact", "--format", "sarif", "-o", own, job.launcher)
        self.check(result.status == 0, f"{result}")
        with zipfile.ZipFile(own) as archive:
            self.check({name.split("/")[0] for name in archive.namelist()} == {"host-1"}, f"{archive.namelist()}")
            text = archive.read("host-1/verdict.sarif").decode()
        self.check(json.loads(text)["runs"][0]["results"][0]["ruleId"] == "deadlock", text)
        self.check_text(text)
        result = self.command.run("report", "--redact", "--format", "junit", "-o", own, job.launcher)
        self.check(result.status == 0, f"{result}")
        with zipfile.ZipFile(own) as archive:
            text = archive.read("host-1/verdict.xml").decode()
        self.check(ElementTree.fromstring(text).find(".//failure").get("type") == "deadlock", text)
        self.check_text(text)
        refused = self.command.run("report", "--format", "json", job.launcher)
        self.check(refused.status == 2 and "verdict.json" in refused.diagnostics, f"{refused}")

    def check_default_name(self, job):
        place = os.path.join(self.directory, "place")
        os.mkdir(place)
        for words, host in ([], re.escape(socket.gethostname())), (["--redact"], "host-1"):
            result = self.command.run("report", *words, job.launcher, cwd=place)
            self.check(result.status == 0, f"{result}")
            (name,) = os.listdir(place)
            self.check(re.fullmatch(rf"mpilens-program-{host}-\d{{8}}-\d{{4}}\.zip", name), name)
            os.unlink(os.path.join(place, name))

    def check_watch(self, job):
        path = os.path.join(self.directory, "watched.html")

        def moment():
            if not os.path.exists(path):
                return None
            with open(path) as file:
                page = file.read()
            self.check(page.endswith("</html>\n"), f"half a page: {page[-200:]}")
            return int(re.search(r'"as_of": ?(\d+)', page).group(1))

        line = [self.command.path, "why", "--html", path, "--watch", "1s", "--interval", "0.1", str(job.launcher)]
        with subprocess.Popen(line, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as watching:
            self.check(wait_until(lambda: moment() is not None, SECONDS), "no page is written")
            first = moment()
            self.check(wait_until(lambda: moment() > first, SECONDS), "the page is not written again")
            os.kill(job.launcher, signal.SIGKILL)
            for process in self.ranks:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            _, diagnostics = watching.communicate(timeout=SECONDS)
            self.check(watching.returncode == 1, f"status {watching.returncode}: {diagnostics}")
        for words in ["--watch", "10s"], ["--html", "-", "--watch", "10s"]:
            refused = self.command.run("why", *words)
            self.check(refused.status == 2 and "--watch needs --html FILE" in refused.diagnostics, f"{refused}")

    def is_hung(self, job):
        document = self.command.run("show", "--json", job.launcher).document()
        processes = document["processes"] if document else []
        self.ranks = [process["pid"] for process in processes]
        calls = [thread["call"] for process in processes for thread in process["threads"] if thread["call"]]
        return [call["function"] for call in calls] == RANKS * ["MPI_Recv"]

    def run(self):
        line = [self.command.path, "run", "--no-keep", self.program, *ARGUMENTS]
        with Job(self.arguments.mpiexec, RANKS, line) as job:
            self.check(wait_until(lambda: self.is_hung(job), SECONDS, pause=0.2), "the job does not hang")
            self.check_whole(self.report(job.launcher))
            self.check_redacted(self.report("--redact", job.launcher))
            self.check_redacted(self.report("--redact", self.snapshot))
            self.check_formats(job)
            self.check_default_name(job)
            self.check_watch(job)
        return not self.end()


if __name__ == "__main__":
    odd = 'Jürgen\'s "strudel" (pretzel), & more/a waffle\'s source/"'  # is replaced whole
    sys.exit(run_text_test(ReportTest, __doc__, PROGRAM, below=odd))

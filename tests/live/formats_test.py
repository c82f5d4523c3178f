# SPDX-License-Identifier: BSD-3-Clause
"""A job that hangs, in every format for machines, each read by its own consumer: as guard reports it, as CI is told, as `why`
writes it, as a command gets it, and as rows in Python."""
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

from lib import consumers
from lib.command import Command, argument_parser
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(90)
TIMED_OUT = 124
REPORTS = ("r.txt", "r.json", "r.sarif", "r.xml", "r.md", "r.html", "gitlab:r.gitlab")
HEADLINE = "ranks [0,1] wait for each other"
HOOK = 'env | grep "^MPILENS_" | sort > facts; echo "LD_PRELOAD=$LD_PRELOAD" >> facts; cat > verdict.json; exit 7'


class FormatsTest(Report):
    def __init__(self, arguments, directory):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.directory = directory

    def read(self, name):
        with open(os.path.join(self.directory, name), encoding="utf-8") as file:
            return file.read()

    def guard(self, *words, environment=None):
        line = [self.command.path, "guard", "--timeout", "1", "-o", "hang.mpilens", *words]
        return subprocess.run(
            line,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd=self.directory,
            env={**os.environ, "LC_ALL": "C.UTF-8", "MPILENS_CI": "", **(environment or {})},
        )

    def hang(self):
        """Everything at once: reports, CI, and a command."""
        with open(os.path.join(self.directory, "summary"), "w", encoding="utf-8") as file:
            file.write("before\n")
        ci = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_STEP_SUMMARY": "summary",
            "GITHUB_WORKSPACE": os.path.dirname(os.path.abspath(self.arguments.source)),
        }
        reports = [word for report in REPORTS for word in ("--report", report)]
        done = self.guard(
            *reports,
            "--on-finding",
            HOOK,
            "--",
            self.arguments.mpiexec,
            "-n",
            "2",
            os.path.abspath(self.arguments.program),
            environment=ci,
        )
        self.check(done.returncode == TIMED_OUT, f"status {done.returncode}:\n{done.stderr}")
        commands = consumers.github(done.stderr)
        self.check(
            [command for command, _, message in commands if HEADLINE in message] == ["error"],
            f"annotations: {commands}",
        )
        self.check("title" in commands[0][1] and "line" in commands[0][1], f"annotation: {commands}")
        summary = self.read("summary")
        self.check(summary.startswith("before\n\n# mpilens: ") and "## deadlock\n" in summary, f"summary: {summary}")
        self.check("--on-finding" in done.stderr and "exit status 7\n" in done.stderr, f"the hook:\n{done.stderr}")

    def facts(self):
        facts = dict(line.split("=", 1) for line in self.read("facts").splitlines())
        self.check(facts["MPILENS_KIND"] == "deadlock" and facts["MPILENS_RANKS"] == "0-1", f"facts: {facts}")
        self.check(HEADLINE in facts["MPILENS_HEADLINE"], f"facts: {facts}")
        self.check(facts["MPILENS_FILE"] == os.path.join(self.directory, "hang.mpilens"), f"facts: {facts}")
        self.check(facts["LD_PRELOAD"] == "", f"the runtime is not for hooks: {facts}")
        self.check(json.loads(self.read("verdict.json"))["findings"][0]["kind"] == "deadlock", "standard input")

    def expect_hang(self, what, form, text):
        """One format, by its consumer."""
        try:
            if form == "gcc":
                (first, *notes) = consumers.gcc(text)
                self.check(first[2] == "error" and first[3].endswith("[deadlock]"), f"{what}: {first}")
                self.check(first[1] is not None and {note[2] for note in notes} == {"note"}, f"{what}: {notes}")
            elif form == "github":
                ((command, properties, message),) = consumers.github(text)
                self.check(command == "error" and HEADLINE in message, f"{what}: {command}, {message}")
                self.check(properties["title"] == "mpilens: deadlock", f"{what}: {properties}")
            elif form == "gitlab":
                (issue,) = consumers.gitlab(text)
                self.check(issue["check_name"] == "mpilens/deadlock", f"{what}: {issue}")
            elif form == "sarif":
                (result,) = consumers.sarif(text)["results"]
                self.check(
                    result["ruleId"] == "deadlock" and HEADLINE in result["message"]["text"], f"{what}: {result}"
                )
            elif form == "junit":
                failure = consumers.junit(text).find("testcase/failure")
                self.check(failure is not None and failure.get("type") == "deadlock", f"{what}: {text}")
            elif form == "json":
                self.check(json.loads(text)["findings"][0]["kind"] == "deadlock", f"{what}: {text}")
            else:
                self.check("deadlock" in text and "wait for each other" in text, f"{what}: {text}")
        except (consumers.Refused, ValueError) as error:
            self.check(False, f"{what}: {error}:\n{text}")

    def reports(self):
        forms = {"txt": "text", "json": "json", "sarif": "sarif", "xml": "junit", "md": "markdown", "html": "html"}
        for name in (report.rpartition(":")[2] for report in REPORTS):
            suffix = name.rpartition(".")[2]
            self.expect_hang(name, forms.get(suffix, suffix), self.read(name))
        self.command.run("why", "--json", os.path.join(self.directory, "hang.mpilens")).document()

    def verdicts(self):
        for form in ("text", "json", "gcc", "github", "gitlab", "sarif", "junit", "markdown"):
            result = self.command.run("why", "--format", form, "hang.mpilens", cwd=self.directory)
            self.check(result.status == 1 and not result.diagnostics, f"{form}: {result}")
            self.expect_hang(f"why --format {form}", form, result.output)
        result = self.command.run("leaks", "--format", "junit", "hang.mpilens", cwd=self.directory)
        self.check(consumers.junit(result.output).get("failures") == "0" and result.status == 0, f"leaks: {result}")
        for words in (["--format", "xml"], ["--json", "--format", "gcc"], ["--format", "sarif", "--dot"]):
            result = self.command.run("why", *words, "hang.mpilens", cwd=self.directory)
            self.check(result.status == 2 and not result.output, f"{words}: {result}")

    def mpi(self):
        """For commands that name no program of MPI."""
        return "--mpi", self.arguments.flavour

    def good_end(self):
        """A report says that all was well; a program that fails by itself is an error without a finding."""
        for status, failures in ((0, ("0", "0")), (3, ("0", "1"))):
            done = self.guard(
                *self.mpi(), "--report", "end.xml", "--report", "end.sarif", "--", "sh", "-c", f"exit {status}"
            )
            suite = consumers.junit(self.read("end.xml"))
            self.check(done.returncode == status, f"status {done.returncode}:\n{done.stderr}")
            self.check((suite.get("failures"), suite.get("errors")) == failures, f"{status}: {suite.attrib}")
            self.check(suite.find("testcase").get("name") == f"sh -c exit {status}", f"{suite[1].attrib}")
            self.check(consumers.sarif(self.read("end.sarif"))["results"] == [], "results of nothing")
        done = self.guard("--report", "nothing", "--", "true")
        self.check(done.returncode == 2 and "junit:nothing" in done.stderr, f"a report without a format: {done}")

    def watched(self):
        result = self.command.run(
            "watch", "hang.mpilens", "--on-finding", "echo $MPILENS_KIND; exit 3", cwd=self.directory
        )
        lines = result.diagnostics.splitlines()
        self.check(
            len(lines) == 3
            and lines[0].startswith("mpilens: deadlock: ")
            and lines[1] == "deadlock"
            and lines[2].endswith("exit status 3"),
            f"watch: {result}",
        )

    def metrics(self):
        result = self.command.run("list", "--openmetrics", "hang.mpilens", cwd=self.directory)
        found = consumers.openmetrics(result.output)
        if found is None:
            print("SKIPPED: prometheus_client (package python3-prometheus-client) is not installed: no metrics")
            return
        self.check([value for _, value in found["mpilens_job_ranks"]] == [2], f"metrics: {result}")
        self.check(found["mpilens_job_quiet_seconds"][0][1] > 0, f"metrics: {result}")

    def module(self):
        """The module for notebooks, by its own file: gdb's script has the same name."""
        os.environ["MPILENS"] = self.command.path
        where = importlib.util.spec_from_file_location("mpilens", self.arguments.module)
        mpilens = importlib.util.module_from_spec(where)
        where.loader.exec_module(mpilens)
        job = mpilens.read(os.path.join(self.directory, "hang.mpilens"))
        ranks = [(row["rank"], row["function"], row["line"] is not None) for row in job.ranks]
        self.check(ranks == [(0, "MPI_Recv", True), (1, "MPI_Recv", True)], f"ranks: {job.ranks}")
        receives = {(row["rank"], row["peer"]) for row in job.queues if row["queue"] == "receives"}
        self.check(receives == {(0, 1), (1, 0)}, f"queues: {job.queues}")
        self.check(job.verdict.startswith("deadlock: ") and job.findings[0]["culprits"] == [0, 1], f"{job}")
        self.check(len(job.evidence) >= 2 and job.evidence[0]["kind"] == "deadlock", f"{job.evidence}")
        page = job._repr_html_()
        self.check(page.count("<tr>") == 3 and "MPI_Recv" in page, page)
        self.check(mpilens.load(os.path.join(self.directory, "r.json")).verdict == job.verdict, "load")
        hostile = mpilens.Rows([{"name": "<b>&"}])
        self.check("<b>" not in hostile._repr_html_(), "markup of the program's")
        try:
            mpilens.read(os.path.join(self.directory, "facts"))
            self.check(False, "a text file is no job")
        except mpilens.Error as error:
            self.check("facts" in str(error), f"{error}")

    def example(self):
        done = subprocess.run(
            [sys.executable, self.arguments.example, "hang.mpilens"],
            cwd=self.directory,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            env={**os.environ, "PYTHONPATH": os.path.dirname(self.arguments.module)},
        )
        lines = done.stdout.splitlines()
        self.check(
            len(lines) == 3 and all(re.search(r"^ +[01] #+ +MPI_Recv .*rank [01], tag", line) for line in lines[1:]),
            f"example: {done}",
        )

    def run(self):
        self.hang()
        self.facts()
        self.reports()
        self.verdicts()
        self.good_end()
        self.watched()
        self.metrics()
        self.module()
        self.example()
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--flavour", required=True, help="name of the runtime of that MPI")
    parser.add_argument("--source", required=True, help="of the program, whose two ranks wait for each other")
    parser.add_argument("--module", required=True, help="the module for notebooks")
    parser.add_argument("--example", required=True, help="a script that uses it")
    parser.add_argument("program")
    arguments = parser.parse_args()
    if consumers.jsonschema is None:
        print("SKIPPED: jsonschema (package python3-jsonschema) is not installed: no check of SARIF's members")
    with tempfile.TemporaryDirectory(prefix="mpilens-formats-") as directory:
        return FormatsTest(arguments, os.path.realpath(directory)).run()


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens leaks`: objects that a program has made and not freed, as it declares itself; while it runs, and when it ends."""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from lib.command import Command, argument_parser
from lib.job import Job, wait_until
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(60)
RANKS = 2
FUNCTION = re.compile(r"(MPI_\w+) ?\(")
# A row of the table on standard error.
ROW = re.compile(
    r"^ *(\d+) +(\w+) +(\[[\d,-]+\]|\d+) +[\d.]+ \w+ +(MPI_\w+) +(?:[^ :]+:(\d+) |[^ :]+\+0x)", re.MULTILINE
)
LEAK = re.compile(r"LEAK (\d+) (\w+) at ([\d,]+)")


def expected_leaks(source):
    """{(kind, function, line): {rank: count}}, as the source says."""
    leaks = {}
    with open(source) as file:
        for number, line in enumerate(file, 1):
            found = LEAK.search(line)
            if found and "behind the line" not in line:
                count, kind, ranks = found.groups()
                place = kind, FUNCTION.search(line).group(1), number
                leaks[place] = {int(rank): int(count) for rank in ranks.split(",")}
    return leaks


def seen_leaks(document):
    return {
        (leak["kind"], leak["function"], leak["site"]["line"]): {one["rank"]: one["count"] for one in leak["ranks"]}
        for leak in document["leaks"]
    }


class LeaksTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)

    def wait_for(self, job, name):
        def is_there():
            return all(os.path.exists(os.path.join(job.directory, f"{name}-{rank}")) for rank in range(RANKS))

        wait_until(lambda: is_there() or job.has_ended(), SECONDS)
        if not is_there():
            raise SystemExit(f'the job does not come to "{name}":\n{job.printed()}')

    def look(self, title, target, is_finalized):
        expected = expected_leaks(self.arguments.source)
        assert expected
        result = self.command.run("leaks", "--json", target)
        document = result.document()
        self.check(document is not None and seen_leaks(document) == expected, f"{title}: not {expected}:\n{result}")
        findings = {(tuple(one["ranks"]), one["kind"]) for one in (document or {"findings": []})["findings"]}
        ranks = {(tuple(leak), "leak") for leak in expected.values()} if is_finalized else set()
        self.check(findings == ranks and result.status == is_finalized, f"{title}: findings {findings}:\n{result}")
        text = self.command.run("leaks", target)
        self.check(text.status == is_finalized and "MPI_Comm_dup" in text.output, f"{title}:\n{text}")
        limited = self.command.run("leaks", "--json", "--limit", 6, target)
        counts = sorted(len(one["ranks"]) for one in limited.document()["findings"])
        if not is_finalized:
            self.check(limited.status == 1 and counts == [1, 1, 2], f"{title}: beyond the limit:\n{limited}")

    def running(self):
        """While the ranks run, after they have finalized, and from a snapshot; with and without a command above each."""
        program = os.path.abspath(self.arguments.program)
        for name, options in ("running", []), ("finalized", ["--leaks"]):
            with Job(
                self.arguments.mpiexec, RANKS, [self.command.path, "run", *options, program]
            ) as job, tempfile.TemporaryDirectory() as directory:
                job.tell(name)
                self.wait_for(job, name)
                job.demote()
                self.look(name, job.launcher, name == "finalized")
                snapshot = os.path.join(directory, "snapshot")
                self.command.run("snapshot", "-o", snapshot, job.launcher)
                self.look(f"{name}, snapshot", snapshot, name == "finalized")

    def started(self, title, ranks, *program, environment=None):
        """A job of ranks that are watched to their end; its exit status, and what the only table says of them, as
        said_of() does."""
        line = [self.arguments.mpiexec, "-n", str(ranks), self.command.path, "run", *program]
        done = subprocess.run(
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            timeout=SECONDS,
            env=dict(os.environ, **(environment or {})),
        )
        self.check(done.stderr.count("made and not freed") <= 1, f"{title}: several tables:\n{done.stderr}")
        said = {}
        for count, name, ranks_of, function, number in ROW.findall(done.stderr):
            kind = name[:-1] if name.endswith("s") else name
            said[kind, function, int(number) if number else None] = int(count), ranks_of
        return done.returncode, said, done.stderr

    @staticmethod
    def said_of(leaks):
        """{(kind, function, line): (count, ranks)} of what expected_leaks() says."""
        names = {(0, 1): "[0,1]"}
        return {
            place: (sum(counts.values()), names.get(tuple(counts), str(min(counts)))) for place, counts in leaks.items()
        }

    def ending(self):
        """When the ranks end."""
        program = os.path.abspath(self.arguments.program)
        leaks = expected_leaks(self.arguments.source)
        expected = self.said_of(leaks)
        status, said, text = self.started("end", RANKS, program, environment={"MPILENS_LEAKS": "1"})
        self.check(status == 0 and said == expected, f"end: {status}, {said}, not {expected}:\n{text}")
        self.check("mpilens run: ranks [0,1] have made" in text, f"end: of whom?\n{text}")
        status, said, text = self.started("not asked", RANKS, program)
        self.check(status == 0 and not said, f"not asked: {status}, {said}:\n{text}")
        only = self.said_of({leak: {0: ranks[0]} for leak, ranks in leaks.items() if 0 in ranks})
        status, said, text = self.started("below a script", RANKS, "--leaks=0", "sh", "-c", f"{program}; exit $?")
        self.check(status == 0 and said == only, f"below a script: {status}, {said}, not {only}:\n{text}")
        status, said, text = self.started("many", 2 * RANKS, "--leaks", program)
        self.check(status == 0 and "mpilens run: ranks [0-3] have made" in text, f"many: {status}, {said}:\n{text}")
        for title, options in ("error exit code", ["--error-exitcode=9"]), ("of the environment", []):
            status, said, text = self.started(
                title,
                RANKS,
                *options,
                program,
                environment={"MPILENS_LEAKS": "1", "MPILENS_ERROR_EXITCODE": "9"} if not options else None,
            )
            self.check(status == 9 and said, f"{title}: {status}, {said}:\n{text}")
        status, said, text = self.started("no leaks", RANKS, "--error-exitcode=9", "sh", "-c", "exit 0")
        self.check(status == 0 and not said, f"no leaks: {status}, {said}:\n{text}")
        status, said, text = self.started("its own", 1, "--error-exitcode=9", "sh", "-c", f"{program}; exit 7")
        self.check(status == 7 and said, f"its own status: {status}, {said}:\n{text}")
        self.guarded(program)
        if self.arguments.fortran:
            expected = self.said_of(expected_leaks(self.arguments.fortran_source))
            assert expected
            status, said, text = self.started("Fortran", RANKS, "--leaks", os.path.abspath(self.arguments.fortran))
            without = {place for place in said if place[2] is None}  # lib/source.py says why
            alike = [place for place in expected if (*place[:2], None) in without]
            self.check(len(alike) == len(without), f"Fortran: {alike} for {without}:\n{text}")
            for place in alike:
                expected[(*place[:2], None)] = expected.pop(place)
            self.check(status == 0 and said == expected, f"Fortran: {status}, {said}, not {expected}:\n{text}")

    def guarded(self, program):
        """The guard hands the option on to the ranks, and says where it cannot."""
        mpiexec = [self.arguments.mpiexec, "-n", str(RANKS)]
        guard = ["guard", "--timeout", SECONDS, "--error-exitcode", 9, "--", *mpiexec]
        result = self.command.run(*guard, self.command.path, "run", program)
        self.check(result.status == 9 and "made and not freed" in result.diagnostics, f"guarded: {result}")
        result = self.command.run(*guard, program)
        self.check(result.status == 2 and "mpilens run" in result.diagnostics, f"guarded without run: {result}")

    def ends_alike(self):
        """A rank that is watched ends as it would without."""
        program = os.path.abspath(self.arguments.program)
        passed_on = 'trap "exit 9" TERM; kill -TERM $PPID; sleep 20 2>/dev/null & wait'
        for ending in ["exit 7", "kill -USR1 $$", "kill -KILL $$", passed_on]:
            script = ["sh", "-c", f"{program} 3; {ending}"]
            without = 9 if ending == passed_on else subprocess.run(script, timeout=SECONDS).returncode
            line = [self.command.path, "run", "--leaks", *script]
            done = subprocess.run(line, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=SECONDS)
            self.check(done.returncode == without, f"{ending}: status {done.returncode}, not {without}")
            self.check("MPI_Comm_dup" in done.stderr, f"{ending}: {done.stderr}")

    def run(self):
        """The parts side by side: they mostly wait for jobs to start and to end."""
        parts = self.running, self.ending, self.ends_alike
        with ThreadPoolExecutor(len(parts)) as pool:
            for part in [pool.submit(part) for part in parts]:
                part.result()
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--fortran", help="the same in Fortran")
    parser.add_argument("--fortran-source")
    parser.add_argument("program")
    return LeaksTest(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())

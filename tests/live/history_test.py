# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens history`: of a job whose ranks part it marks the first collective call that differs, of another one none; the same of the
processes, of a snapshot, and of the black boxes once the job was killed."""
import json
import os
import re
import sys

from lib.job import Job, TextTest, compile_text, run_text_test, wait_until
from lib.patience import at_most

SECONDS = at_most(60)
RANKS = 4
ROUNDS = 50
MANY = 2000
PROGRAM = (
    """
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, size, mine = 0, other, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < %d; i++) {
        MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) %% size, 7,
                     &other, 1, MPI_INT, (rank + size - 1) %% size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&other, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (argc > 1 && argv[1][0] == 'p' && rank == 3)
        MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && argv[1][0] == 'p')
        MPI_Allreduce(&other, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; argc > 1 && i < MANY; i++)
        MPI_Sendrecv(&mine, 1, MPI_INT, rank, 8, &other, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (;;)
        pause();
}
"""
    % ROUNDS
)
OBJECTS = """
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int mine = 0;
    MPI_Win window;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Win_create(&mine, sizeof mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_name(window, "halo");
    MPI_Win_fence(0, window);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_all(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, window);
    for (;;)
        pause();
}
"""
CALLS = 2 * ROUNDS
AGE = re.compile(r"^ *([0-9.]+ (s|min|h|d) +)?")


class HistoryTest(TextTest):
    def history(self, *words):
        """The text below the name of the job."""
        result = self.command.run("history", *words)
        self.check(result.status == 0 and not result.diagnostics, f"{result}")
        return [AGE.sub("", line.rstrip()) for line in result.output.splitlines()[1:]]

    def messages(self, place):
        """Each message of rank 3 with its other end."""
        text = self.history(place, "--rank", RANKS - 1, "--all")
        left, right = (RANKS - 2, 0)
        for line in (
            f"MPI_Sendrecv(1 x MPI_INT -> {right}, tag 7, MPI_COMM_WORLD)  program.c:12 main  rank {right}: MPI_Sendrecv program.c:12 main",
            f"MPI_Sendrecv(1 x MPI_INT <- {left}, tag 7, MPI_COMM_WORLD)  program.c:12 main  rank {left}: MPI_Sendrecv program.c:12 main",
        ):
            self.check(text.count(line) == ROUNDS, f"{line}: {text.count(line)} times in {text}")
        document = self.command.run("history", "--json", "--rank", RANKS - 1, place).document()
        others = [(one["direction"], one["other"]["rank"], one["other"]["serial"]) for one in document["messages"]]
        self.check(len(set(others)) == len(others) == 2 * ROUNDS, f"{others}")
        return text, others, document["histories"]

    def trace(self, place):
        """As Perfetto takes it: slices and instants in the order of each track, arrows from slice to slice."""
        path = os.path.join(self.directory, "trace.json")
        result = self.command.run("history", place, "--perfetto", path)
        self.check(result.status == 0 and not result.output and not result.diagnostics, f"{result}")
        with open(path, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        self.check(os.stat(path).st_mode & 0o777 == 0o600, "the trace is for its user only")
        slices, newest, ends, names = set(), {}, {"s": {}, "f": {}}, set()
        for event in events:
            self.check(all(isinstance(event.get(name), int) for name in ("ts", "pid", "tid")), f"{event}")
            self.check(event["ts"] >= 0 and event["name"] and event["pid"] in range(RANKS), f"{event}")
            track, kind = (event["pid"], event["tid"], event.get("cat")), event["ph"]
            if kind in ("X", "i"):
                self.check(event["ts"] >= newest.get(track, 0), f"{event} before {newest.get(track)}")
                newest[track] = event["ts"] + event.get("dur", 0)
                self.check(event["dur"] >= 1 if kind == "X" else event["s"] == "t", f"{event}")
                slices.add((kind, event["pid"], event["tid"], event["ts"]))
            elif kind in ends:
                self.check(event["id"] not in ends[kind], f"{event} again")
                self.check(("X", event["pid"], event["tid"], event["ts"]) in slices, f"{event} is in no slice")
                self.check(kind == "s" or event["bp"] == "e", f"{event}")
                ends[kind][event["id"]] = event["pid"]
            else:
                self.check(kind == "M", f"{event}")
                names.add((event["name"], event["args"]["name"]))
        self.check({("process_name", f"rank {rank}") for rank in range(RANKS)} <= names, f"{names}")
        self.check(
            ends["s"].keys() == ends["f"].keys() and len(ends["s"]) == RANKS * ROUNDS, f"arrows of {place}: {ends}"
        )
        for arrow, sender in ends["s"].items():
            self.check(ends["f"].get(arrow) == (sender + 1) % RANKS, f"{arrow}: {sender} to {ends['f'].get(arrow)}")

    def job(self, words, sentence, rows):
        boxes = os.path.join(self.directory, "-".join(["boxes", *words]))
        snapshot = os.path.join(self.directory, "-".join(["job", *words]) + ".mpilens")
        line = [self.command.path, "run", "--keep", boxes, self.program, *words]
        with Job(self.arguments.mpiexec, RANKS, line) as job:

            def shown():
                return AGE.sub("", self.command.run("history", job.launcher).output)

            def is_there():
                before = shown()
                is_over = words or "(active)" not in before  # without a word, no call hangs
                return is_over and all(row in before for row in rows) and shown() == before

            self.check(wait_until(is_there, SECONDS, pause=0.2), f"{rows} in {self.history(job.launcher)}")
            live = self.history(job.launcher)
            if not live:
                return []
            self.check(f"MPI_COMM_WORLD of 4 ranks: {sentence}" in live, f"{sentence} in {live}")
            self.check(max(map(len, live)) <= 120, f"{live}")
            messages = self.messages(job.launcher)
            self.trace(job.launcher)
            self.command.run("snapshot", "-o", snapshot, job.launcher)
        for place in (snapshot, boxes):
            self.check(self.history(place) == live, f"{place}: {self.history(place)}, the job: {live}")
            self.check(self.messages(place) == messages, f"{place}: {self.messages(place)}, the job: {messages}")
            self.trace(place)
        return live

    def objects(self):
        """Collective calls of windows and files have the names of these in the trace."""
        output = os.path.join(self.directory, "output")
        program = compile_text(self.arguments.mpicc, self.directory, OBJECTS, name="objects")
        line = [self.command.path, "run", "--no-keep", program, output]
        path = os.path.join(self.directory, "objects.json")
        with Job(self.arguments.mpiexec, RANKS, line) as job:

            def calls():
                self.command.run("history", job.launcher, "--perfetto", path)
                if not os.path.exists(path):
                    return set()
                with open(path, encoding="utf-8") as file:
                    events = json.load(file)["traceEvents"]
                return {
                    (event["pid"], event["name"], event["args"]["call"])
                    for event in events
                    if event.get("cat") == "collective" and "MPI_COMM_WORLD" not in event["args"]["call"]
                }

            expected = {
                (rank, function, call)
                for rank in range(RANKS)
                for function, call in (
                    ("MPI_Win_fence", 'call 1 on window "halo"'),
                    ("MPI_Win_fence", 'call 2 on window "halo"'),
                    ("MPI_File_write_all", f'call 1 on file "{output}"'),
                )
            }
            self.check(wait_until(lambda: calls() == expected, SECONDS, pause=0.2), f"{calls()}")

    def depth(self):
        """`mpilens run --history 1024`: at least 1024 messages are remembered, at most three times as many."""
        count = 1024
        line = [self.command.path, "run", "--no-keep", "--history", str(count), self.program, "many"]
        with Job(self.arguments.mpiexec, RANKS, line) as job:

            def is_there():
                document = self.command.run("history", "--json", "--rank", 1, job.launcher).document()
                messages = document["messages"] if document else []
                return (
                    bool(messages)
                    and messages[-1]["serial"] == 2 * (ROUNDS + MANY)
                    and count <= len(messages) <= 3 * count
                )

            self.check(wait_until(is_there, SECONDS, pause=0.2), f"{self.history(job.launcher, '--rank', 1)}")
        refused = self.command.run("run", "--history", "1000", self.program)
        self.check("--history takes a power of two from 256 to 16384, not '1000'" in refused.diagnostics, f"{refused}")
        self.check(refused.status == 2, f"{refused}")

    def run(self):
        last = f"{CALLS}  MPI_Allreduce program.c:14 main"
        first = CALLS + 1
        parted = self.job(
            ["part"],
            f"{first} collective calls each, the first difference is call {first}",
            [f"{first}  MPI_Allreduce program.c:19 main (active)  MPI_Barrier program.c:17 main (active)  <- differs"],
        )
        self.check(f"CALL  {'ranks [0-2]':40}  rank 3" in parted, f"{parted}")
        self.check(sum("<-" in line for line in parted) == 1, f"{parted}")
        healthy = self.job([], f"{CALLS} collective calls each, no difference in those that are known", [last])
        self.check("CALL  ranks [0-3]" in healthy and not any("<-" in line for line in healthy), f"{healthy}")
        self.objects()
        self.depth()
        return not self.end()


if __name__ == "__main__":
    sys.exit(run_text_test(HistoryTest, __doc__, PROGRAM, f"-DMANY={MANY}"))

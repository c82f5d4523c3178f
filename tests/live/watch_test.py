# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens watch`: the characters of jobs that hang, poll and compute, and that it ends when they do."""
import os
import re
import subprocess
import sys

from lib.command import argument_parser
from lib.job import JobTest
from lib.patience import at_most

SECONDS = at_most(60)
MOMENT = re.compile(r"^\d\d:\d\d:\d\d  (\S+)$")


class WatchTest(JobTest):
    def hanging(self, program, expected):
        with self.job(program) as job:
            self.come_to(job, expected)
            text = self.command.run("watch", "--interval", 0.1, "--count", 3, job.launcher)
            ruler, *moments = text.output.splitlines()
            self.check(text.status == 0 and ruler == "          0.", f"{text}")
            self.check([MOMENT.sub(r"\1", moment) for moment in moments] == [expected] * 3, f"{text}")
            one = self.command.run("watch", "--count", 1, "--rank", 1, job.launcher)
            self.check(one.output.splitlines()[-1].endswith(f"  {expected[1]}"), f"{one}")
            several = self.command.run("watch", "--json", "--interval", 0.1, "--count", 3, job.launcher)
            self.check([document["verb"] for document in several.documents()] == ["watch"] * 3, f"{several}")

    def to_the_end(self):
        with self.job(self.arguments.computing) as job:
            self.come_to(job, "uu")
            watch = subprocess.Popen(
                [self.command.path, "watch", "--interval", "0.1", str(job.launcher)],
                text=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            lines = [watch.stdout.readline() for _ in range(5)]
            self.check(lines[-1].rstrip().endswith("  uu"), f"{lines}")
            self.check(watch.poll() is None, "it has ended before the job")
            job.tell("end")
            output, diagnostics = watch.communicate(timeout=SECONDS)
            self.check(watch.returncode == 0 and not diagnostics, f"{watch.returncode}\n{output}\n{diagnostics}")

    def run(self):
        self.hanging(self.arguments.hang, "rr")
        self.hanging(self.arguments.polling, "rU")
        self.to_the_end()
        gone = self.command.run("watch", os.getpid())
        self.check(gone.status == 3 and gone.diagnostics, f"{gone}")
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--hang", required=True, help="both ranks wait for messages")
    parser.add_argument("--polling", required=True, help="rank 1 polls, and has a message that it does not ask for")
    parser.add_argument("--computing", required=True, help="computes until it is told to end, with messages under way")
    return WatchTest(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())

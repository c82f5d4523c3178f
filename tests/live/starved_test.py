# SPDX-License-Identifier: BSD-3-Clause
"""One program of verdicts/ whose ranks hardly get a processor: whoever could not run has not stood still, so `mpilens why` may
find the fault that the program has, or nothing, and must not find anything else."""
import os
import subprocess
import sys

from lib.job import KEEPS_NICENESS, JobFailed, processes_with, run_test
from lib.report import all_right
from why_test import WhyTest, parse_arguments

# Rival processes on the one processor of the ranks, and their niceness: a rank gets less than a hundredth of it.
RIVALS, NICENESS_OF_RIVALS = 4, 3
NICENESS_OF_RANKS = 19
SPIN = "ulimit -t 300; while :; do :; done"
QUESTIONS = 4


class StarvedTest(WhyTest):
    def starve(self, job):
        """Its ranks get one processor, and little of that; returns their rivals."""
        processor = min(os.sched_getaffinity(0))
        for pid in processes_with(job.variable):
            os.sched_setaffinity(pid, {processor})
            os.setpriority(os.PRIO_PROCESS, pid, NICENESS_OF_RANKS)
        command = ["nice", "-n", str(NICENESS_OF_RIVALS), "taskset", "-c", str(processor)]
        command += ["sh", "-c", SPIN]
        return [subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *command]) for _ in range(RIVALS)]

    def false_findings(self, result):
        document = result.document()
        if document is None:
            return ["no JSON document"]
        return [
            f'a finding: {one["kind"]}: {one["message"]}'
            for one in document["findings"]
            if one["kind"] not in (self.expected.kinds or [])
        ]

    def readings(self, job):
        wrong, result = self.running(job)
        if wrong:
            raise JobFailed(f"the job does not run: {wrong}")
        rivals = self.starve(job)
        try:
            for number in range(QUESTIONS):
                result = self.why("--json", job.launcher)
                yield f"question {number}", self.false_findings(result), result
        finally:
            for rival in rivals:
                rival.kill()
                rival.wait()

    def run(self):
        with self.job() as job:
            return all_right(job, self.readings(job))


def main():
    arguments = parse_arguments()
    name, value = KEEPS_NICENESS.split("=")
    os.environ[name] = value
    return run_test(StarvedTest(arguments))


if __name__ == "__main__":
    sys.exit(main())

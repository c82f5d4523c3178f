# SPDX-License-Identifier: BSD-3-Clause
"""One question about jobs over hosts, and whether all was right."""
import contextlib
import time
import traceback

from lib.command import FINDING
from lib.job import JobFailed
from lib.report import Report
from rack import brief

ONE_RANK_COMPUTES = "stuck_outside"
WRONG_TAG = "halo_wrong_tag"
COLLECTIVE_MISSING = "barrier_on_half"
MOVES = "token_ring"  # and is correct


class Case(Report):
    """Asks on a rack that nobody else uses at the time; `what` is called with the case."""

    def __init__(self, title, what):
        super().__init__()
        self.title = title
        self.what = what
        self.rack = None

    def run(self, racks):
        self.rack = racks.get()
        begin = time.monotonic()
        try:
            self.what(self)
        except (JobFailed, SystemExit) as failure:
            self.problems.append(str(failure))
        except Exception:  # of the test itself; the other cases go on
            self.problems.append(traceback.format_exc())
        left = self.rack.left_over()
        self.check(not left, "left over:\n" + "\n".join(left))
        racks.put(self.rack)
        print(f'{self.title}: {"WRONG" if self.problems else "right"} in {time.monotonic() - begin:.1f} s', flush=True)
        for problem in self.problems:
            print(problem, flush=True)
        return self

    @contextlib.contextmanager
    def running(self, way, name, **options):
        with self.rack.job(way, name, **options) as job:
            job.wait_running()
            yield job

    def expect_verdict(self, job, ask):
        """Exactly the verdict in the program's head; seconds until it came."""
        wrong, result, seconds = self.rack.verdict(job, ask)
        self.check(not wrong, "\n".join([" ".join(result.arguments), *wrong]))
        return seconds

    def expect_verdict_of_parts(self, job):
        self.expect_verdict(job, lambda: self.rack.why(job, self.rack.hosts[0], *self.rack.snapshots(job)))

    def expect_lost(self, result, host):
        """Ranks wait for ranks on a host that does not answer: that is all that is known."""
        findings = (result.document() or {}).get("findings", [])
        self.check(
            result.status == FINDING
            and [one["kind"] for one in findings] == ["host-lost"]
            and f"on {host}, which does not answer" in findings[0]["message"],
            f"{host} is not named as lost: {brief(result)}",
        )

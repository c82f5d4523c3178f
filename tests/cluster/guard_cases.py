# SPDX-License-Identifier: BSD-3-Clause
"""Jobs over hosts that are guarded on all of them."""
import os
import signal
import subprocess

from lib.job import HANG_SECONDS, JobFailed, wait_until
from lib.length import IS_FULL
from lib.patience import at_most
from spread_case import COLLECTIVE_MISSING, ONE_RANK_COMPUTES, Case
from spread_job import END_SECONDS, HYDRA, HYDRA_IN_SLURM, ORTE, ORTE_IN_SLURM

TIMED_OUT = 124
# Counts only time in which all ranks could run: on a busy machine that is longer by itself.
TIMEOUT_SECONDS = 2
# Nothing happens to a job that computes for this many timeouts.
TIMEOUTS = 3
# For a host that is cut off.
ENGINE_SECONDS = at_most(8)


def expect_verdict(case, job, finding):
    """On standard error, and one snapshot of the whole job."""
    printed = job.printed()
    case.check(f"{finding}: " in printed, f"no verdict:\n{printed}")
    files = job.files(".mpilens")
    case.check(len(files) == 1, f"snapshots {files}")
    return files


def expect_ended(case, job, status, finding):
    case.check(status == TIMED_OUT, f"exit status {status}:\n{job.printed()}")
    return expect_verdict(case, job, finding)


def in_batch_script(way):
    """The job hangs."""

    def what(case):
        job = case.rack.job(way, COLLECTIVE_MISSING, niceness=0)  # guard counts only time in which its ranks can run
        status = job.run_guarded_batch("--timeout", TIMEOUT_SECONDS)
        for file in expect_ended(case, job, status, "collective-missing"):
            case.expect_verdict(job, lambda: case.rack.why(job, case.rack.hosts[1], file))

    return Case(f"guard in a batch script, {way.title}", what)


def before_slurm_ends_it(way):
    """The signal comes up to half a minute before or after it is due; Slurm ends the job later, or the MPI does."""

    def what(case):
        job = case.rack.job(way, COLLECTIVE_MISSING, niceness=0)
        job.run_guarded_batch(of_batch=["--time=2", "--signal=B:USR1@60"])
        case.check("SIGUSR1 (User defined signal 1) has come for " in job.printed(), f"no signal:\n{job.printed()}")
        expect_verdict(case, job, "collective-missing")

    return Case(f"the signal of sbatch, {way.title}", what)


def senders_on(case, host):
    listed = case.rack.cluster.arguments_on(host)
    return [line for line in listed if "part --marks" in line and line.startswith(case.rack.programs.shared)]


def wait_for_senders(case, hosts):
    if not wait_until(lambda: all(senders_on(case, host) for host in hosts), HANG_SECONDS, pause=0.2):
        raise JobFailed("no marks are sent")


def host_dies(case):
    """A rank on another host computes, so the job is let be; then nothing more is heard of it."""
    options = ["--timeout", TIMEOUT_SECONDS, "--engine-timeout", ENGINE_SECONDS]
    with case.running(
        HYDRA, ONE_RANK_COMPUTES, guard=options, niceness=0
    ) as job:  # or it gets no processor beside others
        _, second, last = case.rack.hosts
        computes = case.rack.cluster.place(job.rank_pid(2))[0]
        case.check(computes in (second, last), f"rank 2 runs on {computes}")
        wait_for_senders(case, (second, last))
        try:
            status = job.process.wait(TIMEOUTS * TIMEOUT_SECONDS)
            case.check(False, f"it was ended while a rank computes: status {status}:\n{job.printed()}")
        except subprocess.TimeoutExpired:
            pass
        case.rack.cluster.cut(computes)
        try:
            expect_ended(case, job, job.process.wait(END_SECONDS), "host-lost")
            # By guard while it waits, or first by the verdict, where the timeout is over before.
            named = (f"mpilens guard: host {computes} does not answer", f"on {computes}, which does not answer")
            case.check(any(one in job.printed() for one in named), f"the host is not named:\n{job.printed()}")
        finally:
            case.rack.cluster.mend(computes)


def guard_killed(case):
    """Nothing is left of it on any host, nor of the job, as the case looks for at its end."""
    with case.running(ORTE, COLLECTIVE_MISSING, guard=["--timeout", "1h", "--interval", "1"]) as job:
        wait_for_senders(case, case.rack.hosts[1:])
        guard = next(pid for pid in job.every_pid() if job.arguments(pid)[:2] == [case.rack.programs.mpilens, "guard"])
        os.kill(guard, signal.SIGKILL)
        gone = wait_until(lambda: not any(senders_on(case, host) for host in case.rack.hosts), END_SECONDS, pause=0.2)
        case.check(gone, "senders of marks are left")


CASES = [
    *(before_slurm_ends_it(way) for way in ([HYDRA_IN_SLURM, ORTE_IN_SLURM] if IS_FULL else [])),
    *(in_batch_script(way) for way in ([HYDRA_IN_SLURM, ORTE_IN_SLURM] if IS_FULL else [HYDRA_IN_SLURM])),
    Case("guard, and a host dies", host_dies),
    Case("guard is killed", guard_killed),
]

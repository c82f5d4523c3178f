# SPDX-License-Identifier: BSD-3-Clause
"""srun --mpilens: the plug-in of SPANK, as an administrator enters it in plugstack.conf."""
import glob
import os
import signal

from lib.command import GOOD
from lib.job import HANG_SECONDS
from spread_case import COLLECTIVE_MISSING, WRONG_TAG, Case
from spread_job import END_SECONDS, Way, of_slurm


def way(mpi, pmi, option):
    return Way(f"srun {option} of {mpi}", mpi, of_slurm("srun", f"--mpi={pmi}", option), True)


RUN = way("mpich", "pmi2", "--mpilens")
KEEP = way("openmpi", "pmix", "--mpilens=keep")
GUARD = way("mpich", "pmi2", "--mpilens=guard")


def with_plugin(title, what):
    def run(case):
        files = glob.glob(os.path.join(case.rack.programs.installed, "**", "spank_mpilens.so"), recursive=True)
        if not files:
            print(f"{title}: SKIPPED: built without slurm/spank.h")
            return
        for host in case.rack.hosts:
            enter = f"echo required {files[0]} >/etc/slurm/plugstack.conf"
            case.rack.cluster.output(host, "sh", "-c", enter)
        try:
            what(case)
        finally:
            for host in case.rack.hosts:
                case.rack.cluster.output(host, "rm", "/etc/slurm/plugstack.conf")

    return Case(title, run)


def prepared(case):
    """The ranks have the runtime, as by mpilens run; other programs start as ever, or are told why not."""
    first = case.rack.hosts[0]
    user = f"{case.rack.user}@{first}"
    with case.running(RUN, WRONG_TAG, is_prepared=False) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, first))
    plain = case.rack.cluster.run(user, "srun", "-w", first, "sh", "-c", "echo [$LD_PRELOAD]")
    case.check(plain.output == "[]\n" and plain.status == GOOD, str(plain))
    no_mpi = case.rack.cluster.run(user, "srun", "-w", first, "--mpilens", "/bin/true")
    case.check("/bin/true uses no MPI" in no_mpi.diagnostics and no_mpi.status != GOOD, str(no_mpi))
    wrong = case.rack.cluster.run(user, "srun", "-w", first, "--mpilens=kept", "true")
    case.check("--mpilens takes keep or guard, not 'kept'" in wrong.diagnostics, str(wrong))


def kept(case):
    """All hosts write their black boxes into the working directory of the step, and any of them can read them."""
    with case.running(KEEP, WRONG_TAG, is_prepared=False, in_own_directory=True) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, case.rack.hosts[0]))
        job.kill(signal.SIGKILL, HANG_SECONDS)
        boxes = glob.glob(os.path.join(job.directory, "mpilens-*.0"))
        case.check(len(boxes) == 1, f"directories {boxes}")
        for host in case.rack.hosts[::2]:
            case.expect_verdict(job, lambda: case.rack.why(job, host, *boxes))


def guarded(case):
    """srun is the command of guard, which says its verdict before it passes a signal on."""
    with case.running(GUARD, COLLECTIVE_MISSING, is_prepared=False, niceness=0, in_own_directory=True) as job:
        guards = [pid for pid in job.every_pid() if job.arguments(pid)[:3] == ["mpilens", "guard", "--"]]
        case.check(bool(guards), f"srun is not guarded: {job.printed()}")
        case.expect_verdict(job, lambda: case.rack.why(job, case.rack.hosts[0]))
        os.kill(guards[0], signal.SIGTERM)
        job.process.wait(END_SECONDS)
        case.check("collective-missing: " in job.printed(), f"no verdict:\n{job.printed()}")
        case.check(len(job.files(".mpilens")) == 1, f"files {job.files('')}")


CASES = [
    with_plugin("srun --mpilens", prepared),
    with_plugin("srun --mpilens=keep", kept),
    with_plugin("srun --mpilens=guard", guarded),
]

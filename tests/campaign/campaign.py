# SPDX-License-Identifier: BSD-3-Clause
"""Puts one fault at a time into installed applications (injector.c), drawn at random from the calls that they really make, asks
`mpilens why`, and judges the answer by what is known of the fault. Writes a line of JSON for each fault: truth, answer,
judgement. Its choices depend on the seed alone.

right   the rank with the fault is to blame, and not everybody is, unless there are only two
vague   it is concerned, but not to blame, or everybody is
wrong   others are to blame, and it is not even concerned
missed  the job hangs, and nothing is found
ended   the job has ended, or goes on: nothing to judge

With --questions it puts no faults, and asks that often in all while they run: any finding is a false alarm."""
import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile

from lib.job import GDB, SKIP, Job, environment_of_job, wait_until

COUNT_SECONDS, START_SECONDS, HANG_SECONDS, ASK_SECONDS, PATIENCE = 15, 120, 6, 120, 3
QUESTIONS_OF_A_RUN = 8
SCALAPACK = "/usr/lib/x86_64-linux-gnu/scalapack/{mpi}-tests"
LAMMPS = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
thermo 20
run 300
"""
NWCHEM = """start water
geometry units angstrom
  O 0 0 0
  H 0 0.757 0.587
  H 0 -0.757 0.587
end
basis
  * library 6-31g*
end
task scf optimize
task dft optimize
task scf freq
"""
# A relaxation on a ring: halos, norms, and what only Python sends.
MPI4PY = """import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
ring = world.Create_cart([world.size], periods=[True])
below, above = ring.Shift(0, 1)
field = numpy.full(4096, float(ring.rank))
edge = numpy.empty(1)
for step in range(20000):
    for to, source, end in ((above, below, 0), (below, above, -1)):
        ring.Sendrecv(field[[-1 - end]], to, 1, edge, source, 1)
        field[end] = (field[end] + edge[0]) / 2
    field[1:-1] = (field[:-2] + field[2:]) / 2
    norm = ring.allreduce(float(field @ field))
    if step % 10 == 0:
        field *= world.bcast({"scale": 1 / max(norm, 1)} if world.rank == 0 else None)["scale"]
        world.gather(norm)
    if step % 50 == 0:
        ring.Barrier()
"""
# For each application: its MPI, its number of ranks, its command, and the input files that it reads, each as its text or, in
# a list, the file to copy.
APPLICATIONS = {
    "lammps": ("openmpi", 4, ["/usr/bin/lmp", "-in", "in.lj"], {"in.lj": LAMMPS}),
    "hpcc": ("openmpi", 4, ["/usr/bin/hpcc"], {"hpccinf.txt": ["/usr/share/doc/hpcc/examples/_hpccinf.txt"]}),
    "nwchem": ("openmpi", 4, ["/usr/bin/nwchem.openmpi", "water.nw"], {"water.nw": NWCHEM}),
    "mpi4py": ("openmpi", 4, ["/usr/bin/python3", "ring.py"], {"ring.py": MPI4PY}),
    "netpipe": ("openmpi", 2, ["/usr/bin/NPopenmpi", "-u", "65536"], {}),
    "netpipe-mpich": ("mpich", 2, ["/usr/bin/NPmpich2", "-u", "65536"], {}),
}
for of_mpi in ("mpich", "openmpi"):
    tests = SCALAPACK.format(mpi=of_mpi)
    for program, data in {"xdlu": "LU.dat", "xdqr": "QR.dat", "xdsep": "SEP.dat"}.items():
        APPLICATIONS[f"scalapack-{program}-{of_mpi}"] = (of_mpi, 4, [f"{tests}/{program}"], {data: [f"{tests}/{data}"]})
    APPLICATIONS[f"blacs-{of_mpi}"] = (
        of_mpi,
        4,
        [f"{tests}/BLACS/xCbtest"],
        {name: [f"{tests}/BLACS/{name}"] for name in ("bt.dat", "sdrv.dat", "bsbr.dat", "comb.dat")},
    )

TAGGED = {"MPI_Send", "MPI_Ssend", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Sendrecv", "MPI_Probe"}
ROOTED = {"MPI_Bcast", "MPI_Reduce", "MPI_Gather", "MPI_Scatter"}
COLLECTIVE = ROOTED | {
    "MPI_Barrier",
    "MPI_Allreduce",
    "MPI_Allgather",
    "MPI_Allgatherv",
    "MPI_Alltoall",
    "MPI_Alltoallv",
}


def actions_for(function):
    actions = ["sleep", "loop"]
    if function not in ("MPI_Wait", "MPI_Waitall", "MPI_Waitany"):
        actions.append("leave_out")
    if function in TAGGED:
        actions.append("other_tag")
    if function in ROOTED:
        actions.append("other_root")
    if function in COLLECTIVE:
        actions.append("twice")
    return actions


class Application:
    def __init__(self, name, arguments, directory):
        self.name = name
        self.mpi, self.ranks, self.command, files = APPLICATIONS[name]
        self.mpilens = arguments.mpilens
        self.directory = os.path.join(directory, name)
        os.mkdir(self.directory)
        for file, content in files.items():
            path = os.path.join(self.directory, file)
            if isinstance(content, list):
                shutil.copy(content[0], path)
            else:
                with open(path, "w") as stream:
                    stream.write(content)
        self.injector = os.path.join(self.directory, "injector.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "injector.c")
        line = [f"mpicc.{self.mpi}", "-O2", "-D_GNU_SOURCE", "-fPIC", "-shared", source, "-o", self.injector, "-ldl"]
        subprocess.run(line, check=True)

    def start(self, variables, with_runtime=True):
        """The injector stands before the runtime, which `mpilens run` has put into LD_PRELOAD."""
        run = [self.mpilens, "run"] if with_runtime else []
        front = ["sh", "-c", 'LD_PRELOAD="$0:$LD_PRELOAD" exec "$@"', self.injector]
        environment = environment_of_job(
            self.directory,
            OMPI_ALLOW_RUN_AS_ROOT="1",
            OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            OMPI_MCA_rmaps_base_oversubscribe="1",
            OMPI_MCA_hwloc_base_binding_policy="none",
            OMPI_MCA_mpi_yield_when_idle="1",
            OMP_NUM_THREADS="1",
            OPENBLAS_NUM_THREADS="1",
            **variables,
        )
        return subprocess.Popen(
            [f"mpiexec.{self.mpi}", "-n", str(self.ranks), *run, *front, *self.command],
            cwd=self.directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def count_calls(self):
        """(rank, function): calls in the first seconds of a run without any fault."""
        counts = os.path.join(self.directory, "counts")
        job = self.start({"MPILENS_FAULT_COUNTS": counts}, with_runtime=False)
        try:
            job.wait(COUNT_SECONDS)
        except subprocess.TimeoutExpired:
            signal_all(children_of(job.pid), signal.SIGTERM)
            wait_until(lambda: job.poll() is not None, HANG_SECONDS)
            end(job)
        calls = {}
        for rank in range(self.ranks):
            try:
                with open(f"{counts}.{rank}") as file:
                    calls.update({(rank, name): int(count) for name, count in map(str.split, file)})
            except FileNotFoundError:
                pass
        return calls


def children_of(pid):
    parents = collections.defaultdict(list)
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parents[int(file.read().rpartition(")")[2].split()[1])].append(int(name))
        except OSError:
            pass
    found, left = [], [pid]
    while left:
        left += (more := parents[left.pop()])
        found += more
    return found


def signal_all(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def end(job):
    signal_all([*children_of(job.pid), job.pid], signal.SIGKILL)
    job.wait()


def draw(generator, calls):
    """A function first: those that are called a million times are no more interesting than others."""
    function = generator.choice(sorted({name for _, name in calls}))
    rank = generator.choice(sorted(rank for rank, name in calls if name == function))
    call = generator.randint(1, calls[rank, function])
    return {"rank": rank, "function": function, "call": call, "action": generator.choice(actions_for(function))}


def read_json(*line):
    """The document that the command writes; None: none in time."""
    try:
        result = subprocess.run(line, capture_output=True, text=True, timeout=ASK_SECONDS, check=False)
        return json.loads(result.stdout)
    except (ValueError, subprocess.TimeoutExpired):
        return None


def ask(application, job, form):
    what = [str(job.pid)]
    if form == "cores":
        what = dump_cores(application, job)
    if form == "snapshot":
        what = [os.path.join(application.directory, "saved.mpilens")]
        line_of_snapshot = [application.mpilens, "snapshot", "-o", *what, str(job.pid)]
        subprocess.run(["timeout", str(ASK_SECONDS), *line_of_snapshot], capture_output=True, check=False)
    answer = read_json(application.mpilens, "why", "--json", "--patience", str(PATIENCE), *what)
    return answer["findings"] if answer and "findings" in answer else None


def dump_cores(application, job):
    """Makes core files of its ranks, as gcore does."""
    listed = read_json(application.mpilens, "show", "--json", str(job.pid))
    pids = [process["pid"] for process in listed["processes"]] if listed else []
    cores = [os.path.join(application.directory, f"core.{pid}") for pid in pids]
    commands = [word for pid, core in zip(pids, cores) for word in Job.dump_core(pid, core)]
    line = ["timeout", str(2 * ASK_SECONDS), *GDB, *commands]
    subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return cores or [os.path.join(application.directory, "core")]


def judge(fault, findings, ranks):
    if findings is None:
        return "no answer"
    if not findings:
        return "missed"
    first = findings[0]
    if fault["rank"] in first["culprits"] and (ranks == 2 or len(first["culprits"]) < ranks):
        return "right"
    return "vague" if fault["rank"] in first["ranks"] else "wrong"


def run_fault(application, fault, form):
    done = os.path.join(application.directory, "done")
    if os.path.exists(done):
        os.remove(done)
    spec = "{rank},{function},{call},{action}".format(**fault)
    job = application.start({"MPILENS_FAULT": spec, "MPILENS_FAULT_DONE": done})
    findings = None
    try:
        reached = wait_until(lambda: os.path.exists(done) or job.poll() is not None, START_SECONDS)
        ended = wait_until(lambda: job.poll() is not None, HANG_SECONDS)
        judgement = "ended"
        if reached and not ended:
            findings = ask(application, job, form)
            judgement = judge(fault, findings, application.ranks)
        if judgement == "missed":
            if not hangs(application, job):
                judgement = "ended"
            elif form == "live":  # on a busy machine others may have come to wait for the rank only now
                findings = ask(application, job, form)
                judgement = judge(fault, findings, application.ranks)
        if job.poll() is not None:
            judgement = "ended"
    finally:
        end(job)
        for name in os.listdir(application.directory):
            if name.startswith("core."):
                os.remove(os.path.join(application.directory, name))
    return judgement, findings


def hangs(application, job):
    """Whether nothing changes in a while: the ranks have begun the same calls and operations."""
    shown = []
    for _ in range(2):
        job_now = read_json(application.mpilens, "show", "--json", str(job.pid))
        if job_now is None or "processes" not in job_now:
            return False
        shown.append(
            [
                [c["collective_calls"], len(c["sends"]), [r.get("serial") for r in c["receives"]]]
                for p in job_now["processes"]
                for c in p.get("communicators", [])
            ]
        )
        wait_until(lambda: job.poll() is not None, HANG_SECONDS)
    return job.poll() is None and shown[0] == shown[1]


def ask_healthy(applications, questions):
    """Findings about applications without faults, one question after the other, each application in turn."""
    alarms, asked = [], 0
    while asked < questions:
        for application in applications:
            job = application.start({})
            try:
                wait_until(lambda: job.poll() is not None, 1)
                for _ in range(QUESTIONS_OF_A_RUN):
                    findings = ask(application, job, "live")
                    asked += findings is not None
                    for finding in findings or []:
                        alarms.append(f'{application.name}: {finding["kind"]}: {finding["message"]}')
                        print(alarms[-1], flush=True)
            finally:
                end(job)
    print(f"{asked} questions, {len(alarms)} findings")
    return alarms


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpilens", default="mpilens")
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--questions", type=int, help="about applications without faults, instead")
    parser.add_argument("--output", help="file for the lines; default: standard output only")
    parser.add_argument("--most-wrong", type=int, help="exit with 1 if more are wrong or missed")
    parser.add_argument("applications", nargs="*", help="default: all that are installed")
    arguments = parser.parse_args()
    arguments.mpilens = os.path.abspath(shutil.which(arguments.mpilens) or arguments.mpilens)
    names = [
        name
        for name in arguments.applications or APPLICATIONS
        if os.access(APPLICATIONS[name][2][0], os.X_OK) and shutil.which(f"mpicc.{APPLICATIONS[name][0]}")
    ]
    if not names:
        print("SKIPPED: no application is installed")
        return SKIP
    generator = random.Random(arguments.seed)
    table = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="mpilens-campaign-") as directory:
        applications = [Application(name, arguments, directory) for name in names]
        if arguments.questions:
            return int(bool(ask_healthy(applications, arguments.questions)))
        calls = {application.name: application.count_calls() for application in applications}
        applications = [application for application in applications if calls[application.name]]
        for number in range(arguments.faults):
            application = applications[number % len(applications)]
            fault = draw(generator, calls[application.name])
            form = generator.choice(["live", "live", "snapshot", "cores"])
            judgement, findings = run_fault(application, fault, form)
            table[judgement] += 1
            answer = [f'{one["kind"]}: {one["message"]}' for one in findings or []]
            line = {"application": application.name, **fault, "form": form, "judgement": judgement, "answer": answer}
            print(json.dumps(line), flush=True)
            if arguments.output:
                with open(arguments.output, "a") as file:
                    file.write(json.dumps(line) + "\n")
    print(f"seed {arguments.seed}: {dict(table)}")
    bad = table["wrong"] + table["missed"] + table["no answer"]
    return int(arguments.most_wrong is not None and bad > arguments.most_wrong)


if __name__ == "__main__":
    sys.exit(main())

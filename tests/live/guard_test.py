# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens guard`: ends jobs that hang, with verdict and snapshot; lets all others be; nothing is left."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from command import Command, argument_parser
from job import processes_with, wait_until
from patience import at_most
from report import Report

SECONDS = at_most(60)
# A job that computes for so many timeouts is not ended.
TIMEOUTS = 4
FAILED = 7


class GuardTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.directory = tempfile.mkdtemp(prefix='mpilens-guard-')
        self.variable = f'MPILENS_LIVE_DIRECTORY={self.directory}'

    def left(self):
        return processes_with(self.variable)

    def start(self, timeout, *job, options=()):
        line = [self.command.path, 'guard', '--timeout', str(timeout), *options, '--', *job]
        environment = dict(os.environ, MPILENS_LIVE_DIRECTORY=self.directory, LC_ALL='C.UTF-8')
        return subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors='replace', cwd=self.directory, env=environment)

    def mpiexec(self, ranks, *program):
        return [self.arguments.mpiexec, '-n', str(ranks), *map(os.path.abspath, program)]

    def finish(self, title, guard, expected):
        """Expects the status, and that nothing is left."""
        output, diagnostics = guard.communicate(timeout=SECONDS)
        self.check(guard.returncode == expected,
                   f'{title}: exit status {guard.returncode}, not {expected}:\n{output}\n{diagnostics}')
        self.check(not self.left(), f'{title}: left over: {self.left()}')
        return output, diagnostics

    def hang(self, title, job, options=()):
        guard = self.start(1, *job, options=options)
        _, diagnostics = self.finish(title, guard, 124)
        self.check('deadlock: ranks [0,1] wait for each other' in diagnostics, f'{title}: no verdict:\n{diagnostics}')
        snapshots = [name for name in os.listdir(self.directory) if name.endswith('.snapshot')]
        if options:
            self.check(not snapshots, f'{title}: snapshots {snapshots}')
            return
        self.check(len(snapshots) == 1, f'{title}: snapshots {snapshots}')
        for name in snapshots:
            path = os.path.join(self.directory, name)
            result = self.command.run('why', '--json', path)
            findings = (result.document() or {}).get('findings', [])
            self.check(result.status == 1 and findings and findings[0]['kind'] == 'deadlock',
                       f'{title}: of the snapshot:\n{result}')
            os.unlink(path)

    def stubborn(self, job):
        """Who does not end by himself is killed."""
        line = ' '.join(job)
        script = f'trap "" TERM; {line}; sleep {10 * SECONDS} & wait'
        self.hang('stubborn', ['sh', '-c', script], options=['--no-snapshot', '--kill-after', '1'])

    def client(self, job):
        """Another process starts the ranks, for a launcher that hands on its environment and waits."""
        path = os.path.join(self.directory, 'environment')
        script = f'env -0 > {path}.new && mv {path}.new {path}; sleep {10 * SECONDS} & wait'
        guard = self.start(1, 'sh', '-c', script,
                           options=['--mpi', self.arguments.flavour, '--no-snapshot', '--kill-after', '1'])
        wait_until(lambda: os.path.exists(path), SECONDS)
        with open(path, encoding='utf-8') as file:
            environment = dict(variable.split('=', 1) for variable in file.read().split('\0') if variable)
        os.unlink(path)
        with subprocess.Popen(job, env=environment, start_new_session=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
            _, diagnostics = guard.communicate(timeout=SECONDS)
            self.check(not self.wait_until_gone(), f'client: left over: {self.left()}')
        self.check(guard.returncode == 124, f'client: exit status {guard.returncode}, not 124:\n{diagnostics}')
        self.check('deadlock: ranks [0,1] wait for each other' in diagnostics, f'client: no verdict:\n{diagnostics}')

    def normal(self):
        """A job that ends by itself has the output and the status that it has without."""
        program = self.mpiexec(1, self.arguments.normal)
        without = subprocess.run(program, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=SECONDS)
        output, diagnostics = self.finish('normal', self.start(SECONDS, *program), without.returncode)
        self.check(output == without.stdout and output, f'normal: output\n{output}\nnot\n{without.stdout}')
        self.check('mpilens' not in diagnostics, f'normal: {diagnostics}')
        mpi = ['--mpi', self.arguments.flavour]
        self.finish('failed', self.start(SECONDS, 'sh', '-c', f'exit {FAILED}', options=mpi), FAILED)
        self.finish('killed', self.start(SECONDS, 'sh', '-c', 'kill -KILL $$', options=mpi), 128 + signal.SIGKILL)
        self.finish('not found', self.start(SECONDS, os.path.join(self.directory, 'nothing')), 127)
        echo = self.start(SECONDS, 'cat', options=mpi)
        echo.stdin.write('as it is\n')
        output, _ = self.finish('standard input', echo, 0)
        self.check(output == 'as it is\n', f'standard input: {output}')

    def computing(self):
        """Nobody is in MPI for longer than the timeout."""
        guard = self.start(1, *self.mpiexec(2, self.arguments.computing))
        has_ended = wait_until(lambda: guard.poll() is not None, TIMEOUTS)
        self.check(not has_ended, 'computing: the job has ended')
        end = os.path.join(self.directory, 'end')
        open(end, 'w').close()
        _, diagnostics = self.finish('computing', guard, 0)
        self.check('mpilens' not in diagnostics, f'computing: {diagnostics}')
        os.unlink(end)

    def signals(self):
        """The launcher gets the signal, its ranks end with it; its status is that of the guard."""
        script = self.start(SECONDS, 'sh', '-c', f'trap "exit {FAILED}" TERM; echo ready; while :; do sleep 0.05; done',
                            options=['--mpi', self.arguments.flavour])
        script.stdout.readline()
        script.send_signal(signal.SIGTERM)
        self.finish('signal of a script', script, FAILED)
        guard = self.start(SECONDS, *self.mpiexec(2, self.arguments.computing))
        wait_until(lambda: len(self.ranks()) >= 2, SECONDS)
        guard.send_signal(signal.SIGTERM)
        output, diagnostics = guard.communicate(timeout=SECONDS)
        self.check(guard.returncode != 124, f'signals: exit status {guard.returncode}:\n{output}\n{diagnostics}')
        self.check(not self.wait_until_gone(), f'signals: left over: {self.left()}')

    def ranks(self):
        return [pid for pid in self.left() if self.executable(pid) == os.path.realpath(self.arguments.computing)]

    @staticmethod
    def executable(pid):
        try:
            return os.readlink(f'/proc/{pid}/exe')
        except OSError:
            return None

    def wait_until_gone(self):
        """What is left after a while: a launcher may end before its ranks do."""
        wait_until(lambda: not self.left(), SECONDS)
        return self.left()

    def run(self):
        hang = self.mpiexec(2, self.arguments.hang)
        try:
            self.hang('hang', hang)
            self.hang('hang under run', [*hang[:3], self.command.path, 'run', hang[3]], options=['--no-snapshot'])
            self.hang('hang in a script', ['sh', '-c', ' '.join(hang) + '; true'], options=['--no-snapshot'])
            self.stubborn(hang)
            self.client(hang)
            self.normal()
            self.computing()
            self.signals()
        finally:
            for pid in self.left():
                os.kill(pid, signal.SIGKILL)
            shutil.rmtree(self.directory, ignore_errors=True)
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument('--flavour', required=True, help='the same as --mpi names it')
    parser.add_argument('--hang', required=True, help='program whose two ranks wait for each other')
    parser.add_argument('--normal', required=True, help='program that prints something and ends')
    parser.add_argument('--computing', required=True, help='program that computes until it is told to end')
    return GuardTest(parser.parse_args()).run()


if __name__ == '__main__':
    sys.exit(main())

# SPDX-License-Identifier: BSD-3-Clause
"""The call stacks of programs/stacks.c: as a tree and as JSON, of processes, of core files and of a snapshot; of a rank that has not called
MPI. The ranks run on afterwards."""
import os
import re
import shutil
import sys

from command import Command, argument_parser
from job import HANG_SECONDS, Job, wait_until
from report import Report
from source import Source

RANKS = 6
COMPUTING, TELLING, THREADED, LATE = 3, 4, 5, 1
CALL = 'MPI_Allreduce'


def node(text, ranks):
    """A line of the tree, with its ranks."""
    return rf'[|` -]*{re.escape(text)} +{re.escape(ranks)}'


class StackTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.source = Source(arguments.source)

    def place(self, mark):
        function, line = self.source.place(mark)
        return f'{function} ({self.source.file}:{line})'

    def job(self, *words):
        program = [self.command.path, 'run', os.path.abspath(self.arguments.program), *words]
        return Job(self.arguments.mpiexec, RANKS, program)

    def stacks(self, *target):
        """[[function of each line]] of all threads by rank, as JSON has them."""
        document = self.command.show('--json', '--stack', *target).document()
        if document is None:
            return {}
        return {process['rank']: [[line['function'] for line in thread['stack'] or []]
                                  for thread in process['threads'] + process['other_threads']]
                for process in document['processes']}

    def has(self, what, text, *patterns):
        for pattern in patterns:
            self.check(re.search(rf'^{pattern} *$', text, re.MULTILINE) is not None, f'{what}: {pattern} is not in\n{text}')

    def check_tree(self, what, *target):
        result = self.command.show('--stack', *target)
        self.has(what, result.output,
                 node(self.place('solving'), '4 ranks [0-2,5]'),
                 node(self.place('telling'), 'rank 4'),
                 node(self.place('computing'), 'rank 3'),
                 node(self.place('work'), 'rank 5'),
                 *(rf'[|` -]*{re.escape(self.place(mark))}' for mark in ('solve', 'residual', 'sum', 'statistics')),
                 rf'[|` -]*{CALL} \(MPI library\)')

    def check_verdict(self, job):
        why = ['why', '--interval', '0.2', '--patience', '0.1']
        text = self.command.run(*why, job.launcher).output
        above = ' < '.join(self.place(mark) for mark in ('sum', 'residual', 'solve', 'solving'))
        self.has('why', text, rf'  stack of ranks \[0-2,5\]: {re.escape(above)}')
        above = ' < '.join(self.place(mark) for mark in ('sum', 'statistics', 'telling'))
        self.has('why', text, rf'  stack of rank 4: {re.escape(above)}')
        without = self.command.run(*why, '--no-stack', job.launcher).output
        self.check('stack of' not in without and 'waiting-for-rank' in without,
                    f'--no-stack:\n{without}')
        document = self.command.run(*why, '--json', job.launcher).document()
        threads = document['processes'][0]['threads']
        self.check([line['kind'] for line in threads[0]['stack']] == ['mpi'] + 4 * ['program'], f'JSON: {threads}')

    def check_late(self):
        with self.job('late') as job:
            late = ['compute', 'main']
            come = wait_until(lambda: late in self.stacks(job.launcher).get(LATE, []), HANG_SECONDS, 0.2)
            result = self.command.show('--stack', job.launcher)
            self.check(come, f'the stack of a rank that has not called MPI is not shown:\n{result}')
            self.has('a late rank', result.output, node(self.place('late'), 'rank 1'), node(self.place('init'), '5 ranks [0,2-5]'))

    def check_job(self):
        with self.job() as job:
            in_call = [CALL, 'global_sum', 'residual', 'solve', 'main']

            def has_come():
                stacks = self.stacks(job.launcher)
                return (len(stacks) == RANKS and all(in_call in stacks[rank] for rank in (0, 1, 2, THREADED))
                        and [CALL, 'global_sum', 'statistics', 'main'] in stacks[TELLING]
                        and ['compute', 'main'] in stacks[COMPUTING] and ['pause', 'work'] in stacks[THREADED])
            if not wait_until(has_come, HANG_SECONDS, 0.2):
                self.check(False, f'the stacks are not as they should be: {self.stacks(job.launcher)}')
                return
            self.check_tree('the job', job.launcher)
            self.check_verdict(job)
            saved = os.path.join(job.directory, 'saved.mpilens')
            self.command.run('snapshot', '--interval', '0.1', '-o', saved, job.launcher)
            self.check_tree('a snapshot', saved)
            document = self.command.show('--json', job.launcher).document()
            pids = [process['pid'] for process in document['processes']]
            self.check(all(thread['stack'] is None for process in document['processes'] for thread in process['threads']),
                        'show reads stacks that nobody has asked for')
            if shutil.which('gcore') is not None:
                self.check_tree('core files', *job.dump_cores(pids))
            states = [open(f'/proc/{pid}/stat').read().rpartition(')')[2].split()[0] for pid in pids]
            self.check(not set(states) & set('tTZ'), f'ranks do not run: {states}')

    def run(self):
        self.check_job()
        self.check_late()
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument('--source', required=True)
    parser.add_argument('program')
    return StackTest(parser.parse_args()).run()


if __name__ == '__main__':
    sys.exit(main())

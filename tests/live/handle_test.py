# SPDX-License-Identifier: BSD-3-Clause
"""A real job says what it has made; `mpilens handle` must answer that, of its ranks, of their core files and of a snapshot."""
import argparse
import os
import shutil
import sys

from command import Command
from job import Job, JobFailed
from source import Source

USAGE, UNREADABLE = 2, 3


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mpilens', required=True, help='the command')
    parser.add_argument('--mpiexec', required=True, help='launcher of the MPI that the program was built for')
    parser.add_argument('--source', required=True, help='file of the program that has the marks')
    parser.add_argument('--ranks', type=int, default=2)
    parser.add_argument('--core', action='store_true', help='ask core files too')
    parser.add_argument('program')
    return parser.parse_args()


class Answers:
    def __init__(self, source):
        self.source = source
        self.differences = []

    def differ(self, where, expected, actual):
        self.differences.append(f'{where}: expected {expected!r}, got {actual!r}')

    def compare(self, where, expected, actual):
        if expected == '*':
            if actual is None:
                self.differ(where, 'anything', actual)
        elif isinstance(expected, dict):
            self.compare_object(where, expected, actual)
        elif isinstance(expected, list):
            self.compare_list(where, expected, actual)
        elif type(expected) is not type(actual) or expected != actual:
            self.differ(where, expected, actual)

    def compare_object(self, where, expected, actual):
        if 'any' in expected:
            for one in expected['any']:
                if one not in (actual or []):
                    self.differ(where, f'{one!r} among others', actual)
        elif not isinstance(actual, dict):
            self.differ(where, expected, actual)
        elif 'mark' in expected:
            lines = [self.source.place(expected['mark'])[1]]
            if self.source.file.endswith('.F90'):  # gfortran gives some calls of mpi_f08 the line of their procedure
                lines.append(self.source.procedure_lines[expected['mark']])
            if actual.get('file') != self.source.file or actual.get('line') not in lines:
                self.differ(where, (self.source.file, lines[0]), actual)
        else:
            for name, value in expected.items():
                if name not in actual:
                    self.differ(f'{where}.{name}', value, 'nothing')
                else:
                    self.compare(f'{where}.{name}', value, actual[name])

    def compare_list(self, where, expected, actual):
        if not isinstance(actual, list) or len(expected) != len(actual):
            self.differ(where, expected, actual)
            return
        for i, (one, other) in enumerate(zip(expected, actual)):
            self.compare(f'{where}[{i}]', one, other)


class HandleTest:
    def __init__(self, arguments):
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.source = Source(arguments.source)

    def wrong(self, question, result, rank):
        if 'fails' in question:
            right = result.status in (USAGE, UNREADABLE) and result.output == '' and question['fails'] in result.diagnostics
            return [] if right else [f'expected to fail with {question["fails"]!r}']
        if result.status != 0:
            return ['expected an answer']
        answers = Answers(self.source)
        document = result.document() or {}
        answers.compare('handle', question['answer'], document.get('handle'))
        answers.compare('document', {'schema': 'mpilens/1', 'verb': 'handle'}, document)
        answers.compare('handle.rank', rank, (document.get('handle') or {}).get('rank'))
        return answers.differences

    def text_is_wrong(self, question, target):
        """The page of the same handle begins with the sentence that the document has."""
        words = question['ask'].split()
        result = self.command.run('handle', target, *words)
        summary = self.command.run('handle', target, '--json', *words).document()['handle']['summary']
        return [] if result.status == 0 and result.output.split('\n')[0] == summary else [f'{summary!r} does not begin the page']

    def ask(self, told, target, options=()):
        """Asks all questions of a rank; how many answers were wrong."""
        wrong = 0
        for question in told['questions']:
            result = self.command.run('handle', target, '--json', *options, *question['ask'].split())
            found = self.wrong(question, result, told['rank'])
            if found:
                wrong += 1
                print(f'rank {told["rank"]}, {question["ask"]}:', *found, result.diagnostics, sep='\n  ')
        print(f'rank {told["rank"]} of {target}: {len(told["questions"])} questions, {wrong} wrong answers')
        return wrong

    def ask_snapshot(self, told, job):
        """What a snapshot can know: all but variables and statuses, which it must say."""
        path = os.path.join(job.directory, 'job.mpilens')
        saved = self.command.run('snapshot', '-o', path, job.launcher)
        if saved.status != 0 or saved.diagnostics:
            print(saved)
            return 1
        wrong = 0
        for one in told:
            by_value = [question for question in one['questions'] if self.is_by_value(question)]
            wrong += self.ask({**one, 'questions': by_value}, path, ('--rank', str(one['rank'])))
            for words in ('main::local', 'status 0x10'):
                result = self.command.run('handle', path, '--rank', one['rank'], *words.split())
                if result.status != UNREADABLE or 'snapshot' not in result.diagnostics:
                    wrong += 1
                    print(f'"{words}": expected to hear of the snapshot', result)
        return wrong

    @staticmethod
    def is_by_value(question):
        *kind, value = question['ask'].split()
        return 'status' not in kind and value.lstrip('-')[:1].isdigit()

    def wrong_usage(self, target):
        """What the user must get told, and the exit status of each."""
        wrong = 0
        for words, status, text in (('', USAGE, 'kind'), ('comm', UNREADABLE, 'no variable'), ('0x1', USAGE, 'kind'),
                                    ('nothing 0x1', USAGE, 'no kind'), ('comm 12x', USAGE, 'number'),
                                    ('comm 0x1 0x2', USAGE, 'kind'), ('comm 0x1 --rank 77', UNREADABLE, 'no rank'),
                                    ('type 0x1', UNREADABLE, 'not found')):
            result = self.command.run('handle', target, *words.split())
            if result.status != status or text not in result.diagnostics or result.output:
                wrong += 1
                print(f'"{words}": expected status {status} and {text!r}', result)
        return wrong

    def run(self):
        wrong = 0
        program = os.path.abspath(self.arguments.program)
        with Job(self.arguments.mpiexec, self.arguments.ranks, [self.command.path, 'run', program]) as job:
            job.wait_ready()
            told = job.expectations()
            for one in told:
                wrong += self.ask(one, job.launcher, ('--rank', str(one['rank'])))
            wrong += self.wrong_usage(job.launcher)
            answered = [question for question in told[0]['questions'] if 'answer' in question]
            for question in answered[:3]:
                for text in self.text_is_wrong(question, job.launcher):
                    wrong += 1
                    print(question['ask'], text)
            wrong += self.ask({**told[0], 'questions': told[0]['questions'][-6:]}, job.launcher, ('--rank', '0', '--stop'))
            wrong += self.ask_snapshot(told, job)
            if self.arguments.core and shutil.which('gcore'):
                for one, core in zip(told, job.dump_cores([one['pid'] for one in told])):
                    wrong += self.ask(one, core)
        return wrong


def main():
    try:
        return 0 if HandleTest(parse_arguments()).run() == 0 else 1
    except JobFailed as failure:
        print(failure)
        return 1


if __name__ == '__main__':
    sys.exit(main())

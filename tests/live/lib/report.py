# SPDX-License-Identifier: BSD-3-Clause
"""The problems that a test of the command has found."""


class Report:
    """Collects problems, and prints them at the end."""

    def __init__(self):
        self.problems = []

    def check(self, good, text):
        if not good:
            self.problems.append(text)

    def end(self):
        """Prints the problems and returns the exit status."""
        for problem in self.problems:
            print(problem)
        return 1 if self.problems else 0


def all_right(job, readings):
    """Takes (what was read, differences, result) until one is wrong, and returns whether none was."""
    for what, wrong, result in readings:
        print(f'{what}: {"right" if not wrong else "WRONG"} after {job.seconds():.1f} s', flush=True)
        if wrong:
            print("\n".join(f"  {one}" for one in wrong), result, job.printed(), sep="\n")
            return False
    return True

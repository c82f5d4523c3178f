# SPDX-License-Identifier: BSD-3-Clause
"""Hosts of the cluster, and a user, that one case has for itself; the command's output there."""
import argparse
import os
import time

from lib.command import UNREADABLE
from lib.job import HANG_SECONDS, JobFailed
from lib.patience import at_most
from spread_job import SpreadJob
from why_test import WhyTest


def brief(result):
    """The interesting part of a long document."""
    document = result.document()
    if document is None:
        return str(result)
    told = [finding["message"] for finding in document.get("findings", [])] + [document.get("remark")]
    states = [f'{one.get("rank")}: {one.get("state")}' for one in document.get("processes", [])]
    return "\n".join(["", *map(str, told), ", ".join(states), f"status {result.status}", result.diagnostics])


class Rack:
    def __init__(self, cluster, programs, hosts, user):
        self.cluster = cluster
        self.programs = programs
        self.hosts = hosts
        self.user = user
        self.before = cluster.traces(hosts)

    def job(self, way, name, **options):
        return SpreadJob(self, way, name, **options)

    def mpilens(self, host, *arguments, user=None, within=()):
        """`within`: words before the command, such as env NAME=VALUE."""
        return self.cluster.run(f"{user or self.user}@{host}", *within, self.programs.mpilens, *arguments)

    def differences(self, job, result):
        """The differences between an answer with --json and the head of the program."""
        arguments = argparse.Namespace(
            mpilens=self.programs.mpilens, source=self.programs.source(job.name), python=None, synchronous=False
        )
        return WhyTest(arguments).differences(result)

    def verdict(self, job, ask):
        """(differences, result, seconds it took) as soon as ask() gives the expected one: ranks may be on their way."""
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            begin = time.monotonic()
            result = ask()
            seconds = time.monotonic() - begin
            wrong = self.differences(job, result)
            if not wrong:
                job.demote()
                return wrong, result, seconds
            if job.has_ended():
                wrong.append(f"the job has ended: {job.printed()}")
            elif time.monotonic() < deadline:
                continue
            return [*wrong, brief(result)], result, seconds

    def snapshots(self, job, hosts=None):
        """A snapshot of its ranks on each of the hosts (None: all), as users take them where nothing reaches the hosts."""
        files = []
        for host in hosts or job.hosts:
            file = os.path.join(job.directory, f"{host}.mpilens")
            taken = self.mpilens(host, "snapshot", "--here", "-o", file, *job.pids_on(host), user=job.user)
            if taken.status not in (0, 1, UNREADABLE):
                raise JobFailed(str(taken))
            files.append(file)
        return files

    def why(self, job, host, *arguments, **options):
        patience = ("--engine-timeout", at_most(20))
        arguments = (*patience, *job.expected.options, *arguments)
        return self.mpilens(host, "why", "--json", *arguments, user=job.user, **options)

    def left_over(self):
        return self.cluster.left_over(self.hosts, self.before)

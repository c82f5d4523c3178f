# SPDX-License-Identifier: BSD-3-Clause
"""The third queue as an independent debugger gets it through the message-queue interface (tests/abi/job_debugger.c)."""
import os
import subprocess

from lib.command import COMMAND_SECONDS, Result

_COUNTED = -1  # the tag of what is known by number only


def _in_order_of_senders(queue):
    """The order of several senders is not determined; that order of one sender is."""
    return sorted(queue, key=lambda message: message[:2])


class ThirdQueue:
    def __init__(self, debugger, library):
        self.line = [os.path.abspath(debugger), os.path.abspath(library)]

    def read(self, targets):
        line = [*self.line, *map(str, targets)]
        return Result(line, subprocess.run(line, capture_output=True, text=True, timeout=COMMAND_SECONDS))

    @staticmethod
    def differences(expectations, result):
        """The declarations of each rank, and the debugger's output about it. Queues that have messages, of whichever communicator."""
        found, shown = [], []
        for word, _space, rest in (line.partition(" ") for line in result.output.splitlines()):
            if word == "process":
                shown.append([])
            elif word == "queue":
                shown[-1].append([])
            elif word == "message":
                message = tuple(map(int, rest.split()))
                if message[2] != _COUNTED:
                    shown[-1][-1].append(message)
        stated = [
            [
                [(one["peer_local"], one["peer_world"], one["tag"], one["bytes"]) for one in communicator["unexpected"]]
                for communicator in expectation["communicators"]
            ]
            for expectation in expectations
        ]
        for rank, (expected, actual) in enumerate(zip(stated, shown)):
            expected, actual = (
                sorted(_in_order_of_senders(one) for one in queues if one) for queues in (expected, actual)
            )
            if expected != actual:
                found.append(f"unexpected at the {rank + 1}. process: expected {expected}, got {actual}")
        if result.status != 0 or len(shown) != len(stated):
            found.append(f"{len(shown)} of {len(stated)} processes, exit status {result.status}")
        return found

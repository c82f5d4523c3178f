# SPDX-License-Identifier: BSD-3-Clause
"""Output of the gdb scripts about polling threads and requests that share a handle, in a made-up process.

Argument: the directory of mpilens_gdb.
"""
import sys

from check_gdb_dll import load

SHARED = 0x6C000001


class MadeUp:
    """A process with one communicator, a thread that polls, and two sends that are complete."""

    def __init__(self, structures):
        self.structures = structures

    def information(self):
        return self.structures.mpilens_process_information(state=2, world_rank=0, world_size=2)

    def communicators(self):
        return [
            (
                self.structures.mqs_communicator(name=b"world"),
                self.structures.mpilens_communicator_information(id=1),
            )
        ]

    def operations(self, queue):
        return (
            [
                (
                    self.structures.mqs_pending_operation(),
                    self.structures.mpilens_operation_information(
                        request=SHARED, operation_class=1, complete=1, peer_local=1, tag=tag
                    ),
                )
                for tag in (6, 7)
            ]
            if queue == 0
            else []
        )

    def requests(self):
        return []

    def threads(self):
        return [self.structures.mpilens_thread_information(tid=11, function=b"MPI_Test", polling=1)]

    def waiting(self):
        return []


def main():
    views, structures, handles, target = load(sys.argv[1], "views", "structures", "handles", "target")
    target.describe_site = lambda *_site: "app.c:7 main"
    handles.summarize_request = lambda _process, one: (
        f"{one.request:#x} class {one.operation_class} complete {one.complete} tag {one.tag} to {one.peer_local}"
    )
    process = MadeUp(structures)
    expected = {
        views.calls: ["rank 0 of 2", "THREAD  CALL              SITE", "    11  polling MPI_Test  app.c:7 main"],
        views.requests: [
            "rank 0 of 2",
            *(f"{SHARED:#x} class 1 complete 1 tag {tag} to 1" for tag in (6, 7)),
        ],
    }
    wrong = [f"{view.__name__}: {view(process)}" for view, lines in expected.items() if view(process) != lines]
    print(f"{len(wrong)} wrong", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

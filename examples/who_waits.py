#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The waits between ranks, from the document of `mpilens show`: a line for each message that a rank waits for.

    mpilens show --json | who_waits.py
    rank 1 waits 12.3 s in MPI_Recv at halo.c:19 for rank 0, tag 8 on MPI_COMM_WORLD

doc/json.md and doc/mpilens-1.schema.json say what stands where. Unknown values are null there, so None here.
"""
import json
import sys


def operations_of(process):
    """{serial: (operation, the communicator that it is on)} of the sends and receives of a process.

    Serials are how the document refers from a call to what it waits for.
    """
    return {
        operation["serial"]: (operation, communicator)
        for communicator in process["communicators"]
        for queue in ("sends", "receives")
        for operation in communicator[queue]
    }


def place(site):
    """The line of a call, as far as it is known: without debug information there is only the module."""
    if site is None:
        return "an unknown place"
    return f'{site["file"]}:{site["line"]}' if site["file"] else f'{site["module"]}+{site["offset"]}'


def sentence(process, call, operation, communicator):
    rank, tag = operation["peer"]["world"], operation["tag"]
    source = "any rank" if rank is None else f"rank {rank}"
    which = "any tag" if tag is None else f"tag {tag}"
    return (
        f'rank {process["rank"]} waits {call["age_s"]:.1f} s in {call["function"]} at {place(call["site"])} '
        f'for {source}, {which} on {communicator["name"] or communicator["origin"]}'
    )


def waits(document):
    """Yields the lines."""
    for process in document["processes"]:
        operations = operations_of(process)
        for thread in process["threads"]:
            call = thread["call"]  # None: the thread is not in MPI
            for serial in call["operations"] if call else []:
                if serial in operations:  # else it is a request that is neither send nor receive
                    yield sentence(process, call, *operations[serial])


def main():
    document = json.load(sys.stdin)
    if document["schema"] != "mpilens/1":
        sys.exit(f'this script knows mpilens/1, not {document["schema"]}')
    for line in waits(document):
        # Names are the application's: unprintable characters must not get to a terminal.
        print("".join(one if one.isprintable() else "?" for one in line))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSD-3-Clause
"""The output of the sub-commands of `info mpi`, as lines of text."""
from . import contract, handles, tables, target, vocabulary
from .escaped import text
from .tables import rank
from .vocabulary import word


def _heading(process):
    information = process.information()
    if information is None:
        return []
    line = (
        f"rank {information.world_rank} of {information.world_size}" if information.world_rank >= 0 else "no rank yet"
    )
    if word(vocabulary.PROCESS_STATES, information.state) != "running":
        line += f", {word(vocabulary.PROCESS_STATES, information.state)}"
    lines = [line]
    if information.untracked_operations + information.untracked_objects > 0:
        lines.append(
            f"not tracked, because the memory limit was reached: {information.untracked_operations} operations, "
            f"{information.untracked_objects} objects"
        )
    return lines


def _table(columns, rows, empty):
    return tables.render(columns, rows) if rows else [empty]


def overview(process):
    information = process.information()
    library = text(information.library_version.split(b"\n")[0].replace(b"\t", b" ").strip())
    level = word(vocabulary.THREAD_LEVELS, information.thread_level)
    counts = {
        name: sum(not one.freed and not one.predefined for one in process.objects(kind))
        for name, kind in vocabulary.KINDS.items()
        if kind < vocabulary.ATTRIBUTE
    }
    objects_made = ", ".join(f"{count} {name}" + ("s" if count > 1 else "") for name, count in counts.items() if count)
    return [
        *_heading(process),
        f"state: {word(vocabulary.PROCESS_STATES, information.state)}, thread level {level}",
        f"MPI: {library}",
        f"runtime: mpilens {text(information.runtime_version)}",
        f"DLL: {process.dll.path}",
        f'objects of the application: {objects_made or "none"}',
    ]


def _status(plain, more):
    status = word(vocabulary.STATUSES, plain.status)
    if more is not None and more.partition_count >= 0 and more.partitions_marked >= 0:
        done = "ready" if more.flags & contract.MPILENS_OPERATION_SEND else "arrived"
        status += f", {more.partitions_marked} of {more.partition_count} {done}"
    return status


def _queue_row(queue, communicator, plain, more):
    row = [
        vocabulary.QUEUES[queue],
        rank(plain.desired_local_rank, plain.desired_global_rank),
        "any" if plain.tag_wild else plain.desired_tag,
        plain.desired_length if plain.desired_length >= 0 else None,
    ]
    if more is None:
        extra = " ".join(text(line.value) for line in plain.extra_text if line.value)
        return row + [None, None, communicator, _status(plain, None), None, None, extra]
    return row + [
        more.count if more.count >= 0 else None,
        text(more.datatype),
        communicator,
        _status(plain, more),
        text(more.function),
        target.describe_site(more.site),
        None,
    ]


_QUEUE_COLUMNS = [
    "QUEUE",
    ">PEER",
    ">TAG",
    ">BYTES",
    ">COUNT",
    "DATATYPE",
    "COMMUNICATOR",
    "STATUS",
    "CALL",
    "SITE",
    "TEXT",
]


def _unexpected_row(communicator, plain, more, describe_site):
    if more is None:
        return _queue_row(vocabulary.UNEXPECTED, communicator, plain, None)
    lines = [text(line.value) for line in plain.extra_text if line.value]
    notes = (lines[:1] if more.is_counted else []) + (lines[-1:] if lines[-1].endswith("left out") else [])
    return [
        vocabulary.QUEUES[vocabulary.UNEXPECTED],
        rank(more.peer_local, more.peer_world),
        None if more.is_counted else more.tag,
        more.bytes if more.bytes >= 0 else None,
        more.elements if more.elements >= 0 else None,
        text(more.datatype),
        communicator,
        "exact" if more.origin == contract.MPILENS_ORIGIN_EXACT else "inferred",
        text(more.function),
        describe_site(more.peer_world, more.site) if more.site else None,
        "; ".join(notes) or None,
    ]


def queues(process, describe_site):
    """`describe_site`: of a rank and an address in it."""
    rows = []
    for plain, more in process.communicators():
        name = text(plain.name)
        for queue in (vocabulary.SENDS, vocabulary.RECEIVES):
            rows += [_queue_row(queue, name, *one) for one in process.operations(queue)]
        rows += [_unexpected_row(name, *one, describe_site) for one in process.unexpected()]
        for one in process.messages() if more is not None else ():
            rows.append(
                [
                    "matched",
                    rank(one.peer_local, one.peer_world),
                    one.tag,
                    one.bytes,
                    None,
                    None,
                    name,
                    None,
                    text(one.function),
                    target.describe_site(one.site),
                    None,
                ]
            )
    lines = _heading(process) if process.dll.is_extended else []
    return lines + _table(_QUEUE_COLUMNS, rows, "No send or receive is pending.")


def requests(process):
    """Those of the queues that have a request, and those that stand in no queue. MPI gives one handle to several that are complete."""
    found = []
    for _plain, _more in process.communicators():
        for queue in (vocabulary.SENDS, vocabulary.RECEIVES):
            found += [more for _one, more in process.operations(queue) if more.request]
    lines = [handles.summarize_request(process, one) for one in (*found, *process.requests())]
    return [*_heading(process), *(lines or ["There is no request."])]


def communicators(process):
    rows = []
    for plain, more in process.communicators():
        remote = f" + {more.remote_size}" if more.intercommunicator else ""
        origin = text(more.function)
        if origin and more.parent_name:
            origin += f" of {text(more.parent_name)}"
        calls = ", ".join(
            f"{text(one.name)} {one.count}" + (f" ({one.active} active)" if one.active else "")
            for one in process.collective_classes()
            if one.count > 0
        )
        rows.append(
            [
                text(plain.name),
                f"{more.handle:#x}",
                plain.local_rank,
                f"{plain.size}{remote}",
                "freed" if more.freed else None,
                origin,
                target.describe_site(more.site),
                calls,
            ]
        )
    columns = ["COMMUNICATOR", ">HANDLE", ">RANK", ">SIZE", "STATE", "MADE BY", "SITE", "COLLECTIVE CALLS"]
    return [*_heading(process), *_table(columns, rows, "There is no communicator.")]


def _names(process):
    """Names of communicators by id."""
    return {more.id: text(plain.name) for plain, more in process.communicators()}


def _operations_by_serial(process):
    found = {}
    for _plain, _more in process.communicators():
        for queue in (vocabulary.SENDS, vocabulary.RECEIVES):
            found.update((more.serial, (queue, plain, more)) for plain, more in process.operations(queue))
    found.update((one.serial, one) for one in process.requests())
    return found


def _awaited(one):
    """ "32 x MPI_INT <- 1, tag 7" of a send or receive; the function of another request."""
    if not isinstance(one, tuple):
        return text(one.function)
    queue, plain, more = one
    amount = (
        f"{more.count} x {text(more.datatype)}"
        if more.count >= 0 and more.datatype
        else f"{plain.desired_length} bytes"
    )
    arrow = "->" if queue == vocabulary.SENDS else "<-"
    tag = "any tag" if plain.tag_wild else f"tag {plain.desired_tag}"
    return f"{amount} {arrow} {rank(plain.desired_local_rank, plain.desired_global_rank)}, {tag}"


def calls(process):
    names = _names(process)
    operations = _operations_by_serial(process)
    rows = []
    for thread in process.threads():
        if thread.ended:
            continue
        waiting = [operations[one] for one in process.waiting() if one in operations] if thread.function else []
        what = "; ".join(_awaited(one) for one in waiting[:3]) + (
            f"; ... ({len(waiting)} in all)" if len(waiting) > 3 else ""
        )
        communicator = names.get(thread.communicator_id)
        if communicator is None and waiting and isinstance(waiting[0], tuple):
            communicator = names.get(waiting[0][2].communicator_id)
        call = text(thread.function) or "not in MPI"
        rows.append(
            [
                thread.tid,
                f"polling {call}" if thread.polling else call,
                what,
                communicator,
                target.describe_site(thread.site),
            ]
        )
    return [
        *_heading(process),
        *_table([">THREAD", "CALL", "WAITS FOR", "COMMUNICATOR", "SITE"], rows, "No thread has called MPI."),
    ]


def objects(process, kind, empty):
    """A sentence for each that is not predefined; freed ones as long as something refers to them."""
    lines = []
    for one in process.objects(kind):
        if not one.predefined and (not one.freed or one.users):
            lines.append(handles.summarize_current(process, one))
    return [*_heading(process), *(lines or [empty])]


def loaded_dll(dll):
    """The output of `mpi load-dll`."""
    lines = [f"{dll.path}", f"{dll.version}"]
    if not dll.is_extended:
        lines.append("It knows message queues only: info mpi queues.")
    return lines

# SPDX-License-Identifier: BSD-3-Clause
"""Everything that is known of one object, as fields: (name, value), where a list is a block of lines."""
from . import contract, escaped, tables, target, vocabulary
from .vocabulary import flags, word

_MOST_LISTED = 32
_MOST_RUNS = 64
_DEEPEST = 8


def _field(name, value):
    return [(name, value)] if value not in (None, "") else []


def _place(site):
    return target.describe_site(site)


def _function(address):
    """ "handle_error at 0x401800" of a callback function."""
    if address == 0:
        return None
    return f"{target.describe_function(address)} ({address:#x})"


def _list(items, limit=_MOST_LISTED):
    items = list(items)
    text = ", ".join(str(one) for one in items[:limit])
    return text + (f", ... ({len(items)} in all)" if len(items) > limit else "")


def _communicator_name(process, unique_id):
    """Of the communicator with this id; the current object stays."""
    for plain, more in process.communicators():
        if more.unique_id == unique_id:
            return escaped.text(plain.name)
    return None


def _errhandler(process, answer, handle):
    """Name or handle of an error handler; `answer` stays the current object."""
    found = process.find_object(vocabulary.ERRHANDLER, vocabulary.C, handle) if handle else None
    process.find_by_serial(answer.kind, answer.serial)
    name = escaped.text(found.name) if found is not None else ""
    return _field("errhandler", name or (f"{handle:#x}" if handle else None))


def _topology(process):
    topology = process.detail("topology")
    if topology is None or topology.kind == contract.MPILENS_TOPOLOGY_NONE:
        return []
    values = process.topology_values(topology.value_count)
    first, second = topology.first_count, topology.second_count
    fields = _field(
        "topology", word(vocabulary.TOPOLOGIES, topology.kind) + (", reordered" if topology.reordered else "")
    )
    if not values:
        return fields
    if topology.kind == contract.MPILENS_TOPOLOGY_CARTESIAN:
        for place, name in enumerate(("dims", "periods", "coordinates")):
            fields += _field(name, _list(values[place * first : (place + 1) * first]))
    elif topology.kind == contract.MPILENS_TOPOLOGY_GRAPH:
        fields += _field("index", _list(values[:first])) + _field("edges", _list(values[first : first + second]))
    else:
        fields += _field("sources", _list(values[:first])) + _field(
            "destinations", _list(values[first : first + second])
        )
        if topology.weighted:
            weights = values[first + second :]
            fields += _field("source weights", _list(weights[:first])) + _field(
                "destination weights", _list(weights[first:])
            )
    return fields


def _members(process, name, remote):
    members = process.members(remote)
    return _field(name, tables.ranges(members[:_MOST_LISTED])) if members else []


def _pairs(process, name):
    return _field(name, _list(f"{key}={value}" for key, value in process.text_pairs(_MOST_LISTED)))


def _communicator(process, answer):
    fields = _members(process, "world ranks", 0) + _members(process, "remote world ranks", 1)
    fields += _topology(process) + _pairs(process, "hints")
    for plain, more in process.communicators():
        if more.serial == answer.serial:
            fields += _field("unique id", plain.unique_id) + _errhandler(process, answer, more.errhandler)
            fields += _field(
                "collective calls",
                _list(
                    f"{escaped.text(one.name)} {one.count}" + (f" ({one.active} active)" if one.active else "")
                    for one in process.collective_classes()
                    if one.count > 0
                ),
            )
            break
    return fields


def _group(process, _answer):
    group = process.detail("group")
    fields = _members(process, "world ranks", 0)
    return fields + (
        _field("rank", group.rank if group.rank >= 0 else "none: this process is not a member") if group else []
    )


def _datatype_tree(process, answer, depth):
    """The constructor with its arguments, and below it those of the datatypes among them. `answer` is the current object."""
    contents = process.datatype_contents()
    indent = "  " * depth
    if contents is None or answer.predefined:
        return [f"{indent}{escaped.text(answer.name) or hex(answer.handle)}"]
    arguments = process.datatype_arguments(contents.integer_count + contents.address_count)
    name = word(vocabulary.COMBINERS, contents.combiner)
    integers = arguments[: contents.integer_count]
    addresses = arguments[contents.integer_count :]
    line = f"{indent}{name}({_list(integers)}" + (f"; {_list(addresses)}" if addresses else "") + ")"
    lines = [line + (" of" if contents.datatype_count else "")]
    if depth >= _DEEPEST:
        return lines + [f"{indent}  ..."]
    below = [process.datatype_argument(number) for number in range(min(contents.datatype_count, _MOST_LISTED))]
    for one in below:
        found = process.find_by_serial(vocabulary.DATATYPE, one.serial) if one is not None else None
        lines += _datatype_tree(process, found, depth + 1) if found is not None else [f"{indent}  not known"]
    if contents.datatype_count > len(below):
        lines += [f"{indent}  ... ({contents.datatype_count} in all)"]
    process.find_by_serial(vocabulary.DATATYPE, answer.serial)
    return lines


def _type_map(process):
    lines = []
    for number, run in enumerate(process.type_map()):
        if number == _MOST_RUNS:
            return lines + ["..."]
        text = f"{run.displacement:>8}  {run.count} x {escaped.text(run.basic)}"
        if run.count > 1 and run.stride != run.basic_size:
            text += f", every {run.stride} bytes"
        if run.repeat > 1:
            text += f", {run.repeat} times every {run.repeat_stride} bytes"
        lines.append(text)
    return lines


def _datatype(process, answer):
    contents = process.datatype_contents()
    if contents is None:
        return []
    fields = _field(
        "bounds",
        f"lower {contents.lower_bound}, extent {contents.extent}, "
        f"true lower {contents.true_lower_bound}, true extent {contents.true_extent}",
    )
    if not answer.predefined:
        fields += _field("constructor", _datatype_tree(process, answer, 0))
        fields += _field("type map (displacement in bytes, elements)", _type_map(process) or None)
    return fields


def _op(process, _answer):
    op = process.detail("op")
    return _field("function", _function(op.user_function)) + _field("commutative", "yes" if op.commutative else "no")


def _errhandler_page(process, _answer):
    errhandler = process.detail("errhandler")
    return _field("function", _function(errhandler.user_function)) + _field(
        "for", word(vocabulary.ATTACHABLES, errhandler.attachable)
    )


def _info(process, _answer):
    return _field("entries", [f"{key} = {value}" for key, value in process.text_pairs(_MOST_LISTED)])


def _keyval(process, _answer):
    keyval = process.detail("keyval")
    return (
        _field("for", word(vocabulary.ATTACHABLES, keyval.attachable))
        + _field("copy function", _function(keyval.copy_function))
        + _field("delete function", _function(keyval.delete_function))
        + _field("extra state", f"{keyval.extra_state:#x}")
    )


def _session(process, answer):
    session = process.detail("session")
    return (
        _field("thread level", word(vocabulary.THREAD_LEVELS, session.thread_level))
        + _errhandler(process, answer, session.errhandler)
        + _field("process sets", _list(key for key, _value in process.text_pairs(_MOST_LISTED)))
    )


def _window(process, answer):
    window = process.detail("window")
    fields = _field("flavor", word(vocabulary.WINDOW_FLAVORS, window.flavor))
    fields += _field("memory", f"{window.bytes} bytes at {window.base:#x}")
    fields += _field("displacement unit", window.displacement_unit)
    fields += _field("communicator", _communicator_name(process, window.communicator_id))
    fields += _field("access epoch", word(vocabulary.EPOCHS, window.access_epoch))
    fields += _field("exposure epoch", word(vocabulary.EPOCHS, window.exposure_epoch))
    locks = [
        f"rank {tables.rank(lock.target_local, lock.target_world)}: {word(vocabulary.LOCK_TYPES, lock.type)}, "
        f"{_place(lock.site)}"
        for lock in process.window_locks(window.lock_count)
    ]
    fields += _field("locks", locks or None)
    last = escaped.text(window.synchronization)
    fields += _field("last synchronization", f"{last} at {_place(window.synchronization_site)}" if last else None)
    fields += _field("operations", f"{window.operations}, {window.operations_since} since they were last completed")
    return fields + _errhandler(process, answer, window.errhandler) + _pairs(process, "hints")


def _file(process, answer):
    file = process.detail("file")
    fields = _field("mode", _list(flags(vocabulary.FILE_MODES, file.mode)))
    fields += _field("communicator", _communicator_name(process, file.communicator_id))
    fields += _field(
        "view",
        f"from byte {file.view_displacement}, etype {escaped.text(file.view_etype)}, "
        f"filetype {escaped.text(file.view_filetype)}, {escaped.text(file.view_representation)}",
    )
    fields += _field("atomicity", "yes" if file.atomicity else "no") + _field("operations", file.operations)
    split = escaped.text(file.split_collective)
    fields += _field("split collective", f"{split} at {_place(file.split_collective_site)}" if split else None)
    return fields + _errhandler(process, answer, file.errhandler) + _pairs(process, "hints")


_PAGES = {
    vocabulary.COMMUNICATOR: _communicator,
    vocabulary.GROUP: _group,
    vocabulary.DATATYPE: _datatype,
    vocabulary.OP: _op,
    vocabulary.ERRHANDLER: _errhandler_page,
    vocabulary.INFO: _info,
    vocabulary.KEYVAL: _keyval,
    vocabulary.SESSION: _session,
    vocabulary.WINDOW: _window,
    vocabulary.FILE: _file,
}


def _users(process):
    found = {}
    for one in process.users():
        kind = vocabulary.KIND_NAMES.get(one.kind, "object")
        name = escaped.text(one.name)
        handle = f"{one.handle:#x}" if one.handle else ""
        found.setdefault(kind, []).append(f"{name} ({handle})" if name and handle else name or handle)
    fields = []
    for kind, items in found.items():
        fields += _field(f"used by {kind}", _list(items))
    return fields


def _attributes(process):
    items = []
    for one in process.attributes():
        name = escaped.text(one.keyval_name) if hasattr(one, "keyval_name") else ""
        items.append(f"{name or hex(one.keyval_handle)}={one.value:#x}")
    return _field("attributes", _list(items))


def _common(process, answer):
    handle = process.detail("handle")
    fields = _field("handle", f"{answer.handle:#x}")
    if handle is not None:
        fields += _field("Fortran handle", handle.fortran_handle if handle.has_fortran_handle else None)
    if answer.site and not answer.predefined:
        fields += _field("made by", f"{escaped.text(answer.function)} at {_place(answer.site)}")
    if handle is not None and handle.freed_site:
        fields += _field("freed by", f"{escaped.text(handle.freed_function)} at {_place(handle.freed_site)}")
    return fields


def of_object(process, named):
    """Of a handles.Named that is an object, and the current one."""
    answer = named.answer
    fields = _common(process, answer)
    fields += _PAGES.get(named.handle.kind, lambda process, answer: [])(process, answer)
    if named.handle.kind in (vocabulary.COMMUNICATOR, vocabulary.DATATYPE, vocabulary.WINDOW):
        fields += _attributes(process)
    return fields + _users(process)


def of_request(process, named):
    request = named.answer
    if request.serial == 0:
        return []
    fields = _field("buffer", f"{request.buffer:#x}" if request.buffer else None)
    fields += _field("bytes", request.bytes if request.bytes >= 0 else None)
    fields += _field("made by", f"{escaped.text(request.function)} at {_place(request.site)}")
    return fields


def of_status(named):
    status = named.answer
    if status.ignored:
        return []
    return _field("MPI_ERROR", f"{status.error} (meaningful only where a call has completed several requests)")


def of(process, named):
    if named.handle.kind == vocabulary.STATUS:
        return of_status(named)
    if named.handle.kind == vocabulary.REQUEST:
        return of_request(process, named)
    return of_object(process, named) if named.is_object else []


def _lines(name, value):
    if isinstance(value, list):
        return [f"  {name}:", *(f"    {line}" for line in value)]
    return [f'  {name + ":":<18} {value}']


def lines_of(process, named):
    """The page as lines of text."""
    return [named.sentence] + [line for field in of(process, named) for line in _lines(*field)]

# SPDX-License-Identifier: BSD-3-Clause
"""Fills in a template: the body of one wrapper. @...@ in a template is

  @real@                  the call of the real function, or of another tool's, with the caller's arguments
  @function@              the function's number
  @plain_function@        the number of the function without a state: MPI_Op_create where this is MPIX_Op_create_x
  @detail@                the table's detail in upper case
  @flags@                 of the operation that it starts
  @arguments@             struct operation_arguments that the table names
  @begin@                 operation_begin with them (@begin_send@, @begin_recv@: of a half; @begin_message@: of a matched message)
  @collective_arguments@  struct collective_arguments of the table      @class@  collective class
  @contents@              struct datatype_contents: the arguments called integer, address or element
  @key@                   what members of a communicator agree on
  @agree_communicator@    collective_agree of the arguments that all members of the parent must give alike, if the function has such
                          (@agree_file@: of a file)
  @any role@              the parameter with that role
  @role|text@             the parameter with that role, or the text where the function has none
"""
import re

from table import TableError


def fill(wrapper, template):
    return re.sub(r"@(\w+)(\|\w+)?@", lambda match: substitute(wrapper, match), template.text())


def substitute(wrapper, match):
    name = match[1]
    if match[2]:
        return wrapper.roles.get(name, match[2][1:])
    if name in SPECIAL:
        return SPECIAL[name](wrapper)
    if name not in wrapper.roles:
        raise TableError(f"{wrapper.name}: template {wrapper.template} needs the role {name}")
    return wrapper.roles[name]


def operation_arguments(wrapper, half=""):
    return operation_arguments_of(
        wrapper,
        half,
        communicator=wrapper.role("communicator", half),
        peer=wrapper.role("peer", half),
        tag=wrapper.role("tag", half),
    )


def matched_message_arguments(wrapper):
    return operation_arguments_of(
        wrapper,
        communicator="message_communicator(&message)",
        peer="message.state ? message.source : MPI_PROC_NULL",
        tag="message.state ? message.tag : MPI_ANY_TAG",
    )


def operation_arguments_of(wrapper, half="", *, communicator, peer, tag):
    return (
        f"(struct operation_arguments){{.site = site, "
        f".buffer = (uint64_t)(uintptr_t){wrapper.role('buffer', half)}, {element_count(wrapper, half)}, "
        f".datatype = {wrapper.role('datatype', half)}, "
        f".communicator = {communicator}, .peer = {peer}, "
        f".tag = {tag}, .function = FUNCTION_{wrapper.name}, .flags = {wrapper.operation_flags(half)}, "
        f".state = MPILENS_OPERATION_{'PERSISTENT' if wrapper.call_class == 'PERSISTENT_INIT' else 'PENDING'}}}"
    )


def element_count(wrapper, half):
    """The number of elements of the whole message."""
    count = wrapper.role("count", half)
    if "partition_count" in wrapper.roles:
        return f".count = (uint64_t){wrapper.roles['partition_count']} * (uint64_t){count}"
    return f"ELEMENT_COUNT({count})"


def begin(arguments):
    return f"operation_begin(thread, {arguments})"


def collective_arguments(wrapper):
    roles = wrapper.roles
    buffer, count = roles.get("buffer"), roles.get("count", "-1")
    fields = [
        ".site = site",
        f".function = FUNCTION_{wrapper.name}",
        f".collective_class = {wrapper.collective_class()}",
        f".communicator = HANDLE_VALUE({roles['communicator']})",
    ]
    has_datatype = "true"
    if wrapper.in_place_unused:
        has_datatype = f"{buffer} != MPI_IN_PLACE"
        count = f"{has_datatype} ? (int64_t){count} : -1"
    if buffer:
        fields.append(f".buffer = (uint64_t)(uintptr_t){buffer}")
    fields.append(f".count = {count}")
    if "datatype" in roles:
        fields += [f".datatype = HANDLE_VALUE({roles['datatype']})", f".has_datatype = {has_datatype}"]
    if "op" in roles:
        fields.append(f".op = HANDLE_VALUE({roles['op']})")
    if "root" in roles:
        fields += [f".root = {roles['root']}", ".has_root = true"]
    arrays = count_arrays(roles)
    if arrays:
        fields.append(".arrays = &(struct count_arrays){" + ", ".join(arrays) + "}")
    return "(struct collective_arguments){" + ", ".join(fields) + "}"


def count_arrays(roles):
    """The arrays with the counts and types exchanged with each other member; none for data in place."""
    arrays = []
    for side in ("send", "receive"):
        if side + "_counts" not in roles:
            continue
        condition = f"{roles['given']} == MPI_IN_PLACE ? 0 : " if side == "send" and "given" in roles else ""
        arrays.append(f".{side}_counts = {condition}(uint64_t)(uintptr_t){roles[side + '_counts']}")
        if side + "_datatypes" in roles:
            arrays.append(f".{side}_datatypes = (uint64_t)(uintptr_t){roles[side + '_datatypes']}")
        else:
            datatype = roles.get(side + "_datatype", roles.get("datatype"))
            arrays.append(f".{side}_datatypes = HANDLE_VALUE({datatype})")
    if arrays:
        arrays.append(f".count_bytes = sizeof *{roles.get('send_counts', roles.get('receive_counts'))}")
    return arrays


def contents(wrapper):
    """In the table, integer_n and address_n are values, integers_n, addresses_n and elements are arrays; `length` is the integer that says
    how long these are."""
    values = {"integer": [], "address": []}
    datatypes = ""
    length = f"(size_t){wrapper.roles.get('length', '1')}"
    for role, argument in wrapper.roles.items():
        kind = role.split("_")[0]
        if role == "element":
            datatypes = f", .datatypes = &{argument}, .datatype_count = 1"
        elif role == "elements":
            datatypes = f", .datatypes = {argument}, .datatype_count = {length}"
        elif kind in ("integers", "addresses"):
            values["integer" if kind == "integers" else "address"].append(
                f"{{{argument}, {length}, sizeof *{argument}}}"
            )
        elif kind in ("integer", "address", "length"):
            values["address" if kind == "address" else "integer"].append(f"{{&{argument}, 1, sizeof {argument}}}")
    integers, addresses = (", ".join(values[kind]) or "{NULL, 0, 0}" for kind in ("integer", "address"))
    return (
        f"(struct datatype_contents){{.combiner = MPILENS_COMBINER_{wrapper.detail.upper()}, .integers = {{{integers}}}, "
        f".addresses = {{{addresses}}}{datatypes}}}"
    )


def key(wrapper):
    if "key_number" in wrapper.roles:
        return f"hash_mix(FUNCTION_{wrapper.name}, (uint64_t)(uint32_t){wrapper.roles['key_number']})"
    if "key_text" in wrapper.roles:
        return f"communicator_text_key({wrapper.roles['key_text']})"
    return f"FUNCTION_{wrapper.name}"


# Arguments that all members must give alike, or each its own (own_NAME): where a role tells another thing than its own number, the name of that, where the
# numbers are conditions, and how long a list is.
AGREED = {
    "reorder": ("reorder", ".value = {0}, .is_condition = true"),
    "same_high": ("high", ".value = {0}, .is_condition = true"),
    "enabled": ("atomicity", ".value = {0}, .is_condition = true"),
    "weights": ("weighted", ".value = collective_has_weights({0})"),
    "same_dims": ("dims", ".list = {0}, .length = {dimension_count}"),
    "same_periods": ("periods", ".list = {0}, .length = {dimension_count}, .is_condition = true"),
    "same_remain_dims": (
        "remain_dims",
        ".list = {0}, .length = collective_dimensions(derivation.parent), .is_condition = true",
    ),
    "same_index": ("index", ".list = {0}, .length = {node_count}"),
    "own_sources": ("sources", ".list = {0}, .length = {source_count}"),
    "own_degrees": ("degrees", ".list = {0}, .length = {source_count}"),
    "own_destinations": ("destinations", ".list = {0}, .length = {destination_count}"),
    "same_edges": ("edges", ".list = {0}, .length = collective_edge_count({same_index}, {node_count})"),
}


def agree(wrapper, place):
    arguments, own = [], []
    for role, parameter in wrapper.roles.items():
        if role in AGREED:
            name, members = AGREED[role]
            members = members.format(parameter, **wrapper.roles)
        elif role.startswith("same_"):
            name, members = role[len("same_") :], f".value = {parameter}"
        else:
            continue
        if role.startswith("own_"):
            own.append(f'{{AGREED_NAME("{name}"), {members}, .may_differ = {"false" if own else "true"}}}')
        else:
            arguments.append(f'{{AGREED_NAME("{name}"), {members}}}')
    if not arguments:
        return ""
    listed = ", ".join(arguments + own)
    return f"collective_agree({place}, call, (const struct agreed_argument[]){{{listed}}}, {len(arguments + own)});"


SPECIAL = {
    "agree_communicator": lambda wrapper: agree(
        wrapper, "derivation.parent != NULL ? &derivation.parent->arguments : NULL"
    ),
    "agree_file": lambda wrapper: agree(wrapper, "file != NULL ? &file->arguments : NULL"),
    "real": lambda wrapper: f"mpilens__next.{wrapper.name}({wrapper.passed()})",
    "function": lambda wrapper: f"FUNCTION_{wrapper.name}",
    "plain_function": lambda wrapper: "FUNCTION_" + re.sub("^MPIX_(.*)_x$", r"MPI_\1", wrapper.name),
    "detail": lambda wrapper: wrapper.detail.upper(),
    "flags": lambda wrapper: wrapper.operation_flags(),
    "arguments": operation_arguments,
    "begin": lambda wrapper: begin(operation_arguments(wrapper)),
    "begin_send": lambda wrapper: begin(operation_arguments(wrapper, "send_")),
    "begin_recv": lambda wrapper: begin(operation_arguments(wrapper, "recv_")),
    "begin_message": lambda wrapper: begin(matched_message_arguments(wrapper)),
    "collective_arguments": collective_arguments,
    "class": lambda wrapper: wrapper.collective_class(),
    "contents": contents,
    "key": key,
}

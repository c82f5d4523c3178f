# SPDX-License-Identifier: BSD-3-Clause
"""Writes what does the same as standard sends, with synchronous ones: they take the place of the next functions in a program that is started
with `mpilens run --synchronous`."""

SEND = """static COLD int synchronous_{name}({parameters})
{{
    return mpilens__next.{other}({passed});
}}

"""

# The receive comes first: where it is refused, nothing is sent. One from nobody is not made by a request, whose status might not say so.
RECEIVE = """{receive_peer} == MPI_PROC_NULL
                    ? mpilens__next.MPI_Recv{variant}({receive}, {communicator}, {status})
                    : mpilens__next.MPI_Irecv{variant}({receive}, {communicator}, &receive)"""

SENDRECV = """static COLD int synchronous_{name}({parameters})
{{
    MPI_Request send, receive = MPI_REQUEST_NULL;
    int error = {receive_call};
    if (error != MPI_SUCCESS)
        return error;
    error = mpilens__next.MPI_Issend{variant}({send}, {communicator}, &send);
    return exchange_end(error, &send, &receive, {status});
}}

"""

SENDRECV_REPLACE = """static COLD int synchronous_{name}({parameters})
{{
    MPI_Request send, receive = MPI_REQUEST_NULL;
    struct packed_copy copy;
    int error = packed_copy_make(&copy, {message}, {communicator});
    if (error != MPI_SUCCESS)
        return error;
    if (copy.bytes < 0)
        return mpilens__next.{name}({passed});
    error = {receive_call};
    if (error == MPI_SUCCESS) {{
        error = packed_copy_send(&copy, {send_peer}, {send_tag}, {communicator}, &send);
        error = exchange_end(error, &send, &receive, {status});
    }}
    packed_copy_clear(&copy);
    return error;
}}

"""

EXCHANGES = {"sendrecv": SENDRECV, "sendrecv_replace": SENDRECV_REPLACE}
MESSAGE = ("buffer", "count", "datatype")


def arguments(wrapper, roles, half=""):
    return ", ".join(wrapper.role(role, half) for role in roles)


def exchange(wrapper):
    values = {
        "name": wrapper.name,
        "parameters": wrapper.parameters(),
        "passed": wrapper.passed(),
        "variant": "_c" if wrapper.small_count else "",
        "message": arguments(wrapper, MESSAGE, "send_"),
        "send": arguments(wrapper, (*MESSAGE, "peer", "tag"), "send_"),
        "receive": arguments(wrapper, (*MESSAGE, "peer", "tag"), "recv_"),
        "send_peer": wrapper.role("peer", "send_"),
        "send_tag": wrapper.role("tag", "send_"),
        "receive_peer": wrapper.role("peer", "recv_"),
        "communicator": wrapper.roles["communicator"],
        "status": wrapper.roles["status"],
    }
    return EXCHANGES[wrapper.template].format(receive_call=RECEIVE.format(**values), **values)


def send(wrapper):
    return SEND.format(
        name=wrapper.name,
        parameters=wrapper.parameters(),
        passed=wrapper.passed(),
        other=wrapper.detail + ("_c" if wrapper.small_count else ""),
    )


def define_synchronous(wrappers, out):
    """The names of the functions that have such a form."""
    names = []
    for wrapper in wrappers:
        if wrapper.template in EXCHANGES:
            out.write(exchange(wrapper))
        elif wrapper.template.startswith("send") and wrapper.detail != "-":
            out.write(send(wrapper))
        else:
            continue
        names.append(wrapper.name)
    return names

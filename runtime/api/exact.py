# SPDX-License-Identifier: BSD-3-Clause
"""Writes what does the same as receives, probes and completions where messages may have been taken out of MPI's queue before: they take
the place of the library's functions in a program that is started with `mpilens run --unexpected=exact`."""

# Calls have a slow form, where messages were taken out or the thread is not known yet, and a quick one.
QUICK = """    if (unlikely(!question_begin_quickly({question})))
        return exact_{name}_slowly({passed});
    const int error = mpilens__library.{name}({passed});
    question_end_quickly();
    return error;
"""

# The question ends with the call, whose body follows if there is such a message.
LIBRARY = """    struct taken *taken;
    if (question_begin({question}) || (taken = taken_remove({communicator}, {peer}, {tag})) == NULL) {{
        const int error = mpilens__library.{name}({passed});
        question_end();
        return error;
    }}
"""

RECEIVE = (
    LIBRARY
    + """    return exact_received(taken, mpilens__library.MPI_Mrecv{variant}({recv}, &taken->message, {status}));
"""
)

RECEIVE_NONBLOCKING = (
    LIBRARY
    + """    return exact_received(taken, mpilens__library.MPI_Imrecv{variant}({recv}, &taken->message, {request}));
"""
)

# The question is over as soon as MPI has the receive: the send may take long. A receive from nobody is not made by a request, whose
# status might not say so.
SENDRECV_QUICK = """    if ({peer} == MPI_PROC_NULL)
        return mpilens__library.{name}({passed});
    if (unlikely(!question_begin_quickly({question})))
        return exact_{name}_slowly({passed});
    MPI_Request send = MPI_REQUEST_NULL, receive;
    int error = mpilens__library.MPI_Irecv{variant}({recv}, {peer}, {tag}, {communicator}, &receive);
    question_end_quickly();
    if (error != MPI_SUCCESS)
        return error;
    error = mpilens__library.MPI_Send{variant}({send}, {send_peer}, {send_tag}, {communicator});
    return exchange_end(error, &send, &receive, {status});
"""

SENDRECV = """    struct taken *taken;
    MPI_Request send = MPI_REQUEST_NULL, receive;
    int error;
    if (question_begin({question}) || (taken = taken_remove({communicator}, {peer}, {tag})) == NULL) {{
        error = mpilens__library.MPI_Irecv{variant}({recv}, {peer}, {tag}, {communicator}, &receive);
        question_end();
        if (error != MPI_SUCCESS)
            return error;
        error = mpilens__library.MPI_Send{variant}({send}, {send_peer}, {send_tag}, {communicator});
        return exchange_end(error, &send, &receive, {status});
    }}
    error = mpilens__library.MPI_Isend{variant}({send}, {send_peer}, {send_tag}, {communicator}, &send);
    if (error != MPI_SUCCESS) {{
        exact_refused(taken);
        return error;
    }}
    error = exact_received(taken, mpilens__library.MPI_Mrecv{variant}({recv}, &taken->message, {status}));
    const int error_of_send = mpilens__library.MPI_Wait(&send, MPI_STATUS_IGNORE);
    return error != MPI_SUCCESS ? error : error_of_send;
"""

# Copies the data to send out of a buffer that also receives.
COPY = """    struct packed_copy copy;
    MPI_Request send = MPI_REQUEST_NULL;
    int error = packed_copy_make(&copy, {send}, {communicator});
    if (error == MPI_SUCCESS && copy.bytes >= 0) {{
        error = packed_copy_start(&copy, {send_peer}, {send_tag}, {communicator}, &send);
        if (error != MPI_SUCCESS)
            packed_copy_clear(&copy);
    }} else if (error == MPI_SUCCESS)
        error = mpilens__library.MPI_Send{variant}({send}, {send_peer}, {send_tag}, {communicator});
    if (error != MPI_SUCCESS) {{
        exact_refused(taken);
        return error;
    }}
"""

SENDRECV_REPLACE = (
    LIBRARY
    + COPY
    + """    error = exact_received(taken, mpilens__library.MPI_Mrecv{variant}({recv}, &taken->message, {status}));
    const int error_of_send = mpilens__library.MPI_Wait(&send, MPI_STATUS_IGNORE);
    if (copy.bytes >= 0)
        packed_copy_clear(&copy);
    return error != MPI_SUCCESS ? error : error_of_send;
"""
)

# The receive's request stands for both. The send is buffered.
SENDRECV_NONBLOCKING = (
    LIBRARY
    + COPY
    + """    exact_leave_to_be_sent(&copy, send);
    return exact_received(taken, mpilens__library.MPI_Imrecv{variant}({recv}, &taken->message, {request}));
"""
)

PROBE = """    if (!question_begin({question}) && taken_look({communicator}, {peer}, {tag}, {last})) {{
{found}        question_end();
        return MPI_SUCCESS;
    }}
    const int error = mpilens__library.{name}({passed});
    question_end();
    return error;
"""

MPROBE = (
    LIBRARY
    + """{found_}    exact_probed(taken, {message}, {status});
    return MPI_SUCCESS;
"""
)

RECEIVE_PERSISTENT = """    int error = mpilens__library.{name}({passed});
    if (error == MPI_SUCCESS)
        persistent_receive_made({recv}, {peer}, {tag}, {communicator}, *{request});
    return error;
"""

START = """    const bool open = question_begin({question});
    const int error = open ? mpilens__library.{name}({passed}) : {start};
    question_end();
    return error;
"""

COMPLETION_QUICK = """    return unlikely(exact_has_stand_ins()) ? exact_{name}_slowly({passed}) : mpilens__library.{name}({passed});
"""

COMPLETION = """    struct stand_ins stand_ins;
    int error = stand_ins_begin(&stand_ins, {count_of_requests}, (MPI_Request *)(uintptr_t){requests});
    if (error == MPI_SUCCESS)
        error = mpilens__library.{name}({asked});
    stand_ins_end(&stand_ins, {count_of_requests}, (MPI_Request *)(uintptr_t){requests});
    return error;
"""

REQUEST_GET_STATUS = """    if (exact_has_stand_ins())
        {request} = persistent_receive_stand_in({request});
    return mpilens__library.{name}({passed});
"""

CANCEL = """    MPI_Request asked;
    if (!exact_has_stand_ins() || {request} == NULL)
        return mpilens__library.{name}({passed});
    asked = persistent_receive_stand_in(*{request});
    return mpilens__library.{name}(&asked);
"""

REQUEST_FREE = """    if ({request} != NULL)
        persistent_receive_freeing(*{request});
    return mpilens__library.{name}({passed});
"""

COMMUNICATOR_FREE = """    const MPI_Comm communicator = {handle} != NULL ? *{handle} : MPI_COMM_NULL;
    const uint64_t outer = exact_begin_free(communicator);
    const int error = mpilens__library.{name}({passed});
    exact_end_free(communicator, {handle} == NULL || *{handle} != communicator, outer);
    return error;
"""

COMMUNICATOR_BY_GROUP = """    meeting_of_group({passed_but_result});
    const int error = mpilens__library.{name}({passed});
    meeting_end();
    return error;
"""
COMMUNICATOR_BY_LEADERS = COMMUNICATOR_BY_GROUP.replace("of_group", "of_leaders")

INIT = "    return level_initialize({first}, {second}, MPI_THREAD_SINGLE, NULL);\n"
INIT_THREAD = "    return level_initialize({first}, {second}, {required}, {last});\n"
QUERY_THREAD = "    return level_query({first});\n"
FINALIZE = """    taker_end();
    return mpilens__library.{name}();
"""

COMPLETIONS = (
    *("wait", "waitall", "waitany", "waitsome", "test", "testall", "testany", "testsome"),
    *("request_get_status_all", "request_get_status_any", "request_get_status_some"),
)

# The form of each template, and the slow one, if it has one.
FORMS = {
    "receive": (QUICK, RECEIVE),
    "receive_nonblocking": (QUICK, RECEIVE_NONBLOCKING),
    "receive_persistent": (RECEIVE_PERSISTENT, None),
    "sendrecv": (SENDRECV_QUICK, SENDRECV),
    "sendrecv_replace": (QUICK, SENDRECV_REPLACE),
    "sendrecv_nonblocking": (QUICK, SENDRECV_NONBLOCKING),
    "sendrecv_replace_nonblocking": (QUICK, SENDRECV_NONBLOCKING),
    "probe": (QUICK, PROBE),
    "iprobe": (QUICK, PROBE),
    "mprobe": (QUICK, MPROBE),
    "improbe": (QUICK, MPROBE),
    "start": (QUICK, START),
    "startall": (QUICK, START),
    **{name: (COMPLETION_QUICK, COMPLETION) for name in COMPLETIONS},
    "request_get_status": (REQUEST_GET_STATUS, None),
    "cancel": (CANCEL, None),
    "request_free": (REQUEST_FREE, None),
    "communicator_free": (COMMUNICATOR_FREE, None),
    "communicator_by_key": (COMMUNICATOR_BY_GROUP, None),
    "communicator_by_leaders": (COMMUNICATOR_BY_LEADERS, None),
    "init": (INIT, None),
    "init_thread": (INIT_THREAD, None),
    "finalize": (FINALIZE, None),
}


def message(wrapper, half):
    return ", ".join(wrapper.role(role, half) for role in ("buffer", "count", "datatype"))


def values_of(wrapper):
    """The values for the forms; for a half of an exchange if the function has two."""
    roles = wrapper.roles
    has_halves = "recv_peer" in roles
    requests = roles.get("requests") or roles.get("request")
    found = f"        *{roles['flag']} = 1;\n" if "flag" in roles else ""
    values = dict(roles)
    values.update(
        name=wrapper.name,
        parameters=wrapper.parameters(),
        passed=wrapper.passed(),
        passed_but_result=", ".join(wrapper.names[:-1]),
        variant="_c" if wrapper.small_count else "",
        peer=roles.get("recv_peer" if has_halves else "peer"),
        tag=roles.get("recv_tag" if has_halves else "tag"),
        first=wrapper.names[0] if wrapper.names else "",
        second=wrapper.names[1] if len(wrapper.names) > 1 else "",
        last=wrapper.names[-1] if wrapper.names else "",
        found=found,
        found_=found[4:],
        requests=requests,
        count_of_requests=f"(int){roles['array_count']}" if "array_count" in roles else "1",
        asked=", ".join("stand_ins.requests" if name == requests else name for name in wrapper.names),
        start=(
            f"exact_start_all({wrapper.passed()})"
            if wrapper.template == "startall"
            else f"persistent_receive_start({wrapper.passed()})"
        ),
    )
    if "datatype" in roles or has_halves:
        values["recv"] = message(wrapper, "recv_" if has_halves else "")
        values["send"] = message(wrapper, "send_" if has_halves else "")
    values["question"] = (
        "HANDLE_VALUE({communicator}), {peer}, {tag}".format(**values)
        if "communicator" in values
        else "EVERY_COMMUNICATOR, 0, 0"
    )
    return values


def define_exact(wrappers, out):
    """The names of the functions that have such a form."""
    names = []
    for wrapper in wrappers:
        is_query = wrapper.name == "MPI_Query_thread"
        form, slow_form = (QUERY_THREAD, None) if is_query else FORMS.get(wrapper.template, (None, None))
        if form is None:
            continue
        values = values_of(wrapper)
        head = f"({values['parameters']})\n{{\n"
        if slow_form is not None:
            out.write(f"static COLD int exact_{wrapper.name}_slowly{head}{slow_form.format(**values)}}}\n\n")
        out.write(f"static int exact_{wrapper.name}{head}{form.format(**values)}}}\n\n")
        names.append(wrapper.name)
    return names

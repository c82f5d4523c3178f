# SPDX-License-Identifier: BSD-3-Clause
"""The C text of one wrapper: which functions it consists of, by where the record of its operation comes from."""
from template_body import fill

# Calls a body when the thread needs a closer look.
SLOW_WAY = """static COLD int slow_{name}({first}const void *caller, uint64_t frame)
{{
    struct slow_way way = {{.caller = caller, .frame = frame}};
    struct thread *thread = thread_enter_slowly(&way);
    if (thread == NULL)
        return mpilens__real.{name}({arguments});
    int error = {slow_body};
{started}    thread_leave(thread, &way);
    return error;
}}
"""

# The body, what calls it when the thread or the arguments need a closer look, and the function itself.
PLAIN_WRAPPER = (
    """
INLINE int body_{name}(struct thread *thread, uint64_t site{more})
{{
{body}    return error;
}}

"""
    + SLOW_WAY
    + """
EXPORT int {name}({parameters})
{{
    struct thread *thread = mpilens__thread;
    if (unlikely(thread_is_in_call(thread)))
        return slow_{name}({given}__builtin_return_address(0), STACK_START());
    return body_{name}(thread, (uint64_t)(uintptr_t)__builtin_return_address(0){passed});
}}

PMPI_ENTRY({name}, ({parameters}))
"""
)

OPERATION_WRAPPER = """
INLINE int body_{name}(struct thread *thread, const struct operation_cache_entry *entry, struct mpilens_operation *operation,
                       uint64_t site{more})
{{
{body}    return error;
}}

static COLD int slow_{name}({first}const void *caller, uint64_t frame)
{{
    struct slow_way way = {{.caller = caller, .frame = frame}};
    struct thread *thread = thread_enter_slowly(&way);
    if (thread == NULL)
        return mpilens__real.{name}({arguments});
    int error;
    const struct operation_cache_entry *entry = operation_cache_place(thread, {place});
    if (!operation_cache_hit(entry, {place}))
        entry = operation_cache_fill(thread, {place});
{refill}    error = body_{name}(thread, entry, {record}, (uint64_t)(uintptr_t)way.caller{passed});
{started}    thread_leave(thread, &way);
    return error;
}}

EXPORT int {name}({parameters})
{{
    struct thread *thread = mpilens__thread;
    const struct operation_cache_entry *entry = operation_cache_place(thread, {place});
    if (unlikely(thread_is_in_call(thread) || !operation_cache_hit(entry, {place}){none_free}))
        return slow_{name}({given}__builtin_return_address(0), STACK_START());
    return body_{name}(thread, entry, {record}, 0{passed});
}}

PMPI_ENTRY({name}, ({parameters}))
"""

# The communicator is known and at hand, or else the call needs a closer look.
COLLECTIVE_WRAPPER = """
INLINE int body_{name}(struct thread *thread, struct mpilens_communicator *record, uint64_t site{more})
{{
{body}    return error;
}}

static COLD int slow_{name}({first}const void *caller, uint64_t frame)
{{
    struct slow_way way = {{.caller = caller, .frame = frame}};
    struct thread *thread = thread_enter_slowly(&way);
    if (thread == NULL)
        return mpilens__real.{name}({arguments});
    int error = body_{name}(thread, communicator_find_fast(thread, HANDLE_VALUE({communicator})),
                            (uint64_t)(uintptr_t)way.caller{passed});
    thread_leave(thread, &way);
    return error;
}}

EXPORT int {name}({parameters})
{{
    struct thread *thread = mpilens__thread;
    const struct handle_cache_entry *entry = communicator_cache_place(thread, HANDLE_VALUE({communicator}));
    if (unlikely(thread_is_in_call(thread) || !handle_cache_hit(entry, HANDLE_VALUE({communicator}))))
        return slow_{name}({given}__builtin_return_address(0), STACK_START());
    return body_{name}(thread, handle_cache_record(entry), (uint64_t)(uintptr_t)__builtin_return_address(0){passed});
}}

PMPI_ENTRY({name}, ({parameters}))
"""

# A call for one request: the body in general, with the caller's arguments where they came in, and the beginning of the function.
OWN_REQUEST_BODY = """
static __attribute__((noinline)) int body_{name}({first}struct thread *thread, uint64_t site)
{{
{body}    return error;
}}
"""

OWN_REQUEST_ENTRY = """
EXPORT int {name}({parameters})
{{
    struct thread *thread = mpilens__thread;
    if (unlikely(thread_is_in_call(thread) || {request} == NULL))
        return slow_{name}({given}__builtin_return_address(0), STACK_START());
    uint64_t site = (uint64_t)(uintptr_t)__builtin_return_address(0);
"""

# The end of a wait is simple for requests that this thread has started: the quick ways through, for sends, receives, and what
# persistent requests have started. They have the caller's arguments where they came in.
WAIT_WRAPPER = (
    OWN_REQUEST_BODY
    + """
static __attribute__((noinline)) int send_{name}({first}struct thread *thread, uint64_t site, struct mpilens_operation *operation)
{{
    completion_describe(thread, FUNCTION_{name}, site, operation);
    int error = mpilens__next.{name}({arguments});
    return completion_end_own(thread, operation, {request}, &thread->scratch.status, false, error);
}}

static __attribute__((noinline)) int receive_{name}({first}struct thread *thread, uint64_t site, struct mpilens_operation *operation)
{{
    if ({status} == MPI_STATUS_IGNORE)
        {status} = &thread->scratch.status;
    completion_describe(thread, FUNCTION_{name}, site, operation);
    int error = mpilens__next.{name}({arguments});
    return completion_end_own(thread, operation, {request}, {status}, true, error);
}}

static __attribute__((noinline)) int persistent_{name}({first}struct thread *thread, uint64_t site, struct mpilens_operation *persistent)
{{
    if (!persistent_is_simple(persistent))
        return body_{name}({given}thread, site);
    if ({status} == MPI_STATUS_IGNORE)
        {status} = &thread->scratch.status;
    completion_describe(thread, FUNCTION_{name}, site, persistent);
    int error = mpilens__next.{name}({arguments});
    return completion_end_persistent(thread, persistent, {request}, {status}, error);
}}

"""
    + SLOW_WAY
    + OWN_REQUEST_ENTRY
    + """    struct mpilens_operation *operation = request_table_find_own(&thread->requests, HANDLE_VALUE(*{request}));
    if (unlikely(operation == NULL))
        return body_{name}({given}thread, site);
    if (likely(!(operation->flags & COMPLETION_NOT_SIMPLE))) {{
        if (operation->flags & MPILENS_OPERATION_RECEIVE)
            return receive_{name}({given}thread, site, operation);
        return send_{name}({given}thread, site, operation);
    }}
    if (operation->state == MPILENS_OPERATION_PERSISTENT)
        return persistent_{name}({given}thread, site, operation);
    return body_{name}({given}thread, site);
}}

PMPI_ENTRY({name}, ({parameters}))
"""
)

# Starts a persistent request of this thread.
START_WRAPPER = (
    OWN_REQUEST_BODY
    + """
static __attribute__((noinline)) int start_{name}({first}struct thread *thread, uint64_t site, struct mpilens_operation *persistent)
{{
    persistent_start_own(thread, FUNCTION_{name}, site, persistent);
    int error = mpilens__next.{name}({arguments});
    return persistent_started_own(thread, error);
}}

"""
    + SLOW_WAY
    + OWN_REQUEST_ENTRY
    + """    struct mpilens_operation *persistent = request_table_find_own(&thread->requests, HANDLE_VALUE(*{request}));
    if (persistent == NULL || thread->free_operations == NULL || !persistent_starts_simply(persistent))
        return body_{name}({given}thread, site);
    return start_{name}({given}thread, site, persistent);
}}

PMPI_ENTRY({name}, ({parameters}))
"""
)

# A poll that was expected needs little; any other one goes the general way.
POLL_WRAPPER = (
    """
INLINE int poll_{name}(struct thread *thread, struct poll_slot *expected, uint64_t site{more})
{{
{body}    return error;
}}

static __attribute__((noinline)) int body_{name}(struct thread *thread, uint64_t site{more})
{{
    return poll_{name}(thread, NULL, site{passed});
}}

"""
    + SLOW_WAY
    + """
EXPORT int {name}({parameters})
{{
    struct thread *thread = mpilens__thread;
    if (unlikely(thread_is_in_call(thread)))
        return slow_{name}({given}__builtin_return_address(0), STACK_START());
    uint64_t site = (uint64_t)(uintptr_t)__builtin_return_address(0);
    struct poll_slot *expected = poll_expected(thread, FUNCTION_{name}, site);
    if (unlikely(expected == NULL || !({condition})))
        return body_{name}(thread, site{passed});
    return poll_{name}(thread, expected, site{passed});
}}

PMPI_ENTRY({name}, ({parameters}))
"""
)

# The free list is empty, and no record is to be had.
TAKE_IN_GENERAL = """    if (thread->free_operations == NULL && !operation_take_slowly(thread)) {{
        call_begin_other(thread, FUNCTION_{name}, (uint64_t)(uintptr_t)way.caller, NULL);
        error = mpilens__next.{name}({arguments});
        call_end(thread);
        thread_leave(thread, &way);
        return error;
    }}
"""

FAILED = """    if (unlikely(error != MPI_SUCCESS))
        failed_call_returned(thread, error);
"""

# After a Fortran statement that has got a request.
STARTED_BY_FORTRAN = """    if (error == MPI_SUCCESS && way.statement.site != NULL)
        fortran_request_started(thread, HANDLE_VALUE(*{request}));
"""


def wrapper_source(wrapper, template):
    body = fill(wrapper, template)
    if template.record is None and ("error == MPI_SUCCESS" in body or wrapper.call_class in ("FILE", "FILE_DATA")):
        body += FAILED  # the error is looked at anyway, or the call is no quick one
    if template.record not in ("ends", "borrows", "takes"):
        body += "    call_end(thread);\n"
    declarations = wrapper.declarations()
    values = {
        "name": wrapper.name,
        "body": body,
        "parameters": wrapper.parameters(),
        "arguments": wrapper.passed(),
        "first": "".join(f"{declaration}, " for declaration in declarations),
        "given": "".join(f"{name}, " for name in wrapper.names),
        "more": "".join(f", {declaration}" for declaration in declarations),
        "passed": "".join(f", {name}" for name in wrapper.names),
        "started": STARTED_BY_FORTRAN.format(request=wrapper.roles["request"]) if wrapper.gives_request() else "",
    }
    values["slow_body"] = "body_{name}(thread, (uint64_t)(uintptr_t)way.caller{passed})".format(**values)
    if template.record in ("finds", "starts"):
        values["slow_body"] = "body_{name}({given}thread, (uint64_t)(uintptr_t)way.caller)".format(**values)
    if template.record == "ends":
        return COLLECTIVE_WRAPPER.format(communicator=wrapper.roles["communicator"], **values)
    if template.record == "polls":
        condition, values["body"] = body.split("\n", 1)
        return POLL_WRAPPER.format(condition=condition.strip(), **values)
    if template.record is None:
        return PLAIN_WRAPPER.format(**values)
    if template.record == "finds":
        return WAIT_WRAPPER.format(request=wrapper.roles["request"], status=wrapper.roles["status"], **values)
    if template.record == "starts":
        return START_WRAPPER.format(request=wrapper.roles["request"], **values)
    values["place"] = ", ".join(wrapper.roles[role] for role in ("communicator", "datatype", "peer"))
    takes = template.record == "takes"
    source = "operation_take" if takes else "operation_borrow"
    values["record"] = f"operation_beside_arguments({source}(thread))"
    values["none_free"] = " || thread->free_operations == NULL" if takes else ""
    values["refill"] = TAKE_IN_GENERAL.format(**values) if takes else ""
    return OPERATION_WRAPPER.format(**values)

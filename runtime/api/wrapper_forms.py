# SPDX-License-Identifier: BSD-3-Clause
"""The C text of one wrapper: which functions it consists of, by where the record of its operation comes from."""
from template_body import fill

# What calls a body when the thread needs a closer look.
SLOW_WAY = """static COLD int slow_{name}({first}const void *caller, uint64_t frame)
{{
    struct slow_way way = {{.caller = caller, .frame = frame}};
    struct thread *thread = thread_enter_slowly(&way);
    if (thread == NULL)
        return mpilens__real.{name}({arguments});
    int error = body_{name}(thread, (uint64_t)(uintptr_t)way.caller{passed});
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
    if (unlikely(thread->published.function != 0))
        return slow_{name}({given}__builtin_return_address(0), STACK_POINTER());
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
    if (unlikely(thread->published.function != 0 || !operation_cache_hit(entry, {place}){none_free}))
        return slow_{name}({given}__builtin_return_address(0), STACK_POINTER());
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
    if (unlikely(thread->published.function != 0 || !handle_cache_hit(entry, HANDLE_VALUE({communicator}))))
        return slow_{name}({given}__builtin_return_address(0), STACK_POINTER());
    return body_{name}(thread, handle_cache_record(entry), (uint64_t)(uintptr_t)__builtin_return_address(0){passed});
}}

PMPI_ENTRY({name}, ({parameters}))
"""

# Of what this thread has started, the end of a wait is simple: the quick ways through, one for sends and one for receives.
WAIT_WRAPPER = (
    """
static __attribute__((noinline)) int body_{name}(struct thread *thread, uint64_t site{more})
{{
{body}    return error;
}}

static __attribute__((noinline)) int receive_{name}(struct thread *thread, struct mpilens_operation *operation, uint64_t site{more})
{{
    if ({status} == MPI_STATUS_IGNORE)
        {status} = &thread->scratch.status;
    completion_describe(thread, FUNCTION_{name}, site, operation);
    int error = mpilens__next.{name}({arguments});
    completion_end_receive(thread, operation, {request}, {status}, error);
    call_end(thread);
    return error;
}}

"""
    + SLOW_WAY
    + """
EXPORT int {name}({parameters})
{{
    struct thread *thread = mpilens__thread;
    if (unlikely(thread->published.function != 0 || {request} == NULL))
        return slow_{name}({given}__builtin_return_address(0), STACK_POINTER());
    uint64_t site = (uint64_t)(uintptr_t)__builtin_return_address(0);
    struct mpilens_operation *operation = request_table_find_own(&thread->requests, HANDLE_VALUE(*{request}));
    if (operation == NULL || (operation->flags & COMPLETION_NOT_SIMPLE))
        return body_{name}(thread, site{passed});
    if (operation->flags & MPILENS_OPERATION_RECEIVE)
        return receive_{name}(thread, operation, site{passed});
    completion_describe(thread, FUNCTION_{name}, site, operation);
    int error = mpilens__next.{name}({arguments});
    completion_end_send(thread, operation, {request}, error);
    call_end(thread);
    return error;
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
    if (unlikely(thread->published.function != 0))
        return slow_{name}({given}__builtin_return_address(0), STACK_POINTER());
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

# Of a Fortran statement that has got a request.
STARTED_BY_FORTRAN = """    if (error == MPI_SUCCESS && way.statement.site != NULL)
        fortran_request_started(thread, HANDLE_VALUE(*{request}));
"""


def wrapper_source(wrapper, template):
    body = fill(wrapper, template)
    if template.record != "ends":
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
    if template.record == "ends":
        return COLLECTIVE_WRAPPER.format(communicator=wrapper.roles["communicator"], **values)
    if template.record == "polls":
        condition, values["body"] = body.split("\n", 1)
        return POLL_WRAPPER.format(condition=condition.strip(), **values)
    if template.record is None:
        return PLAIN_WRAPPER.format(**values)
    if template.record == "finds":
        return WAIT_WRAPPER.format(request=wrapper.roles["request"], status=wrapper.roles["status"], **values)
    values["place"] = ", ".join(wrapper.roles[role] for role in ("communicator", "datatype", "peer"))
    takes = template.record == "takes"
    values["record"] = "operation_take(thread)" if takes else "operation_borrow(thread)"
    values["none_free"] = " || thread->free_operations == NULL" if takes else ""
    values["refill"] = TAKE_IN_GENERAL.format(**values) if takes else ""
    return OPERATION_WRAPPER.format(**values)

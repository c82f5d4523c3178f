/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every wrapper hands its arguments and the result through, once, under both names.
 */
#include "callers.h"
#include "inside.h"

#include <criterion/criterion.h>

#include <string.h>

enum { ARGUMENTS = 16, BUFFER_BYTES = 4096 };

static _Alignas(16) char buffers[ARGUMENTS][BUFFER_BYTES];

static bool is(const struct caller *caller, const char *kind)
{
    return strcmp(caller->kind, kind) == 0;
}

/* It asks the library more than what it was called for. */
static bool asks_more(const struct caller *caller)
{
    return is(caller, "init") || is(caller, "init_thread") || is(caller, "session");
}

static void check(const struct caller *caller, int (*call)(const uint64_t *), const char *prefix, int error)
{
    uint64_t arguments[ARGUMENTS];
    memset(buffers, 0, sizeof buffers);
    for (size_t i = 0; i < caller->argument_count; i++)
        arguments[i] = caller->pointers >> i & 1 ? (uint64_t)(uintptr_t)buffers[i] : i + 3;
    fake.error = error;
    fake.error_is_early = error != MPI_SUCCESS;
    unsigned before = fake.calls;
    cr_assert_eq(call(arguments), error, "%s%s", prefix, caller->name);
    cr_assert_eq(fake.calls - before, 1, "%s%s calls the library %u times", prefix, caller->name, fake.calls - before);
    cr_assert_str_eq(fake.last_name, caller->name);
    for (size_t i = 0; i < caller->argument_count; i++)
        cr_assert_eq(fake.last_arguments[i], arguments[i], "argument %zu of %s%s", i + 1, prefix, caller->name);
    const struct mpilens_thread *thread = shadow_thread();
    cr_assert_eq(thread->function, 0, "%s%s is still shown", prefix, caller->name);
}

static void check_all(int error)
{
    begin_mpi();
    complete_all();
    for (size_t i = 0; i < caller_count; i++) {
        if (asks_more(&callers[i]))
            continue;
        check(&callers[i], callers[i].call, "", error);
        check(&callers[i], callers[i].call_pmpi, "P", error);
    }
}

Test(arguments, pass_through_every_wrapper)
{
    check_all(MPI_SUCCESS);
}

Test(arguments, pass_through_every_wrapper_with_an_error)
{
    check_all(FAKE_ERROR(MPI_ERR_COMM));
    for (int kind = 0; kind < MPILENS_TABLE_COUNT; kind++)
        if (kind == MPILENS_TABLE_MESSAGES)
            cr_assert_eq(shadow_count(kind, 0), 0);
    cr_assert_eq(shadow_live_operations(), 0, "an operation that failed is live");
}

Test(arguments, are_of_functions_that_the_table_of_numbers_names)
{
    begin_mpi();
    for (size_t i = 0; i < caller_count; i++) {
        bool found = false;
        for (uint32_t k = 1; k < mpilens_process.function_count && !found; k++)
            found = strcmp(shadow_function_name(k), callers[i].name) == 0;
        cr_assert(found, "%s has no number", callers[i].name);
    }
}

static const struct caller *current;

static void check_function(const struct fake_call *call)
{
    look_inside(call);
    cr_assert_str_eq(inside.function, current->name);
    cr_assert_neq(inside.thread.frame, 0);
}

Test(arguments, come_with_the_name_of_the_function_while_the_call_lasts)
{
    begin_mpi();
    for (size_t i = 0; i < caller_count; i++) {
        if (asks_more(&callers[i]))
            continue;
        current = &callers[i];
        unsigned before = inside.looks;
        fake.hook = check_function;
        check(current, current->call, "", MPI_SUCCESS);
        cr_assert_eq(inside.looks, before + 1);
    }
}

Test(arguments, may_be_those_that_say_ignore)
{
    begin_mpi();
    complete_all();
    for (size_t i = 0; i < caller_count; i++) {
        const bool has_status =
            is(&callers[i], "receive") || is(&callers[i], "mrecv") || is(&callers[i], "probe") ||
            is(&callers[i], "iprobe") || is(&callers[i], "wait") || is(&callers[i], "test") ||
            is(&callers[i], "waitall") || is(&callers[i], "waitsome") || is(&callers[i], "testall") ||
            is(&callers[i], "waitany") || is(&callers[i], "testany") || is(&callers[i], "testsome") ||
            is(&callers[i], "request_get_status") || is(&callers[i], "sendrecv") ||
            is(&callers[i], "sendrecv_replace") || is(&callers[i], "mprobe") || is(&callers[i], "improbe");
        if (!has_status)
            continue;
        uint64_t arguments[ARGUMENTS];
        memset(buffers, 0, sizeof buffers);
        for (size_t k = 0; k < callers[i].argument_count; k++)
            arguments[k] = callers[i].pointers >> k & 1 ? (uint64_t)(uintptr_t)buffers[k] : k + 3;
        arguments[callers[i].argument_count - 1] = (uint64_t)(uintptr_t)MPI_STATUS_IGNORE;
        cr_assert_eq(callers[i].call(arguments), MPI_SUCCESS, "%s", callers[i].name);
    }
    cr_assert_eq(shadow_live_operations(), 0);
}

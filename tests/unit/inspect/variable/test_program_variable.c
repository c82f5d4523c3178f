/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Variables of a living child, by DWARF: names, frames, files, members, elements, and what cannot be.
 */
#include "child.h"
#include "mpilens/object_kind.h"
#include "target/target.h"
#include "variable/variable_internal.h"

#include <criterion/criterion.h>
#include <string.h>

static struct child child;
static struct target *target;

static void start(void)
{
    struct reason reason;
    child = child_start(VARIABLE_PROGRAM);
    cr_assert_eq(target_open_process(child.pid, &target, &reason), 0, "%s", reason.text);
}

static void end(void)
{
    cr_expect_eq(child_answers(&child, 5000), 0, "the process runs on");
    target_close(target);
    child_end(&child);
}

TestSuite(program_variable, .init = start, .fini = end);

static void expect(const char *name, uint64_t value, const char *type)
{
    struct program_variable variable;
    struct reason reason = {.text = ""};
    cr_assert_eq(program_variable_find(target, name, false, &variable, &reason), 0, "%s: %s", name, reason.text);
    cr_expect_eq(variable.value, value, "%s: 0x%llx", name, (unsigned long long)variable.value);
    cr_expect_str_eq(variable.type, type, "%s", name);
}

static void expect_nothing(const char *name, const char *part)
{
    struct program_variable variable;
    struct reason reason = {.text = ""};
    cr_expect_eq(program_variable_find(target, name, false, &variable, &reason), -1, "%s", name);
    cr_expect_not_null(strstr(reason.text, part), "%s: %s", name, reason.text);
}

Test(program_variable, of_the_program)
{
    expect("global", 0x1000, "MPI_Comm");
    expect("hidden", 0x1001, "MPI_Comm");
    expect("variable_program.c::hidden", 0x1001, "MPI_Comm");
    expect("request", 0x123456789abc, "MPI_Request");
    expect("integer", (uint64_t)-5, "MPI_Fint");
}

Test(program_variable, of_the_stack)
{
    expect("row", 0x2000, "MPI_Comm");
    expect("main::row", 0x2000, "MPI_Comm");
    expect("shadowed", 0x3001, "MPI_Comm");
    expect("main::shadowed", 0x2001, "MPI_Comm");
    expect("twice", 2, "MPI_Comm");
    expect("other::twice", 1, "MPI_Comm");
    expect("pointer", 0x2000, "MPI_Comm");
    expect("*pointer", 0x2000, "MPI_Comm");
    expect("requests[1]", 0x32, "MPI_Comm");
    expect("requests[2]", 0xffffffff, "MPI_Comm");
}

Test(program_variable, parts)
{
    expect("first.comms[1][2]", 15, "MPI_Comm");
    expect("first.comms[1,2]", 15, "MPI_Comm");
    expect("first.next->comms[0][1]", 21, "MPI_Comm");
    expect("first.next.inner", 26, "MPI_Comm");
    expect("first.inner", 16, "MPI_Comm");
}

Test(program_variable, statuses_are_found_by_address)
{
    struct program_variable variable;
    struct reason reason;
    int32_t content[3];
    cr_assert_eq(program_variable_find(target, "status", false, &variable, &reason), 0);
    cr_expect_str_eq(variable.type, "MPI_Status");
    cr_assert_eq(target_read(target, variable.address, content, sizeof content), 0);
    cr_expect(content[0] == 1 && content[1] == 2 && content[2] == 3);
}

/* Variables of the same name: the program is meant before its libraries, and these before the system. */
Test(program_variable, of_libraries)
{
#ifdef WITH_LIBRARIES
    expect("hidden", 0x1001, "MPI_Comm");
    expect("of_libraries", 0x5001, "MPI_Comm");
    expect("of_system", 0x6002, "MPI_Comm");
    expect_nothing("of_another", "not been called");
#else
    cr_skip("clang's program has no libraries");
#endif
}

Test(program_variable, what_cannot_be)
{
    expect_nothing("no_such_variable", "no variable");
    expect_nothing("main::hidden", "no variable");
    expect_nothing("doubled", "several");
    expect_nothing("of_another", "not been called");
    expect_nothing("of_thread", "cannot be read");
    expect_nothing("first", "struct");
    expect_nothing("first.nothing", "no member");
    expect_nothing("first.next->next->inner", "");
    expect_nothing("first.comms", "array");
    expect_nothing("first.comms[1]", "2 dimensions");
    expect_nothing("first.comms[2][0]", "outside");
    expect_nothing("first.comms[0][-1]", "outside");
    expect_nothing("requests[3]", "outside");
    expect_nothing("global[0]", "not an array");
    expect_nothing("global.member", "not a struct");
    expect_nothing("**pointer", "not a pointer");
    expect_nothing("*global", "not a pointer");
    expect_nothing("*nowhere", "not a pointer");
}

Test(program_name, is_read)
{
    struct program_name name;
    struct reason reason;
    cr_assert_eq(program_name_parse("*solver.c::grid%rows(2,-1)->comm[3]", &name, &reason), 0);
    cr_expect_eq(name.dereferences, 1);
    cr_expect_str_eq(name.scope, "solver.c");
    cr_expect_str_eq(name.name, "grid");
    cr_assert_eq(name.step_count, 4);
    cr_expect_str_eq(name.steps[0].member, "rows");
    cr_expect(name.steps[1].index_count == 2 && name.steps[1].indices[0] == 2 && name.steps[1].indices[1] == -1);
    cr_expect_str_eq(name.steps[2].member, "comm");
    cr_expect_eq(name.steps[3].indices[0], 3);
}

Test(program_name, is_none)
{
    static const char *const texts[] = {"",
                                        "*",
                                        "a..b",
                                        "a[",
                                        "a[1",
                                        "a[1)",
                                        "a[x]",
                                        "1a",
                                        "a b",
                                        "a::",
                                        "::b",
                                        "a:b",
                                        "a-b",
                                        "a[]",
                                        "a->",
                                        "a[1,2,3,4,5,6,7,8,9]",
                                        "a[99999999999999999999]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct program_name name;
        struct reason reason = {.text = ""};
        cr_expect_eq(program_name_parse(texts[i], &name, &reason), -1, "%s", texts[i]);
        cr_expect_neq(reason.text[0], '\0');
    }
}

Test(handle_variable, kinds_of_types)
{
    cr_expect_eq(handle_kind_of_type("MPI_Comm"), MPILENS_OBJECT_COMMUNICATOR);
    cr_expect_eq(handle_kind_of_type("mpi_win"), MPILENS_OBJECT_WINDOW);
    cr_expect_eq(handle_kind_of_type("MPI_Status"), MPILENS_OBJECT_STATUS);
    cr_expect_eq(handle_kind_of_type("int"), MPILENS_OBJECT_NONE);
    cr_expect_eq(handle_kind_of_type("comm"), MPILENS_OBJECT_NONE);
    cr_expect_eq(handle_kind_of_type("MPI_Aint"), MPILENS_OBJECT_NONE);
}

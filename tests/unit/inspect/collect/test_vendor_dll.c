/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queues by the debugger library of a vendor, which asks for types, fields and symbols of the process.
 */
#include "child.h"
#include "collect/collect.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <string.h>

static struct job job;
static struct process process;
static struct reason reason;

static int collect_from(const char *library, const char *program)
{
    struct vendor_dll *dll = NULL;
    struct child child = child_start(program);
    process = (struct process){.rank = 2, .lacks_tables = true};
    cr_assert_eq(target_open_process(child.pid, &process.target, &reason), 0, "%s", reason.text);
    cr_assert_eq(vendor_dll_open(library, &dll, &reason), 0, "%s", reason.text);
    const int result = vendor_dll_collect(dll, &job, &process, &reason);
    vendor_dll_close(dll);
    child_end(&child);
    return result;
}

static void clear(void)
{
    process_clear(&process);
    job_clear(&job);
}

TestSuite(vendor_dll, .fini = clear);

Test(vendor_dll, queues)
{
    cr_assert_eq(collect_from(VENDOR_DLL, QUEUE_PROGRAM), 0, "%s", reason.text);
    cr_assert_eq(process.communicator_count, 1);
    const struct communicator *world = &process.communicators[0];
    cr_expect_str_eq(world->name, "world of 2,4,8,8,8 with 24");
    cr_expect_eq(world->size, 4);
    cr_expect_eq(world->sends.count, 0);
    cr_expect_eq(world->unexpected.count, 0);
    cr_assert_eq(world->receives.count, 2);
    cr_expect_eq(world->receives.items[0].peer_local, -1);
    cr_expect_eq(world->receives.items[0].tag, 11);
    cr_expect_eq(world->receives.items[0].details->bytes, 16);
    cr_expect_eq(world->receives.items[1].peer_world, 3);
    cr_expect_eq(world->receives.items[1].details->bytes, (int64_t)1 << 40);
    cr_expect_eq(world->receives.items[1].status, mqs_st_pending);
}

Test(vendor_dll, what_is_missing_is_said)
{
    cr_assert_eq(collect_from(VENDOR_DLL, TARGET_PROGRAM), -1);
    cr_expect_not_null(strstr(reason.text, "No vendor_message in %s."), "%s", reason.text);
    cr_expect_not_null(strstr(reason.text, "built with debug information"), "%s", reason.text);
    cr_expect_eq(process.communicator_count, 0);
}

Test(vendor_dll, other_libraries)
{
    struct vendor_dll *dll = NULL;
    cr_assert_eq(vendor_dll_open("libm.so.6", &dll, &reason), -1);
    cr_expect_str_eq(reason.text, "libm.so.6 is no debugger library of MPI: it has no mqs_setup_basic_callbacks");
    cr_assert_eq(vendor_dll_open("/no/such/library.so", &dll, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "cannot load the debugger library"));
    cr_expect_null(dll);
}

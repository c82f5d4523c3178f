/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of kernel threads, in a /proc made by hand and in this host's.
 */
#include "base/base.h"

#include "made_proc.h"

#include <criterion/criterion.h>
#include <unistd.h>

static void make_proc(void)
{
    made_proc_begin();
    made_proc_write_text(2, "task/2/children", "30 5 ");
    made_proc_write_text(30, "status", "Name:\tkworker/0:1\nState:\tI (idle)\nPPid:\t2\nUid:\t0\t0\t0\t0\n");
    made_proc_write_text(5, "status", "Name:\tkswapd0\nState:\tS (sleeping)\nPPid:\t2\nUid:\t0\t0\t0\t0\n");
    made_proc_write_text(4, "status", "Name:\tapp\nState:\tS (sleeping)\nPPid:\t2\nUid:\t7\t7\t7\t7\nVmSize:\t 9 kB\n");
}

TestSuite(kernel_threads, .init = make_proc, .fini = made_proc_end);

static size_t count_listed(const char *status_of_first)
{
    made_proc_write_text(2, "status", status_of_first);
    struct kernel_threads threads = kernel_threads_list(made_proc);
    const size_t count = threads.count;
    return count;
}

Test(kernel_threads, are_no_processes)
{
    made_proc_write_text(2, "status", "Name:\tkthreadd\nState:\tS (sleeping)\nPPid:\t0\nUid:\t0\t0\t0\t0\n");
    struct kernel_threads threads = kernel_threads_list(made_proc);
    cr_expect(kernel_threads_have(&threads, 5));
    cr_expect(kernel_threads_have(&threads, 30));
    cr_expect_not(kernel_threads_have(&threads, 4));
    cr_expect_not(kernel_threads_have(&threads, 0));
    struct process_table table = process_table_read(made_proc);
    cr_expect_not_null(process_table_find(&table, 4));
    cr_expect_null(process_table_find(&table, 5));
    cr_expect_null(process_table_find(&table, 30));
}

/* In a container any process may have that number, and call itself as it likes. */
Test(kernel_threads, of_a_process_are_processes)
{
    cr_expect_eq(count_listed("Name:\tkthreadd\nState:\tS (sleeping)\nPPid:\t0\nUid:\t0\t0\t0\t0\n"), 2);
    cr_expect_eq(count_listed("Name:\tsh\nState:\tS (sleeping)\nPPid:\t0\nUid:\t0\t0\t0\t0\n"), 0);
    cr_expect_eq(count_listed("Name:\tkthreadd\nState:\tS (sleeping)\nPPid:\t1\nUid:\t0\t0\t0\t0\n"), 0);
    cr_expect_eq(count_listed("Name:\tkthreadd\nState:\tS (sleeping)\nPPid:\t0\nUid:\t7\t7\t7\t7\n"), 0);
    cr_expect_eq(count_listed("Name:\tkthreadd\nState:\tZ (zombie)\nPPid:\t0\nUid:\t0\t0\t0\t0\n"), 0);
    cr_expect_eq(count_listed("Name:\tkthreadd\nState:\tS\nPPid:\t0\nUid:\t0\t0\t0\t0\nVmSize:\t 9 kB\n"), 0);
    cr_expect_eq(count_listed(""), 0);
}

/* Nothing in a container; else hundreds, but in no case a process. */
Test(kernel_threads, have_not_started_this_process)
{
    struct kernel_threads threads = kernel_threads_list("/proc");
    struct process_table above = process_table_read_above("/proc", getpid());
    for (size_t i = 0; i < above.count; i++)
        cr_expect_not(kernel_threads_have(&threads, above.items[i].pid), "%d", (int)above.items[i].pid);
}

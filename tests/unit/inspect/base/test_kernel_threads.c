/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of kernel threads, in a /proc made by hand and in this host's.
 */
#include "base/base.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char proc[64];

static void make_directory(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", proc, name);
    cr_assert_eq(mkdir(path, 0755), 0);
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", proc, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_proc(void)
{
    snprintf(proc, sizeof proc, "/tmp/mpilens-kernel-threads-XXXXXX");
    cr_assert_not_null(mkdtemp(proc));
    make_directory("2");
    make_directory("2/task");
    make_directory("2/task/2");
    make_directory("30");
    make_directory("5");
    make_directory("4");
    write_file("2/task/2/children", "30 5 ");
    write_file("30/status", "Name:\tkworker/0:1\nState:\tI (idle)\nPPid:\t2\nUid:\t0\t0\t0\t0\n");
    write_file("5/status", "Name:\tkswapd0\nState:\tS (sleeping)\nPPid:\t2\nUid:\t0\t0\t0\t0\n");
    write_file("4/status", "Name:\tapp\nState:\tS (sleeping)\nPPid:\t2\nUid:\t7\t7\t7\t7\nVmSize:\t 9 kB\n");
}

static int remove_entry(const char *path, const struct stat *information, int flag, struct FTW *walk)
{
    (void)information;
    (void)flag;
    (void)walk;
    return remove(path);
}

static void remove_proc(void)
{
    nftw(proc, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

TestSuite(kernel_threads, .init = make_proc, .fini = remove_proc);

static size_t count_listed(const char *status_of_first)
{
    write_file("2/status", status_of_first);
    struct kernel_threads threads = kernel_threads_list(proc);
    const size_t count = threads.count;
    kernel_threads_clear(&threads);
    return count;
}

Test(kernel_threads, are_no_processes)
{
    write_file("2/status", "Name:\tkthreadd\nState:\tS (sleeping)\nPPid:\t0\nUid:\t0\t0\t0\t0\n");
    struct kernel_threads threads = kernel_threads_list(proc);
    cr_expect(kernel_threads_have(&threads, 5));
    cr_expect(kernel_threads_have(&threads, 30));
    cr_expect_not(kernel_threads_have(&threads, 4));
    cr_expect_not(kernel_threads_have(&threads, 0));
    kernel_threads_clear(&threads);
    struct process_table table = process_table_read(proc);
    cr_expect_not_null(process_table_find(&table, 4));
    cr_expect_null(process_table_find(&table, 5));
    cr_expect_null(process_table_find(&table, 30));
    process_table_clear(&table);
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
    process_table_clear(&above);
    kernel_threads_clear(&threads);
}

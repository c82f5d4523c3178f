/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of launchers: this process is the launcher.
 */
#include "discover/discover.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct entry {
    const char *host;
    const char *executable;
    int pid;
};

extern const struct entry *MPIR_proctable;
extern int MPIR_proctable_size;
const struct entry *MPIR_proctable;
int MPIR_proctable_size;

static bool read_own(struct launcher_table *ret_table)
{
    struct target *target;
    struct reason reason;
    cr_assert_eq(target_open_process(getpid(), &target, &reason), 0, "%s", reason.text);
    const bool is_read = launcher_table_read(target, ret_table);
    target_close(target);
    return is_read;
}

static bool publish(const struct entry *entries, int count, struct launcher_table *ret_table)
{
    MPIR_proctable = entries;
    MPIR_proctable_size = count;
    return read_own(ret_table);
}

Test(launcher_table, of_two_processes)
{
    static const struct entry entries[] = {{"n01", "/home/u/app", 4711}, {"n02.cluster", "/home/u/other", 4712}};
    struct launcher_table table;
    cr_assert(publish(entries, 2, &table));
    cr_assert_eq(table.count, 2);
    cr_expect_str_eq(table.items[0].host, "n01");
    cr_expect_str_eq(table.items[1].executable, "/home/u/other");
    cr_expect_eq(table.items[1].pid, 4712);
    cr_assert(launcher_table_of(getpid(), &table));
    cr_expect_str_eq(table.items[1].host, "n02.cluster");
}

Test(launcher_table, none)
{
    static const struct entry entries[] = {{"n01", "/home/u/app", 4711}};
    struct launcher_table table;
    cr_expect_not(publish(NULL, 0, &table), "nobody has asked the launcher for one");
    cr_expect_not(publish(NULL, 1, &table));
    cr_expect_not(publish(entries, 0, &table));
    cr_expect_not(publish(entries, -1, &table));
    cr_expect_not(publish((const struct entry *)8, 1, &table));
    cr_expect_not(publish(entries, 1 << 20, &table), "more than is mapped");
    cr_expect_not(launcher_table_of(1 << 30, &table), "no such process");
}

Test(launcher_table, text_without_end_and_without_memory)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(memory, MAP_FAILED);
    memset(memory, 'x', page);
    memory[page - 3] = '\n';
    cr_assert_eq(munmap(memory + page, page), 0);
    const struct entry entries[] = {{memory, memory + page - 4, -1}, {NULL, (const char *)16, 0}};
    struct launcher_table table;
    cr_assert(publish(entries, 2, &table));
    cr_expect_leq(strlen(table.items[0].host), 300);
    cr_expect_eq(table.items[0].host[0], 'x');
    cr_expect_str_eq(table.items[0].executable, "x?xx", "until the end of the memory");
    cr_expect_str_eq(table.items[1].host, "");
    cr_expect_str_eq(table.items[1].executable, "");
}

Test(launcher_table, names_of_hosts)
{
    cr_expect(is_same_host("n01", "n01"));
    cr_expect(is_same_host("n01", "n01.cluster"));
    cr_expect(is_same_host("n01.cluster", "n01.cluster"));
    cr_expect_not(is_same_host("n01", "n011"));
    cr_expect_not(is_same_host("n01.a", "n01.b"));
}

static void expect_reason(struct launched_process *processes, size_t count, const char *part)
{
    const struct launcher_table table = {.items = processes, .count = count};
    struct reason reason;
    cr_expect_eq(launcher_reason(4711, "srun", count > 0 ? &table : NULL, "n09", &reason), -1);
    cr_expect_not_null(strstr(reason.text, part), "'%s' is not in '%s'", part, reason.text);
}

Test(launcher_table, says_where_the_ranks_are)
{
    static char hosts[][8] = {"n01", "n01", "n02", "n03", "n04"}, app[] = "app", here[] = "n09.net";
    struct launched_process processes[5];
    for (int i = 0; i < 5; i++)
        processes[i] = (struct launched_process){.host = hosts[i], .executable = app, .pid = 100 + i};
    expect_reason(processes, 1, "process 4711 (srun) has started 1 process on n01, none on this host");
    expect_reason(processes, 3, "has started 3 processes on n01, n02, none on this host");
    expect_reason(processes, 5, "has started 5 processes on n01, n02, n03 and others, none on this host");
    processes[3].host = here;
    expect_reason(processes, 5, "has started process 103 (app) on this host");
    expect_reason(processes, 0, "process 4711 (srun) is a launcher, and no MPI process on this host is below it");
}
